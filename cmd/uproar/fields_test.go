// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestFields: fields are dropped, added and shown; what cannot be changes nothing.
func TestFields(t *testing.T) {
	dir := t.TempDir()
	call := func(want int, input string, args ...string) (out, errOut string) {
		t.Helper()
		var o, e strings.Builder
		if code := run(t.Context(), append(args, "--dir", dir), strings.NewReader(input), &o, &e, noEnv); code != want {
			t.Fatalf("%q: got exit code %d, want %d: %s", args, code, want, e.String())
		}
		return o.String(), e.String()
	}
	call(exitOK, "id,likes,age\n1,tea,30\n2,cake,40\n", "import", "audience", "--key", "id", "--column", "likes:set",
		"--column", "age:integer", "-")
	before, _ := call(exitOK, "", "fields")
	if !strings.Contains(before, "likes") || !strings.Contains(before, "age") {
		t.Fatalf("got %q, want likes and age", before)
	}
	for text, args := range map[string][]string{
		`unknown field "aeg"`:    {"--drop", "age", "--drop", "aeg"},
		"--add":                  {"--add", "home-town:set"},
		`got type "bag"`:         {"--add", "x:bag"},
		`unknown index "pepole"`: {"--index", "pepole"},
	} {
		code := exitFailure
		if args[0] == "--add" {
			code = exitUsage
		}
		if _, errOut := call(code, "", append([]string{"fields"}, args...)...); !strings.Contains(errOut, text) {
			t.Errorf("%q: got %q, want %q", args, errOut, text)
		}
	}
	if now, _ := call(exitOK, "", "fields"); now != before {
		t.Errorf("got %q, want nothing changed: %q", now, before)
	}
	after, _ := call(exitOK, "", "fields", "--drop", "age", "--add", "town:single", "--add", "words:set:column=small")
	for text, want := range map[string]bool{"likes": true, "age": false, "town": true, "words": true, "small": true} {
		if strings.Contains(after, text) != want {
			t.Errorf("got %q, want %s: %v", after, text, want)
		}
	}
	if out, _ := call(exitOK, "", "inspect"); !strings.Contains(out, after) {
		t.Errorf("inspect: got %q, want the same fields: %q", out, after)
	}
}
