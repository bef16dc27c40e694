// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// CheckExercised reads the sources: every exported function and method of the public folders must
// be called by the exercises in this one (exercise_*_test.go), under its name, and what they call
// must be exported by the public folders or by own. Those in apart need no call of their own. ran
// are the names of the calls that run: what the sources say must be what runs.
func CheckExercised(t *testing.T, ran []string, public, own, separate []string) {
	t.Helper()
	exported := exportedOperations(t, public...)
	for _, name := range separate {
		if exported[name] == "" {
			t.Errorf("nothing exports %s: take it off the list", name)
		}
		delete(exported, name)
	}
	ours := exportedOperations(t, own...)
	exercised := exercisedOperations(t)
	for name, at := range exported {
		switch calls, ok := exercised[name]; {
		case !ok:
			t.Errorf("%s: %s is not called on hostile bytes: add it to the calls in an exercise_*_test.go", at, name)
		case !calls:
			t.Errorf("the call named %s does not call it", name)
		}
	}
	for name := range exercised {
		if ours[name] == "" {
			t.Errorf("the call named %s is of nothing that is exported", name)
		}
	}
	ran = slices.Sorted(slices.Values(ran))
	if len(exported) == 0 || len(slices.Compact(ran)) != len(exercised) {
		t.Errorf("got %d operations that run, %d in the sources of the exercises, %d exported", len(ran),
			len(exercised), len(exported))
	}
}

// parsed calls f with each Go file of a folder.
func parsed(t *testing.T, dir string, f func(name string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		f(e.Name(), files, file)
	}
}

// exportedOperations returns where each exported function and method of some folders is declared.
func exportedOperations(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	read := func(name string, files *token.FileSet, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			operation := f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if p, ok := of.(*ast.StarExpr); ok {
					of = p.X
				}
				if generic, ok := of.(*ast.IndexExpr); ok {
					of = generic.X
				}
				if receiver := of.(*ast.Ident); receiver.IsExported() {
					operation = receiver.Name + "." + operation
				} else {
					continue
				}
			}
			found[operation] = files.Position(f.Pos()).String()
		}
	}
	for _, folder := range folders {
		parsed(t, folder, read)
	}
	return found
}

// exercisedOperations returns the operations that the exercises name, and whether the function
// beside the name mentions the operation.
func exercisedOperations(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	parsed(t, ".", func(name string, _ *token.FileSet, file *ast.File) {
		if !strings.HasPrefix(name, "exercise_") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			list, ok := n.(*ast.CompositeLit)
			if !ok || len(list.Elts) != 2 {
				return true
			}
			name, named := list.Elts[0].(*ast.KeyValueExpr)
			do, does := list.Elts[1].(*ast.KeyValueExpr)
			if !named || !does {
				return true
			}
			literal, ok := name.Value.(*ast.BasicLit)
			if _, isFunc := do.Value.(*ast.FuncLit); !ok || !isFunc {
				return true
			}
			operation, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			if _, twice := found[operation]; twice {
				t.Errorf("two calls are named %s", operation)
			}
			last := operation[strings.IndexByte(operation, '.')+1:]
			found[operation] = false
			ast.Inspect(do.Value, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && strings.Contains(id.Name, last) {
					found[operation] = true
				}
				return true
			})
			return true
		})
	})
	return found
}
