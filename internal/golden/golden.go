// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package golden compares the bytes of a format with files of testdata/golden, in tests. A change
// of these bytes is a change of format: it is seen in review, and asks for a new version.
package golden

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew from what the code does")

// Entry compares the key and the value of a store's entry, and what reading them gives back, with
// the file of that name. With -rewrite it writes the file instead.
func Entry(t *testing.T, name, what string, key, value []byte, back string) {
	t.Helper()
	text := fmt.Sprintf("# %s\n\nkey\n%s\nvalue\n%s\nread back\n%s\n", what, hex.Dump(key), hex.Dump(value),
		strings.TrimRight(back, "\n"))
	path := filepath.Join("testdata", "golden", name+".txt")
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s: the bytes have changed; if the format is meant to change, give it a new version and run with "+
			"-rewrite.\ngot\n%s\nwant\n%s", path, text, want)
	}
}

var fieldName = regexp.MustCompile(`\b[A-Z][A-Za-z]*:`)

// Text returns a value with the names of its fields, which begin with small letters whether they
// are exported or not.
func Text(x any) string {
	return fieldName.ReplaceAllStringFunc(fmt.Sprintf("%+v", x), func(name string) string {
		return strings.ToLower(name[:1]) + name[1:]
	})
}
