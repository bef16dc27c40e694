// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	codeColumns    = 120 // with tabs of four
	commentColumns = 100
)

// minUnbroken is how many letters of a literal, a tag of a field or an address cannot be broken
// without hurting it: a line is judged without those.
const minUnbroken = 50

// webAddress is a word of a comment that is an address.
var webAddress = regexp.MustCompile(`\S*://\S*`)

// checkColumns finds lines that are too long to be read beside others. Long literals, tags of
// fields and addresses in comments do not count, but the rest of their lines does. The output of
// examples is as long as it is. The benchmarks' module is looked at, too.
func checkColumns(t *tree) (findings []string) {
	sources := slices.Clone(t.sources)
	for _, of := range t.benchmarksByDir() {
		sources = append(sources, of...)
	}
	for _, s := range sources {
		comments, unbroken := t.commentLines(s), t.unbrokenLetters(s)
		output := false
		for i, line := range strings.Split(s.text, "\n") {
			text := strings.TrimSpace(line)
			output = comments[i+1] && (output || strings.HasPrefix(text, "// Output:"))
			most := codeColumns
			if comments[i+1] && !strings.HasPrefix(text, "//\t") && !strings.HasPrefix(text, "//go:") {
				most = commentColumns
			}
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) - unbroken[i+1]
			if columns > most && !output && !strings.HasPrefix(text, "//go:generate") {
				findings = append(findings, fmt.Sprintf("%s:%d: has %d columns, want at most %d", s.path, i+1, columns,
					most))
			}
		}
	}
	return findings
}

// commentLines returns which lines of a file are comment and nothing else.
func (t *tree) commentLines(s *source) map[int]bool {
	lines := make(map[int]bool)
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			at := t.fset.Position(c.Pos())
			for i := range strings.Split(c.Text, "\n") {
				lines[at.Line+i] = i > 0 || strings.TrimSpace(s.text[at.Offset-at.Column+1:at.Offset]) == ""
			}
		}
	}
	return lines
}

// unbrokenLetters returns how many letters of each line of a file cannot be broken: those of
// literals of minUnbroken letters and more, and of addresses in comments.
func (t *tree) unbrokenLetters(s *source) map[int]int {
	letters := make(map[int]int)
	ast.Inspect(s.file, func(n ast.Node) bool {
		if of, ok := n.(*ast.BasicLit); ok && of.Kind == token.STRING {
			first := t.fset.Position(of.Pos()).Line
			for i, part := range strings.Split(of.Value, "\n") {
				if n := utf8.RuneCountInString(part); n >= minUnbroken {
					letters[first+i] += n + 3*strings.Count(part, "\t")
				}
			}
		}
		return true
	})
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			first := t.fset.Position(c.Pos()).Line
			for i, part := range strings.Split(c.Text, "\n") {
				for _, found := range webAddress.FindAllString(part, -1) {
					letters[first+i] += utf8.RuneCountInString(found)
				}
			}
		}
	}
	return letters
}
