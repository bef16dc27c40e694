// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestQueryOfManyValues reads queries of 100 000 values from the standard input, as text and JSON.
// They name the records that are unknown.
func TestQueryOfManyValues(t *testing.T) {
	dir := t.TempDir()
	call := func(input string, args ...string) (code int, out, errOut string) {
		var stdout, stderr strings.Builder
		code = run(t.Context(), args, strings.NewReader(input), &stdout, &stderr, noEnv)
		return code, stdout.String(), stderr.String()
	}
	if code, _, errOut := call("alice,bob\nalice,carol\ndan,bob\n", "import", "graph", "--dir", dir,
		"-"); code != exitOK {
		t.Fatalf("import: got exit code %d, %s", code, errOut)
	}
	var names []string
	for i := range 100_000 {
		names = append(names, fmt.Sprintf("nobody%d", i))
	}
	all := strings.Join(names, ",")
	for _, q := range []string{"follows in (" + all + ",bob)", "follows = bob or follows = " +
		strings.Join(names, " or follows = "), "not not follows in(bob," + all + ")\n",
		`{"field":"follows","in":["bob","` + strings.Join(names, `","`) + `"]}`} {
		code, out, errOut := call(q, "query", "--dir", dir, "-")
		if code != exitOK || out != "alice\ndan\n" || !strings.HasPrefix(errOut,
			"unknown: follows = nobody0\nunknown: follows = nobody1\n") ||
			!strings.Contains(errOut, "nobody4\nunknown: and more\n2 records;") {
			t.Errorf("%.40s: got exit code %d, %q and %.200q", q, code, out, errOut)
		}
	}
	code, out, errOut := call("", "query", "--dir", dir, "--count", "not follows(ghost)")
	if code != exitOK || out != "4\n" || !strings.HasPrefix(errOut, "unknown: follows(ghost)\n4 records;") {
		t.Errorf("got exit code %d, %q and %q", code, out, errOut)
	}
	if code, _, errOut := call("follows(", "query", "--dir", dir, "-"); code == exitOK ||
		!strings.Contains(errOut, "1:9") {
		t.Errorf("got exit code %d and %q, want the place of the error", code, errOut)
	}
}
