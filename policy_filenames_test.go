// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// commentedFile is a source file that a comment names, with its folder or without.
var commentedFile = regexp.MustCompile(`(?:^|[^\w./*…<>-])([A-Za-z0-9][\w./-]*\.(?:go|s|h))\b`)

// foreignFiles are files of other projects that comments name.
var foreignFiles = map[string]string{"roaring.h": "of CRoaring"}

// checkFilenames finds comments of sources, tests and benchmarks included, that name a file which
// does not exist: neither in the folder of the source nor as a path from the root.
func checkFilenames(t *tree) (findings []string) {
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		for number, comment := range commentLines(p, t.texts[p]) {
			for _, m := range commentedFile.FindAllStringSubmatch(address.ReplaceAllString(comment, ""), -1) {
				_, beside := fs.Stat(t.fsys, path.Join(path.Dir(p), m[1]))
				_, below := fs.Stat(t.fsys, path.Clean(m[1])) // the root
				if beside != nil && below != nil && foreignFiles[m[1]] == "" {
					findings = append(findings, fmt.Sprintf("%s:%d: a comment names %s, which is neither beside it "+
						"nor a path from the root", p, number, m[1]))
				}
			}
		}
	}
	return findings
}

// commentLines returns the lines of the comments of a source in Go or in assembly, with their
// numbers.
func commentLines(p, text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		switch path.Ext(p) {
		case ".s", ".h":
			number := 0
			for line := range strings.Lines(text) {
				number++
				if _, comment, ok := strings.Cut(line, "//"); ok && !yield(number, comment) {
					return
				}
			}
		case ".go":
			files := token.NewFileSet()
			file := files.AddFile(p, -1, len(text))
			var s scanner.Scanner
			s.Init(file, []byte(text), nil, scanner.ScanComments)
			for {
				pos, tok, comment := s.Scan()
				if tok == token.EOF {
					return
				}
				number := file.Line(pos)
				for line := range strings.Lines(comment) {
					if tok == token.COMMENT && !yield(number, line) {
						return
					}
					number++
				}
			}
		}
	}
}
