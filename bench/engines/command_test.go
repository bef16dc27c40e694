// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain lets the test program measure, as the program of the benchmarks does when it runs
// itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "engines" {
		if err := Command(os.Args[2:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// tinySizes are the flags of a run of seconds.
var tinySizes = []string{"-rounds", "1", "-time", "60ms", "-idle", "10ms", "-memory", "33554432", "-accounts", "200",
	"-follows", "2000", "-graph", "500", "-large", "800", "-people", "1000", "-offerings", "1", "-pages", "64",
	"-page", "4096", "-gets", "16", "-sorted", "2000", "-random", "2000"}

// TestCommand measures all of a little: each row has a figure of each engine.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command(append([]string{"-dir", t.TempDir()}, tinySizes...), &stdout, &stderr); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	lines := strings.Split(stdout.String(), "\n")
	if lines[0] != "| | badger | bbolt | pebble | disk |" {
		t.Errorf("got %q", lines[0])
	}
	at := 0 // rows have the order of the table; some have the same name
	for _, r := range table {
		found := false
		for i, line := range lines[at:] {
			cells := strings.Split(line, " | ")
			if found = strings.HasPrefix(line, "| "+r.name+" | "); !found {
				continue
			}
			at += i + 1
			for i, engine := range engines {
				want := r.figures
				if engine == disk {
					want = r.disk
				}
				cell := strings.TrimSuffix(strings.TrimSpace(cells[i+1]), "|")
				got := strings.Count(cell, "·") + 1
				if len(want) > 0 && (got != len(want) || strings.TrimSpace(cell) == "") {
					t.Errorf("%s, %s: got %q, want %d figures", r.name, engine, cells[i+1], len(want))
				}
			}
			break
		}
		if !found {
			t.Errorf("got no row %q in\n%s", r.name, stdout.String())
		}
	}
}

// TestCommandRefuses gives flags that cannot be.
func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{"more"}, {"-rounds", "0"}, {"-only", "("}, {"-engines", "("}, {"-time", "0s"},
		{"-pages", "0"}, {"-nonsense"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 || stdout.Len() > 0 {
			t.Errorf("%q: got %v and %q, want an error that is explained", args, err, stderr.String())
		}
	}
	var stdout strings.Builder
	if err := Command([]string{childFlag, `{"Measurement":"nothing","Dir":"` + t.TempDir() + `"}`}, &stdout,
		os.Stderr); err == nil {
		t.Error("want an error of an unknown measurement")
	}
}
