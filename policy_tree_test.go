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

// checkNamedFiles finds files that documents name and that do not exist: at that place, or without
// one anywhere.
func checkNamedFiles(t *tree) (findings []string) {
	there := make(map[string]bool)
	for p := range t.texts {
		there[path.Base(p)] = true
	}
	for _, doc := range slices.Sorted(maps.Keys(t.texts)) {
		if !strings.HasSuffix(doc, ".md") {
			continue
		}
		for i, line := range strings.Split(t.texts[doc], "\n") {
			for _, m := range sourceFile.FindAllStringSubmatch(line, -1) {
				name, err := m[1], error(nil)
				if strings.Contains(name, "/") {
					_, err = fs.Stat(t.fsys, name)
				}
				if err != nil || !there[path.Base(name)] && !slices.Contains(madeUpFiles, name) {
					findings = append(findings, fmt.Sprintf("%s:%d: names %s, which does not exist", doc, i+1, name))
				}
			}
		}
	}
	return findings
}
