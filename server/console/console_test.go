// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// files returns the static files by their paths.
func files(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := fs.WalkDir(embedded, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := embedded.ReadFile(name)
		found[strings.TrimPrefix(name, "static/")] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// VERSIONS.txt has each library with its checksum, and LICENSES.txt the licence of each package.
func TestVendored(t *testing.T) {
	all := files(t)
	licences := all["vendor/LICENSES.txt"]
	listed := make(map[string]bool)
	lines := strings.Split(strings.TrimSpace(all["vendor/VERSIONS.txt"]), "\n")
	if want := "file\tsha256\tpackages\tlicences"; lines[0] != want {
		t.Errorf("VERSIONS.txt begins with %q, want %q", lines[0], want)
	}
	for _, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			t.Fatalf("VERSIONS.txt has %q, want four columns", line)
		}
		sum := sha256.Sum256([]byte(all["vendor/"+columns[0]]))
		if got := hex.EncodeToString(sum[:]); got != columns[1] {
			t.Errorf("vendor/%s has the checksum %s, want %s: make it with scripts/console/vendor.mjs", columns[0], got,
				columns[1])
		}
		for name := range strings.FieldsSeq(columns[2]) {
			if !strings.Contains(licences, "# "+name+"\n") {
				t.Errorf("LICENSES.txt has no licence of %s", name)
			}
		}
		for licence := range strings.FieldsSeq(columns[3]) {
			if !strings.Contains("ISC BSD-3-Clause MIT Apache-2.0", licence) {
				t.Errorf("%s is licensed under %s, which the console cannot be", columns[0], licence)
			}
		}
		listed["vendor/"+columns[0]] = true
	}
	for name := range all {
		if strings.HasPrefix(name, "vendor/") && path.Ext(name) == ".js" && !listed[name] {
			t.Errorf("VERSIONS.txt does not name %s", name)
		}
	}
}

// unsafe is what turns text into code or markup, or asks another server.
var unsafe = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|unsafeSVG|\beval\(|` +
	`new Function|DOMParser|setHTMLUnsafe|https?://|\bstyle=|\son[a-z]+="|javascript:`)

// namespace is an address that names a language, and is never asked.
const namespace = "http://www.w3.org/2000/svg"

// The pages are written with templates that put data only where text stands.
func TestOwnFiles(t *testing.T) {
	for name, text := range files(t) {
		if strings.HasPrefix(name, "vendor/") {
			continue
		}
		for number, line := range strings.Split(text, "\n") {
			if found := unsafe.FindString(strings.ReplaceAll(line, namespace, "")); found != "" {
				t.Errorf("%s:%d has %q, which the policy forbids or data could abuse", name, number+1, found)
			}
			if len([]rune(line)) > 120 && path.Ext(name) == ".js" && !strings.Contains(line, "echo '") {
				t.Errorf("%s:%d has %d columns, want at most 120", name, number+1, len([]rune(line)))
			}
		}
		if lines := strings.Count(text, "\n"); lines > 300 {
			t.Errorf("%s has %d lines, want at most 300", name, lines)
		}
		own := path.Ext(name) == ".js" || path.Ext(name) == ".css"
		if own && !strings.Contains(text[:200], "SPDX-License-Identifier") {
			t.Errorf("%s does not say its licence", name)
		}
	}
}

var imported = regexp.MustCompile(`(?:from|import\() ?["'` + "`" + `](\./[^"'` + "`" + `$]+)["'` + "`" + `]`)

// What a module imports is one of the files.
func TestImports(t *testing.T) {
	all := files(t)
	found := 0
	for name, text := range all {
		if strings.HasPrefix(name, "vendor/") || path.Ext(name) != ".js" {
			continue
		}
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			found++
			if _, ok := all[path.Join(path.Dir(name), m[1])]; !ok {
				t.Errorf("%s imports %s, which there is not", name, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d imports, want those of all modules", found)
	}
}

// mostBytes is how much the console may be, compressed: what a browser that has nothing loads.
const mostBytes = 72 << 10

func TestSize(t *testing.T) {
	var plain, packed int
	for name, text := range files(t) {
		if path.Ext(name) == ".txt" { // no page loads it
			continue
		}
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // as the server compresses
		if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		plain += len(text)
		packed += b.Len()
	}
	t.Logf("%d bytes, %d compressed", plain, packed)
	if packed > mostBytes {
		t.Errorf("the console has %d bytes when compressed, want at most %d", packed, mostBytes)
	}
}

func TestMatches(t *testing.T) {
	const tag = `W/"abc"`
	for field, want := range map[string]bool{"": false, `"abd"`: false, `"abc"`: true, tag: true, "*": true,
		`"x", W/"abc"`: true, `"abcd"`: false} {
		if got := matches(field, tag); got != want {
			t.Errorf("matches(%q) = %v, want %v", field, got, want)
		}
	}
}
