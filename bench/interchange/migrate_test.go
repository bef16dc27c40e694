// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interchange

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exportedCalls returns the exported functions of a package of another module, by name. It also
// returns the exported methods of some of its types.
func exportedCalls(t *testing.T, module, folder string, types ...string) map[string]bool {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", module, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if name, ok := of.(*ast.Ident); !ok || !slices.Contains(types, name.Name) {
					continue
				}
			}
			calls[f.Name.Name] = true
		}
	}
	if len(calls) < 20 {
		t.Fatalf("%s: got %d calls in %d files, want many more", module, len(calls), len(files))
	}
	return calls
}

// TestMigrationIsComplete: docs/migrate.md names every exported call of the other libraries on sets
// and of their iterators, under their headings, and none that they have not; and a reason where
// there is no counterpart.
func TestMigrationIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/migrate.md")
	if err != nil {
		t.Fatal(err)
	}
	const roaring = "github.com/RoaringBitmap/roaring/v2"
	// exported by other names
	iterators := []string{"intIterator", "intReverseIterator", "manyIntIterator", "unsetIterator"}
	both := exportedCalls(t, roaring, ".", append(iterators, "Bitmap")...)
	maps.Copy(both, exportedCalls(t, roaring, "roaring64", append(iterators, "Bitmap", "BSI")...))
	sroar := exportedCalls(t, "github.com/weaviate/sroar", ".", "Bitmap", "Iterator", "ManyItr", "Accumulator",
		"ContainsCursor")
	maps.Copy(sroar, exportedCalls(t, "github.com/dgraph-io/sroar", ".", "Bitmap", "Iterator", "ManyItr"))
	for _, name := range []string{"FuzzSerializationBuffer", "FuzzSerializationStream"} {
		delete(both, name) // hooks for a fuzzer
	}
	code := regexp.MustCompile("`([A-Za-z0-9]+)`")
	for heading, want := range map[string]map[string]bool{"## roaring and roaring64\n": both, "## sroar\n": sroar} {
		_, section, found := strings.Cut(string(page), heading)
		if !found {
			t.Fatalf("docs/migrate.md has no section %q", heading)
		}
		section, _, _ = strings.Cut(section, "\n## sroar") // that on roaring64.BSI belongs to roaring
		named := map[string]bool{}
		for line := range strings.Lines(section) {
			if cells := strings.Split(line, "|"); len(cells) > 3 {
				if strings.TrimSpace(cells[2]) == "—" && strings.TrimSpace(cells[3]) == "" {
					t.Errorf("%q: no counterpart and no reason: %s", heading, line)
				}
				for _, m := range code.FindAllStringSubmatch(cells[1], -1) {
					named[m[1]] = true
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if !named[name] {
				t.Errorf("%q: docs/migrate.md does not name %s", heading, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if !want[name] {
				t.Errorf("%q: docs/migrate.md names %s, which they do not have", heading, name)
			}
		}
	}
}
