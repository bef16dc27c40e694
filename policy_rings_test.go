// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
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
	r := &ringChecker{tree: t, std: importer.ForCompiler(token.NewFileSet(), "source", nil), dirs: t.codeByDir(),
		packages: make(map[string]*types.Package), uses: make(map[string]map[string][]string)}
	for _, dir := range slices.Sorted(maps.Keys(r.dirs)) {
		r.check(dir)
		if ring := largestRing(r.uses[dir]); len(ring) > maxRing {
			findings = append(findings, fmt.Sprintf("package %s: %d files use each other, want at most %d: %s", dir,
				len(ring), maxRing, strings.Join(ring, " ")))
		}
	}
	return findings
}

// codeByDir returns the files that are built for one system, without tests.
func (t *tree) codeByDir() map[string][]*source {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	texts := make(map[string]string)
	context.OpenFile = func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(texts[name])), nil
	}
	dirs := make(map[string][]*source)
	for _, s := range t.sources {
		dir, name := path.Split(s.path)
		dir = path.Clean(dir)
		if s.test || s.ignored || strings.HasPrefix(dir, "bench") {
			continue
		}
		texts[path.Join(dir, name)] = s.text
		if ok, err := context.MatchFile(dir, name); err == nil && ok {
			dirs[dir] = append(dirs[dir], s)
		}
	}
	return dirs
}

// ringChecker type-checks the packages of a tree. Packages of other modules are empty to it: what a
// file uses of its neighbours is known without them.
type ringChecker struct {
	tree     *tree
	std      types.Importer
	dirs     map[string][]*source
	packages map[string]*types.Package
	uses     map[string]map[string][]string // by folder and file: files
}

// Import returns a package that another one imports.
func (r *ringChecker) Import(name string) (*types.Package, error) {
	dir, local := strings.CutPrefix(name, r.tree.module+"/")
	if name == r.tree.module {
		dir, local = ".", true
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case local:
		return r.check(dir), nil
	case strings.Contains(first, "."):
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		return p, nil
	default:
		return r.std.Import(name)
	}
}

// check type-checks a package once, and notes which of its files use which.
func (r *ringChecker) check(dir string) *types.Package {
	if p := r.packages[dir]; p != nil {
		return p
	}
	var files []*ast.File
	for _, s := range r.dirs[dir] {
		files = append(files, s.file)
	}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: r, Error: func(error) {}, FakeImportC: true} // empty packages make errors
	p, _ := config.Check(dir, r.tree.fset, files, &info)
	r.packages[dir] = p
	at := func(pos token.Pos) string { return path.Base(r.tree.fset.Position(pos).Filename) }
	uses := make(map[string][]string)
	for id, o := range info.Uses {
		if o.Pkg() != p || !o.Pos().IsValid() {
			continue
		}
		if from, to := at(id.Pos()), at(o.Pos()); from != to && !slices.Contains(uses[from], to) {
			uses[from] = append(uses[from], to)
		}
	}
	r.uses[dir] = uses
	return p
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
