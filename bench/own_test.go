// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// bench runs a command, and returns its exit code and what it printed.
func bench(args ...string) (code int, stdout, stderr string) {
	var out, errOut strings.Builder
	code = run(args, &out, &errOut)
	return code, out.String(), errOut.String()
}

// wantLines runs a command that has to succeed, and checks that each pattern begins a line.
func wantLines(t *testing.T, patterns []string, args ...string) string {
	t.Helper()
	code, out, errOut := bench(args...)
	if code != 0 {
		t.Fatalf("%q: got code %d: %s", args, code, errOut)
	}
	for _, p := range patterns {
		if !regexp.MustCompile("(?m)^" + p).MatchString(out) {
			t.Errorf("%q: got %q, want a line like %q", args, out, p)
		}
	}
	return out
}

// TestKeys checks that all keys that are looked up come back to where they began. A second run
// finds them where they are.
func TestKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	args := []string{"keys", "--accounts", "500", "--lookups", "200", "--memory", "64MiB"}
	wantLines(t, []string{"accounts +500$", "load +", "asked +200 keys and as many IDs, all of them right"},
		append(args, "--dir", dir)...)
	if out := wantLines(t, nil, append(args, "--dir", dir, "--reuse")...); strings.Contains(out, "load") {
		t.Errorf("got %q, want nothing loaded again", out)
	}
	wantLines(t, []string{` *"lookups": 200`}, append(args, "--json")...)
	if code, _, errOut := bench(append(args, "--dir", dir)...); code == 0 ||
		!strings.Contains(errOut, "is not empty") || !strings.Contains(errOut, "--reuse") {
		t.Errorf("got code %d and %q for a folder that is in use", code, errOut)
	}
}

// TestPrices checks that prices are searched in every way, and that nothing is left.
func TestPrices(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	wantLines(t, []string{"loaded    9 744 prices, in random order, in ", "map, composite key +all conditions ",
		"roaring +all conditions ", "roaring, RWMutex, 2 readers +all conditions, beside ",
		"uproar +all conditions ", "uproar +slowest 1 of them: "},
		"prices", "--offerings", "1", "--shuffled", "--time", "0s")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v in the temporary folder, want nothing", left, err)
	}
}

// TestPeople checks that audiences are measured on a population that is kept, with each engine.
func TestPeople(t *testing.T) {
	for _, engine := range []string{"pebble", "bbolt"} {
		args := []string{"people", "--people", "1000", "--time", "0s", "--store", engine, "--dir",
			filepath.Join(t.TempDir(), "db")}
		wantLines(t, []string{"load ", "on disk ", "compared "}, append(args, "--check")...)
		if out := wantLines(t, []string{"on disk "}, args...); strings.Contains(out, "load ") {
			t.Errorf("%s: got %q, want nothing loaded again", engine, out)
		}
	}
}

// TestGraphCSV checks that a network is written as text, with its checksum.
func TestGraphCSV(t *testing.T) {
	file := filepath.Join(t.TempDir(), "follows.csv")
	wantLines(t, []string{"100 accounts and 500 follows in ", "sha256 [0-9a-f]{64}$"},
		"graph", "--accounts", "100", "--follows", "500", "--csv-only", file)
	wantLines(t, []string{"network +100 accounts, 500 follows$"},
		"graph", "--accounts", "100", "--follows", "500", "--csv", file, "--time", "0s", "--queries", "10")
}

// TestRefuses checks that what cannot be measured is refused before anything is. No figures are
// printed then.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no such file", []string{"graph", "--csv", t.TempDir() + "/missing.csv"}},
		{"and 0 lookups", []string{"keys", "--lookups", "0"}},
		{"got 1 accounts", []string{"keys", "--accounts", "1"}},
		{"want --dir", []string{"keys", "--reuse"}},
		{"want --dir", []string{"graph", "--reuse"}},
		{"got 0, want 1 to 1000", []string{"prices", "--offerings", "0"}},
		{"got 5, want 1000", []string{"people", "--people", "5"}},
		{"unknown flag", []string{"people", "--no-such-flag"}},
	} {
		code, out, errOut := bench(c.args...)
		if code != 1 || !strings.Contains(errOut, c.want) || out != "" {
			t.Errorf("%q: got code %d, %q and %q on the standard output, want 1, %q and nothing", c.args, code, errOut,
				out, c.want)
		}
	}
}
