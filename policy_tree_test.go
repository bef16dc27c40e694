// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// checkTree finds packages that CONTRIBUTING's tree does not show.
func checkTree(t *tree) (findings []string) {
	guide := t.texts["CONTRIBUTING.md"]
	shown := make(map[string]bool)
	var above []string
	for _, line := range strings.Split(guide, "\n") {
		at := strings.IndexAny(line, "├└")
		if at < 0 {
			continue
		}
		depth := utf8.RuneCountInString(line[:at]) / 4
		above = above[:min(depth, len(above))]
		names := strings.Fields(strings.TrimLeft(line[at:], "├└─│ "))
		parent := strings.Join(above, "")
		for i, name := range names {
			if !strings.HasSuffix(name, "/") {
				break
			}
			if open, list, ok := strings.Cut(strings.TrimSuffix(name, "/"), "{"); ok {
				for _, part := range strings.Split(strings.TrimSuffix(list, "}"), ",") {
					shown[parent+open+part] = true
				}
				continue
			}
			shown[parent+strings.TrimSuffix(name, "/")] = true
			if i == 0 {
				above = append(above, name)
			}
		}
	}
	missing := make(map[string]bool)
	for _, s := range t.sources {
		dir := path.Dir(s.path)
		first, _, _ := strings.Cut(dir, "/")
		if dir != "." && !s.test && !s.ignored && !shown[dir] && first != "bench" {
			missing[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(missing)) {
		findings = append(findings, fmt.Sprintf("CONTRIBUTING.md: its tree does not show %s/", dir))
	}
	for _, dir := range slices.Sorted(maps.Keys(shown)) {
		if !slices.ContainsFunc(t.sources, func(s *source) bool { return strings.HasPrefix(s.path, dir+"/") }) &&
			!strings.HasPrefix(dir, "bench") && dir != "docs" {
			findings = append(findings, fmt.Sprintf("CONTRIBUTING.md: its tree shows %s/, which is not there", dir))
		}
	}
	return findings
}

// sourceFile is a source file of this module that a document names, with its folder or without.
var sourceFile = regexp.MustCompile("`((?:[a-z0-9_]+/)*[A-Za-z0-9_]+\\.(?:go|s))`")

// madeUpFiles are placeholder names of files, and files that a reader will make.
var madeUpFiles = []string{"x.go", "x_amd64.go", "x_arm64.go", "x_generic.go"}

// namedFolder is what may be a folder of this module in a document.
var namedFolder = regexp.MustCompile("`((?:[a-z0-9_]+/)*[a-z0-9_]+)/?`")

// newItem is a line that begins a paragraph, an item of a list, a row of a table or a heading.
var newItem = regexp.MustCompile("^\\s*($|[-*|#]|\\d+\\.|```)")

// checkNamedFiles finds files that documents name and that do not exist: at that place, or in one
// of the folders that the paragraph has named before. Where it has named none, anywhere will do.
func checkNamedFiles(t *tree) (findings []string) {
	there, folders := make(map[string]bool), make(map[string]bool)
	for p := range t.texts {
		there[path.Base(p)] = true
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, doc := range slices.Sorted(maps.Keys(t.texts)) {
		if !strings.HasSuffix(doc, ".md") {
			continue
		}
		var named []string // the folders of this paragraph
		for i, line := range strings.Split(t.texts[doc], "\n") {
			if newItem.MatchString(line) {
				named = nil
			}
			for _, at := range namedFileOrFolder.FindAllString(line, -1) {
				if m := sourceFile.FindStringSubmatch(at); m == nil {
					if dir := strings.Trim(at, "`/"); folders[dir] {
						named = append(named, dir)
					}
				} else if !slices.Contains(madeUpFiles, m[1]) && !t.isThere(m[1], named, there) {
					findings = append(findings, fmt.Sprintf("%s:%d: names %s, which does not exist", doc, i+1, m[1]))
				} else if dir := path.Dir(m[1]); dir != "." {
					named = append(named, dir)
				}
			}
		}
	}
	return findings
}

// namedFileOrFolder is either of the two.
var namedFileOrFolder = regexp.MustCompile(sourceFile.String() + "|" + namedFolder.String())

// isThere reports whether a file exists that a document names: below its folder, or in one of those
// that were named before.
func (t *tree) isThere(name string, named []string, there map[string]bool) bool {
	exists := func(p string) bool {
		_, err := fs.Stat(t.fsys, p)
		return err == nil
	}
	switch {
	case exists(name):
		return true
	case len(named) == 0:
		return !strings.Contains(name, "/") && there[name]
	}
	return slices.ContainsFunc(named, func(dir string) bool {
		if exists(path.Join(dir, name)) {
			return true
		}
		below := false // a folder without sources of its own stands for its packages
		for p := range t.texts {
			if ext := path.Ext(p); path.Dir(p) == dir && (ext == ".go" || ext == ".s") {
				return false
			}
			below = below || strings.HasPrefix(p, dir+"/") && strings.HasSuffix(p, "/"+name)
		}
		return below
	})
}
