// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// checkAssembly finds assembly files that are too long. It also finds lines that are too long to be
// read beside others.
func checkAssembly(t *tree) (findings []string) {
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		if ext := path.Ext(p); ext != ".s" && ext != ".h" {
			continue
		}
		if lines := strings.Count(t.texts[p], "\n"); lines > maxLines {
			findings = append(findings, fmt.Sprintf("%s:%d: has %d lines, want at most %d", p, maxLines+1, lines,
				maxLines))
		}
		for i, line := range strings.Split(t.texts[p], "\n") {
			most := codeColumns
			if strings.HasPrefix(strings.TrimSpace(line), "//") && !strings.HasPrefix(line, "//go:") {
				most = commentColumns
			}
			if columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); columns > most {
				findings = append(findings, fmt.Sprintf("%s:%d: has %d columns, want at most %d", p, i+1, columns,
					most))
			}
		}
	}
	return findings
}

var macro = regexp.MustCompile(`(?m)^#define\s+(\w+)(?:.*\\\n)*.*$`)

// checkHeaderCopies finds macros that differ between headers of one name. The assembler includes
// from the folder of a package only, so packages copy the macros that they share.
func checkHeaderCopies(t *tree) (findings []string) {
	first := make(map[string]string) // the path that a macro of a header was found at first
	bodies := make(map[string]string)
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		if path.Ext(p) != ".h" {
			continue
		}
		for _, m := range macro.FindAllStringSubmatch(t.texts[p], -1) {
			name := path.Base(p) + ": " + m[1]
			if _, ok := first[name]; !ok {
				first[name], bodies[name] = p, m[0]
			} else if bodies[name] != m[0] {
				findings = append(findings, fmt.Sprintf("%s: macro %s is not that of %s, want copies", p, m[1],
					first[name]))
			}
		}
	}
	return findings
}
