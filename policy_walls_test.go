// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// starters are the packages of sets, posting lists and evaluation that may start goroutines, each
// with its reason.
var starters = map[string]string{
	"internal/posting":             "it decides when to commit, flush and purge",
	"internal/posting/load":        "a load sorts and merges on all processors",
	"internal/posting/pagecache":   "pages are read ahead, and from many places at a time",
	"internal/eval/crosstab":       "threads count parts of the records, and are waited for",
	"internal/eval/rowcount":       "likewise",
	"internal/roaring":             "likewise, of unions of many sets",
	"internal/roaring/roaringtest": "a test waits for an operation, which may hang",
}

// storeReaders are the packages of posting lists that may read values of the store.
var storeReaders = map[string]string{
	"internal/posting":          "it reads the log and the manifest, which are in no page",
	"internal/posting/manifest": "it reads the records of manifests",
	".":                         "it reads the catalog and the origin, which are in no index",
	"internal/schema":           "likewise",
	"internal/posting/reader":   "it reads the pages that the cache has not",
}

// inEngine reports whether the two walls stand around a package.
func inEngine(dir string) bool {
	for _, room := range []string{"bitmap", "internal/roaring", "internal/posting", "internal/eval", "query",
		"internal/schema", "internal/binding", "internal/dump", "internal/extsort"} {
		if dir == "." || dir == room || strings.HasPrefix(dir, room+"/") {
			return true
		}
	}
	return false
}

// checkStarts finds goroutines that begin where nobody expects them: what a package starts it has
// to stop, also when the database closes.
func checkStarts(t *tree) (findings []string) {
	return t.engineNodes(starters, func(n ast.Node) string {
		switch n := n.(type) {
		case *ast.GoStmt:
			return "starts a goroutine"
		case *ast.SelectorExpr: // called, or kept to be called
			if name := n.Sel.Name; name == "Go" || name == "TryGo" || name == "AfterFunc" {
				return "starts a goroutine"
			}
		}
		return ""
	})
}

// checkStoreReads finds values that are read past the page cache, which bounds and counts them:
// uses of the methods that package store declares, and of those of any interface that has them and
// that a store has, whatever variable and interface are called.
func checkStoreReads(t *tree) (findings []string) {
	c := t.types()
	var stores []types.Type // that can be read
	if p := c.check("store"); p != nil {
		for _, name := range p.Scope().Names() {
			if o, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
				stores = append(stores, o.Type())
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(c.dirs)) {
		if !inEngine(dir) || storeReaders[dir] != "" {
			continue
		}
		c.check(dir)
		for id, object := range c.infos[dir].Uses {
			f, ok := object.(*types.Func)
			if !ok || f.Pkg() == nil || c.packages[f.Pkg().Path()] == nil || f.Signature().Recv() == nil {
				continue
			}
			of, isFace := f.Signature().Recv().Type().Underlying().(*types.Interface)
			ofStore := f.Pkg().Path() == "store" || isFace && slices.ContainsFunc(stores, func(s types.Type) bool {
				return types.Implements(s, of) || types.Implements(types.NewPointer(s), of)
			})
			if name := f.Name(); ofStore && (name == "Get" || name == "Scan") {
				position := t.fset.Position(id.Pos())
				findings = append(findings, fmt.Sprintf("%s:%d: calls %s of the store, which is not for %s",
					position.Filename, position.Line, name, dir))
			}
		}
	}
	slices.Sort(findings)
	return findings
}

// engineNodes returns a finding for each node in the engine that what has a text for. It leaves out
// the allowed packages.
func (t *tree) engineNodes(allowed map[string]string, what func(ast.Node) string) (findings []string) {
	for _, s := range t.sources {
		dir := path.Dir(s.path)
		if s.test || s.ignored || !inEngine(dir) || allowed[dir] != "" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if text := what(n); text != "" {
				findings = append(findings, fmt.Sprintf("%s: %s, which is not for %s", t.at(s, n.Pos()), text, dir))
			}
			return true
		})
	}
	return findings
}
