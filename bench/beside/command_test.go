// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"strings"
	"testing"
)

// TestCommand measures a small graph: the answers of both agree, and each has its line.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-accounts", "300", "-follows", "5000", "-time", "100ms", "-writers", "2", "-readers",
		"2"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	// answers are compared
	if err := Command([]string{"-accounts", "300", "-follows", "5000", "-time", "100ms", "-query"}, &stdout,
		&stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Uproar  ", "roaring behind sync.RWMutex  ", "p99.9"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("got\n%s\nwithout %q", stdout.String(), want)
		}
	}
}

// TestCommandFewFollows measures a graph in which most accounts have no follow: the database does
// not know them, and they have nobody in common with anyone.
func TestCommandFewFollows(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-accounts", "5000", "-follows", "20", "-time", "100ms", "-writers", "1", "-readers",
		"2"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
}

// TestCommandRefuses gives flags that cannot be.
func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{"more"}, {"-batch", "0"}, {"-delta", "-1"}, {"-accounts", "1"}, {"-time", "0s"},
		{"-nonsense"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v and %q, want an error that is explained", args, err, stderr.String())
		}
	}
}
