// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notRun are the blocks with commands that no test carries out, by the file and a word of theirs,
// with what shows that they are right all the same, or why they are not run.
var notRun = []struct{ file, word, because string }{
	{"docs/benchmarks/", "", "they measure for minutes or hours; bench's tests run each small"},
	{"docs/scale.md", "check-storage", "TestScaleGuide"},
	{"docs/redis.md", "", "server/resp/guide_test.go asks what stands there"},
	{"server/operations.md", "curl --fail", "the source of docs/http.md"},
	{"docs/tutorials/own-index.md", "bench/ownindex", "a million people, and libraries of Python: minutes, by hand"},
	{"clients/python/README.md", "pip install", "clients/python/check installs the wheel, and runs what follows"},
	{"README.md", "go run ./cmd/uproar demo", "the newcomer of .ci/run does what the README says"},
}

var (
	codeBlock = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```")
	// commandLine matches what a reader types, with variables in front or behind another command.
	commandLine = regexp.MustCompile(`(?m)^(?:\$ |(?:[A-Z_]+=\S* )*(?:uproar|curl|go|docker|helm|make|cd|pip|npm|scripts|` +
		`bash|sh|python3?|node|[\w./-]+\.sh)(?: |$)|.*\| uproar )`)
	// askedThere matches a block with an answer that a test of server compares.
	askedThere = regexp.MustCompile(`\A\$ curl .*localhost:7070`)
)

// TestBlocksAreRun: each command in a block of a page is carried out by some test, or it is listed
// why not. Blocks of "console" are those that are; which pages have them run is checked too.
func TestBlocksAreRun(t *testing.T) {
	runs := make(map[string]bool)
	for _, page := range runnable(t) {
		name, err := filepath.Rel("../..", page)
		if err != nil {
			t.Fatal(err)
		}
		runs[filepath.ToSlash(name)] = true
	}
	byOthers := map[string]string{
		"docs/catalog.md": "TestCatalogExamples", "docs/tutorials/own-index.md": "TestOwnIndex",
		"docs/http.md":         "TestDocumentedExamples",
		"server/operations.md": "the source of docs/http.md",
	}
	used := make(map[int]bool)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel("../..", path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
	blocks:
		for _, b := range codeBlock.FindAllStringSubmatch(string(text), -1) {
			if b[1] == "console" {
				if !runs[name] && byOthers[name] == "" {
					t.Errorf("%s: a block of console that no test runs:\n%s", name, b[2])
				}
				continue
			}
			if b[1] == "" && slices.Contains(exampled, name) {
				continue // TestExamples carries them out
			}
			if b[1] != "" && b[1] != "sh" && b[1] != "bash" || !commandLine.MatchString(b[2]) ||
				byOthers[name] != "" && askedThere.MatchString(b[2]) {
				continue
			}
			for i, n := range notRun {
				if strings.HasPrefix(name, n.file) && strings.Contains(b[2], n.word) {
					used[i] = true
					continue blocks
				}
			}
			t.Errorf("%s: no test runs this block, and it is not listed why:\n%s", name, b[2])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range notRun {
		if !used[i] {
			t.Errorf("%s has no block with %q any more that is not run", n.file, n.word)
		}
	}
}
