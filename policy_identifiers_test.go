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

// properNames are words with an inner capital that no code declares, each with what it is.
var properNames = map[string]string{
	"KiB": "a unit", "MiB": "a unit",
	"JavaScript": "a language", "PostgreSQL": "a product",
	"OpenTelemetry": "a product",
	"SipHash":       "an algorithm", "SplitMix64": "an algorithm",
	"RoaringBitmap": "an organization", "RoaringFormatSpec": "a format", "runOptimize": "a function of its libraries",
	"VP2INTERSECT": "an instruction", "VP2INTERSECTD": "a form of it",
	"OpenAPIDocument": "an argument of go test -run",
}

// camelCase is a word of a comment that looks like an identifier.
var camelCase = regexp.MustCompile(`\b[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*\b`)

// address is what comments name people and places on the web with.
var address = regexp.MustCompile(`SPDX-\S+|https?://\S+`)

// checkIdentifiers finds comments that speak of what is not declared any more: words with a capital
// in them that no file of this module, its tests, its benchmarks or its assembly has as a name, be
// it declared there or in a package that they use.
func checkIdentifiers(t *tree) (findings []string) {
	known := make(map[string]bool)
	note := func(s *source) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				known[id.Name] = true
			}
			return true
		})
	}
	for _, s := range t.sources {
		note(s)
	}
	for _, files := range t.types().benchmarks {
		for _, s := range files {
			note(s)
		}
	}
	for p, text := range t.texts {
		if ext := path.Ext(p); ext == ".s" || ext == ".h" {
			for line := range strings.Lines(text) {
				code, _, _ := strings.Cut(line, "//")
				for _, word := range camelCase.FindAllString(code, -1) {
					known[word] = true
				}
			}
		}
	}
	for _, s := range t.sources {
		if s.test || s.ignored {
			continue
		}
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				text := address.ReplaceAllString(c.Text, "")
				for _, word := range camelCase.FindAllString(text, -1) {
					if !known[word] && properNames[word] == "" {
						findings = append(findings, fmt.Sprintf("%s: speaks of %s, which is declared nowhere",
							t.at(s, c.Pos()), word))
					}
				}
			}
		}
	}
	return findings
}
