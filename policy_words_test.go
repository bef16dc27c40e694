// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"strings"
)

// oldWords are the private words that the field's words have taken the place of, each where it was
// used (docs/design/vocabulary.md). Nothing that is declared there has such a name.
var oldWords = map[string]*regexp.Regexp{
	"": regexp.MustCompile(`(?i)^(company|graves|chunkWriter|keytable|nearkeys|columncode|muster|enroll|disband|` +
		`disperse|strider|squeeze|placeshort|dialects?2|longCalls|wayOf)$`),
	"internal/posting": regexp.MustCompile(`(?i)^(bell|tiers?|layers?|removals|spool|sayings?|matchings?|` +
		`corrections?|meetings?|goUnder|goOver|upto|recall|persist|relieve)$`),
	"internal/roaring": regexp.MustCompile(`(?i)^(crowds?|outlet|tight|revise|thin|certain|deferred|composition|` +
		`absent|leap|accumulate|mirror)$`),
	"internal/eval": regexp.MustCompile(`(?i)^(pace|owe|leap|joints?)$`),
	"server":        regexp.MustCompile(`(?i)^(turns|asking|strictness|dismiss|tally)$`),
}

// checkOldWords finds names of the private vocabulary: of files and of what is declared.
func checkOldWords(t *tree) (findings []string) {
	for _, s := range t.sources {
		if s.test || strings.HasPrefix(s.path, "bench/") {
			continue
		}
		old := func(name string) bool {
			for dir, words := range oldWords {
				if (dir == "" || strings.HasPrefix(s.path, dir+"/")) && words.MatchString(name) {
					return true
				}
			}
			return false
		}
		if name := strings.TrimSuffix(path.Base(s.path), ".go"); old(name) {
			findings = append(findings, fmt.Sprintf("%s: is named %q; docs/design/vocabulary.md has the field's word",
				s.path, name))
		}
		for _, id := range declared(s.file) {
			if old(id.Name) {
				findings = append(findings, fmt.Sprintf("%s: %s: docs/design/vocabulary.md has the field's word",
					t.at(s, id.Pos()), id.Name))
			}
		}
	}
	return findings
}

// declared returns the names of the functions, methods, types, fields, constants and variables that
// a file declares outside of functions.
func declared(file *ast.File) (names []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				case *ast.TypeSpec:
					names = append(names, spec.Name)
					if of, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range of.Fields.List {
							names = append(names, field.Names...)
						}
					}
				}
			}
		}
	}
	return names
}
