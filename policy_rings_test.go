// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// maxRing is how many files of a package may reach each other by what they use of one another.
const maxRing = 8

// checkRings finds packages in which too many files use each other, in a circle: who changes one of
// them has to know all.
func checkRings(t *tree) (findings []string) {
	c := t.types()
	for _, dir := range slices.Sorted(maps.Keys(c.dirs)) {
		if ring := largestRing(c.fileUses(dir)); len(ring) > maxRing {
			findings = append(findings, fmt.Sprintf("package %s: %d files use each other, want at most %d: %s", dir,
				len(ring), maxRing, strings.Join(ring, " ")))
		}
	}
	return findings
}

// fileUses returns which files of a package use which others of it.
func (c *typeChecker) fileUses(dir string) map[string][]string {
	p := c.check(dir)
	at := func(pos token.Pos) string { return path.Base(c.tree.fset.Position(pos).Filename) }
	uses := make(map[string][]string)
	for id, o := range c.infos[dir].Uses {
		if o.Pkg() != p || !o.Pos().IsValid() {
			continue
		}
		if from, to := at(id.Pos()), at(o.Pos()); from != to && !slices.Contains(uses[from], to) {
			uses[from] = append(uses[from], to)
		}
	}
	return uses
}

// largestRing returns the largest set of files in which each reaches each.
func largestRing(uses map[string][]string) (largest []string) {
	reach := make(map[string]map[string]bool)
	for from := range uses {
		met := make(map[string]bool)
		for next := uses[from]; len(next) > 0; next = next[1:] {
			if file := next[0]; !met[file] {
				met[file] = true
				next = append(next, uses[file]...)
			}
		}
		reach[from] = met
	}
	for from, met := range reach {
		var ring []string
		for to := range met {
			if reach[to][from] {
				ring = append(ring, to)
			}
		}
		if slices.Sort(ring); len(ring) > len(largest) {
			largest = ring
		}
	}
	return largest
}
