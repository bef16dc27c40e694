// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFiguresOfTheTree prints how large the packages, rings and types of this module are, with -v:
// the same program measures any commit.
func TestFiguresOfTheTree(t *testing.T) {
	tr, err := loadTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if tr.source("policy_figures_test.go") == nil {
		t.Fatal("the tree lacks this very file: wrong directory?")
	}
	figures := []struct {
		name   string
		values map[string]int
	}{
		{"lines of a package, without tests", packageLines(tr)},
		{"files of a package that use each other", ringSizes(tr)},
		{"methods of a type", typeMethods(tr)},
		{"fields of a type", typeFields(tr)},
		{"exported names of a package", exportedNames(tr)},
		{"lines above 120 columns, comments above 100", longLines(tr)},
		{"words of a document", documentWords(tr)},
	}
	for _, f := range figures {
		t.Log(summary(f.name, f.values))
	}
}

// summary says what a figure is in all, and where it is largest.
func summary(name string, values map[string]int) string {
	names := slices.Collect(maps.Keys(values))
	slices.SortFunc(names, func(a, b string) int {
		if values[a] != values[b] {
			return values[b] - values[a]
		}
		return strings.Compare(a, b)
	})
	total := 0
	for _, n := range values {
		total += n
	}
	var largest []string
	for _, n := range names[:min(5, len(names))] {
		largest = append(largest, fmt.Sprintf("%s %d", n, values[n]))
	}
	return fmt.Sprintf("%s: %d in %d; %s", name, total, len(values), strings.Join(largest, ", "))
}

func packageLines(t *tree) map[string]int {
	lines := make(map[string]int)
	for _, s := range code(t) {
		lines[s.dir()] += strings.Count(s.text, "\n")
	}
	return lines
}

// code returns the sources of the module that are neither tests nor the benchmarks' own.
func code(t *tree) (sources []*source) {
	for _, s := range t.sources {
		if !s.test && !s.ignored && !strings.HasPrefix(s.path, "bench/") {
			sources = append(sources, s)
		}
	}
	return sources
}

func ringSizes(t *tree) map[string]int {
	c, sizes := t.types(), make(map[string]int)
	for dir := range c.dirs {
		sizes[dir] = len(largestRing(c.fileUses(dir)))
	}
	return sizes
}

func typeMethods(t *tree) map[string]int {
	methods := make(map[string]int)
	for _, s := range code(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[s.dir()+"."+baseName(f.Recv.List[0].Type)]++
			}
		}
	}
	return methods
}

func typeFields(t *tree) map[string]int {
	fields := make(map[string]int)
	for _, s := range code(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if named, ok := n.(*ast.TypeSpec); ok {
				if of, ok := named.Type.(*ast.StructType); ok {
					fields[s.dir()+"."+named.Name.Name] += of.Fields.NumFields()
				}
			}
			return true
		})
	}
	return fields
}

func exportedNames(t *tree) map[string]int {
	names := make(map[string]int)
	for _, s := range code(t) {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(baseName(d.Recv.List[0].Type))) {
					names[s.dir()]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						if spec.Name.IsExported() {
							names[s.dir()]++
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							if name.IsExported() {
								names[s.dir()]++
							}
						}
					}
				}
			}
		}
	}
	return names
}

func longLines(t *tree) map[string]int {
	long := make(map[string]int)
	for _, s := range code(t) {
		for _, line := range strings.Split(s.text, "\n") {
			most := 120
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				most = 100
			}
			if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > most {
				long[s.dir()]++
			}
		}
	}
	return long
}

func documentWords(t *tree) map[string]int {
	words := make(map[string]int)
	for name, text := range t.texts {
		if strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "server/") {
			words[name] = len(strings.Fields(text))
		}
	}
	return words
}
