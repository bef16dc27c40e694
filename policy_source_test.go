// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A tree is the module as the policy checks see it: parsed, and without a disk behind it but for
// fsys.
type tree struct {
	fsys    fs.FS
	module  string // module path
	fset    *token.FileSet
	sources []*source
	texts   map[string]string // path → content of every text file that people read, Go sources included
	checker *typeChecker      // see types
}

// A source is one Go file.
type source struct {
	path    string // slash-separated, from the module's root
	text    string
	file    *ast.File
	test    bool // _test.go
	ignored bool // //go:build ignore: belongs to no package
	imports []imported
}

// An imported is one import of a file, or what counts as one.
type imported struct {
	path  string // a folder of this module, or an import path
	local bool   // of this module
	use   bool   // not an import but the use of a symbol, such as os.Args
	line  int
}

func (s *source) dir() string { return path.Dir(s.path) }

// at is the place of a finding, as editors understand it.
func (t *tree) at(s *source, pos token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, t.fset.Position(pos).Line)
}

func (t *tree) source(path string) *source {
	i, ok := slices.BinarySearchFunc(t.sources, path, func(s *source, p string) int { return cmp.Compare(s.path, p) })
	if !ok {
		return nil
	}
	return t.sources[i]
}

// packages returns the non-test files of each package, by folder.
func (t *tree) packages() map[string][]*source {
	byDir := make(map[string][]*source)
	for _, s := range t.sources {
		if !s.test && !s.ignored {
			byDir[s.dir()] = append(byDir[s.dir()], s)
		}
	}
	return byDir
}

// loadTree reads and parses a module. It reads the text files of nested modules but does not parse
// them. It skips testdata and folders that Go ignores.
func loadTree(fsys fs.FS) (*tree, error) {
	t := &tree{fsys: fsys, fset: token.NewFileSet(), texts: make(map[string]string)}
	gomod, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(gomod)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			t.module = strings.TrimSpace(name)
		}
	}
	if t.module == "" {
		return nil, errors.New("policy: go.mod names no module")
	}
	var nested []string // folders of other modules
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(p)
		if d.IsDir() {
			switch {
			case p == "." || base == ".ci":
				return nil
			case base == "testdata" || base[0] == '.' || base == "node_modules":
				return fs.SkipDir
			}
			_, err := fs.Stat(fsys, path.Join(p, "go.mod"))
			if err == nil || base[0] == '_' {
				nested = append(nested, p+"/")
			}
			return nil
		}
		if !d.Type().IsRegular() || !isText(p) {
			return nil
		}
		b, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		t.texts[p] = string(b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		other := slices.ContainsFunc(nested, func(dir string) bool { return strings.HasPrefix(p, dir) })
		if path.Ext(p) != ".go" || other {
			continue
		}
		s, err := t.parse(p, t.texts[p])
		if err != nil {
			return nil, err
		}
		t.sources = append(t.sources, s)
	}
	return t, nil
}

func isText(p string) bool {
	switch path.Ext(p) {
	case ".go", ".s", ".h", ".md", ".sh", ".yml", ".yaml", ".html", ".css", ".js":
		return true
	}
	return path.Dir(p) == ".ci" || slices.Contains([]string{"Makefile", "NOTICE", "go.mod", ".gitignore",
		".gitattributes"}, path.Base(p))
}

func (t *tree) parse(p, text string) (*source, error) {
	file, err := parser.ParseFile(t.fset, p, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{path: p, text: text, file: file, test: strings.HasSuffix(p, "_test.go"), ignored: isIgnored(file)}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		im := imported{path: name, line: t.fset.Position(spec.Pos()).Line}
		if name == t.module {
			im.path, im.local = ".", true
		} else if rest, ok := strings.CutPrefix(name, t.module+"/"); ok {
			im.path, im.local = rest, true
		}
		s.imports = append(s.imports, im)
		for _, symbol := range symbolsOf[name] {
			s.imports = append(s.imports, t.uses(file, spec, symbol)...)
		}
	}
	s.imports = append(s.imports, t.channels(file)...)
	return s, nil
}

// symbolsOf are the symbols of packages whose use counts as an import of its own.
var symbolsOf = map[string][]string{"os": {"Args"}, "sync": {"Mutex", "RWMutex", "Locker", "Cond", "NewCond",
	"WaitGroup", "Once", "OnceFunc", "OnceValue", "OnceValues", "Map"}, "time": {"Sleep", "After", "AfterFunc",
	"NewTimer", "NewTicker", "Tick"}}

// channels returns the places where a file names a type of channel, or waits for some.
func (t *tree) channels(file *ast.File) (found []imported) {
	ast.Inspect(file, func(n ast.Node) bool {
		receive := false
		if unary, ok := n.(*ast.UnaryExpr); ok {
			receive = unary.Op == token.ARROW
		}
		switch n.(type) {
		case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
			receive = true
		}
		if receive {
			found = append(found, imported{path: "chan", use: true, line: t.fset.Position(n.Pos()).Line})
		}
		return true
	})
	return found
}

// uses finds where a file refers to a symbol of an imported package. The file may import it under
// any name.
func (t *tree) uses(file *ast.File, spec *ast.ImportSpec, symbol string) []imported {
	name, pkg := path.Base(strings.Trim(spec.Path.Value, `"`)), ""
	pkg = name
	if spec.Name != nil {
		name = spec.Name.Name
	}
	var found []imported
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || x.Name != name || n.Sel.Name != symbol {
				return true
			}
		case *ast.Ident:
			if name != "." || n.Name != symbol {
				return true
			}
		default:
			return true
		}
		found = append(found, imported{path: pkg + "." + symbol, use: true, line: t.fset.Position(n.Pos()).Line})
		return true
	})
	return found
}

// isIgnored reports whether a file is kept out of every build, as by "//go:build ignore": whichever
// system it is built for and whichever tags are given, but for that one.
func isIgnored(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			if expr, err := constraint.Parse(c.Text); err == nil && !holdsSomewhere(expr) {
				return true
			}
		}
	}
	return false
}

// holdsSomewhere reports whether a constraint holds with some of its tags and without "ignore".
func holdsSomewhere(expr constraint.Expr) bool {
	number := make(map[string]int)
	expr.Eval(func(tag string) bool { number[tag] = 0; return true }) // it looks at all of them
	delete(number, "ignore")
	for i, tag := range slices.Sorted(maps.Keys(number)) {
		number[tag] = i
	}
	for set := range 1 << len(number) {
		if expr.Eval(func(tag string) bool { return tag != "ignore" && set>>number[tag]&1 != 0 }) {
			return true
		}
	}
	return false
}
