// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package unflushed

import (
	"strings"
	"testing"
)

// TestCommand measures small indexes: every question has a line, in every state.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-records", "40000", "-writes", "200", "-time", "1ms"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if got, want := len(lines), 2+len(allQuestions()); got != want {
		t.Errorf("got %d lines, want %d", got, want)
	}
	for _, line := range lines[2:] {
		if got, want := strings.Count(line, "×"), 5; got != want {
			t.Errorf("got %d ratios in %q, want %d", got, line, want)
		}
	}
}

// TestCommandRefuses gives flags that cannot be.
func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{"more"}, {"-records", "10"}, {"-writes", "99"}, {"-time", "0s"}, {"-nonsense"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v and %q, want an error that is explained", args, err, stderr.String())
		}
	}
}
