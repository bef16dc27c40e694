// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package rewrites

import (
	"strings"
	"testing"
)

// TestCommand measures a few small pages: each who takes part has its line.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	args := []string{"-dir", t.TempDir(), "-pages", "50", "-size", "2048", "-batch", "10", "-turn", "20ms", "-time",
		"100ms"}
	if err := Command(args, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"disk: append", "disk: copy", "Badger by itself", "Uproar's store"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("got\n%s\nwithout %q", stdout.String(), want)
		}
	}
}

// TestCommandRefuses gives flags that cannot be.
func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{"more"}, {"-batch", "0"}, {"-size", "0"}, {"-batch", "2049"}, {"-turn", "0s"},
		{"-nonsense"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v and %q, want an error that is explained", args, err, stderr.String())
		}
	}
}
