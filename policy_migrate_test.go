// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMigrationNames: every call of ours that docs/migrate.md names is exported by package bitmap,
// or by bsi or interop under their names.
func TestMigrationNames(t *testing.T) {
	names := map[string]bool{"new(Bitmap)": true}
	files, err := filepath.Glob("bitmap/*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("bitmap/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, below...) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(file, "_test.go") {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				name = of.(*ast.Ident).Name + "." + name
			}
			if parsed.Name.Name != "bitmap" {
				name = parsed.Name.Name + "." + name
			}
			names[name] = true
		}
	}
	page, err := os.ReadFile("docs/migrate.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([^`]+)`")
	seen := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
			if seen++; !names[m[1]] {
				t.Errorf("docs/migrate.md names %s: package bitmap and those below it have none", m[1])
			}
		}
	}
	if seen < 80 {
		t.Errorf("got %d names in the tables of docs/migrate.md, want at least 80", seen)
	}
}
