// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// CheckFuzzed reads the sources of the package under test. Every function in assembly must be
// reachable by calls from answersOf, which FuzzPaths runs on each path. Calls by way of a
// "…Generic" function do not count: they test the reference, not the kernel.
//
// It tells methods by their names only.
func CheckFuzzed(t *testing.T, forms []Form) {
	if cpu.Active != cpu.Best() {
		t.Skip("done once, with the best path")
	}
	calls, assembly := callGraph(t)
	reached := map[string]bool{}
	for next := []string{"answersOf"}; len(next) > 0; {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		if reached[name] {
			continue
		}
		reached[name] = true
		if !strings.HasSuffix(name, "Generic") {
			next = append(next, calls[name]...)
		}
	}
	for _, name := range assembly {
		if !reached[name] {
			t.Errorf("FuzzPaths does not call %s", name)
		}
	}
	if len(assembly) < len(forms) {
		t.Errorf("%d functions in assembly were found, %d are compared", len(assembly), len(forms))
	}
}

// callGraph reads the files of the package under test that are compiled here, and its answers. It
// returns the names that stand in each function, and the functions in assembly.
func callGraph(t *testing.T) (names map[string][]string, assembly []string) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names = map[string][]string{}
	for _, file := range files {
		fits, err := build.Default.MatchFile(".", file)
		if err != nil {
			t.Fatal(err)
		}
		if !fits || strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "answer") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imported := map[string]bool{}
		for _, spec := range source.Imports {
			imported[filepath.Base(strings.Trim(spec.Path.Value, `"`))] = true
		}
		for _, decl := range source.Decls {
			f, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok:
			case f.Body == nil:
				assembly = append(assembly, f.Name.Name)
			default:
				names[f.Name.Name] = append(names[f.Name.Name], namesIn(f.Body, imported)...)
			}
		}
	}
	return names, assembly
}

// namesIn returns the names that stand in a function, without names of imported packages.
func namesIn(body ast.Node, imported map[string]bool) []string {
	set := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] {
				return false
			}
		}
		if x, ok := n.(*ast.Ident); ok {
			set[x.Name] = true
		}
		return true
	})
	return slices.Sorted(maps.Keys(set))
}
