// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// exportedFor are exported names of internal packages that no other package of this module uses.
// Each has the reason why it is exported.
var exportedFor = map[string]string{
	"internal/table.QuoteError": "the errors of a table are told apart by their types",

	"store/pebblestore/internal/disk.Disk.Link":          "Pebble calls it",
	"store/pebblestore/internal/disk.Disk.OpenDir":       "likewise",
	"store/pebblestore/internal/disk.Disk.Rename":        "likewise",
	"store/pebblestore/internal/disk.Disk.ReuseForWrite": "likewise",
	"store/pebblestore/internal/disk.file.Preallocate":   "likewise",
	"store/pebblestore/internal/disk.file.SyncData":      "likewise",
	"store/pebblestore/internal/disk.logger.Infof":       "likewise",
}

// exportedForTests is how many exported names of an internal package only tests of other packages
// use. A number here may only fall, and has to.
var exportedForTests = map[string]int{
	"internal/hugepage": 1, "internal/posting/delta": 6, "internal/posting/format": 17, "internal/posting/load": 5,
	"internal/posting/memory": 3, "internal/posting/merge": 1, "internal/posting/overlay": 2,
	"internal/posting/pagecache": 1, "internal/posting/reader": 4,
	"internal/roaring/mutable": 1, "internal/roaring/view": 4,
}

// checkUnused finds what internal packages export and no other package uses, tests and benchmarks
// of others included: who reads the package would take it for a part of its contract. It also finds
// packages of which tests of others use more than exportedForTests, but for those that only tests
// use. Methods that an interface asks for are left alone, and so are types that something used has.
func checkUnused(t *tree) (findings []string) {
	c := t.types()
	used, tested, loose := c.usedElsewhere()
	beside := c.usedPackages(used)
	faces, unnamed := c.interfaces(), t.unnamedInterfaces()
	for _, dir := range slices.Sorted(maps.Keys(c.dirs)) {
		p := c.check(dir)
		if !isInternal(dir) || p == nil {
			continue
		}
		held, forTests := heldTypes(p), []string(nil)
		for _, o := range exportedOf(p) {
			name := o.Name()
			if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
				of := receiverName(f)
				if asked(f, dir, faces) || askedUnnamed(f, unnamed) {
					continue
				}
				name = of + "." + name
			}
			if used[o.Pos()] || loose[o.Name()] || held[o] || exportedFor[dir+"."+name] != "" ||
				isOneOf(o) {
				continue
			}
			if tested[o.Pos()] {
				forTests = append(forTests, name)
				continue
			}
			at := t.fset.Position(o.Pos())
			findings = append(findings, fmt.Sprintf("%s:%d: %s is exported, and no other package uses it: unexport it",
				at.Filename, at.Line, name))
		}
		if n := len(forTests); beside[dir] && n != exportedForTests[dir] {
			findings = append(findings, fmt.Sprintf("package %s: only tests of other packages use %d exported names, "+
				"want %d: %s", dir, n, exportedForTests[dir], strings.Join(forTests, " ")))
		}
	}
	return findings
}

// isOneOf reports whether a constant is one of the values that a type has names for.
func isOneOf(o types.Object) bool {
	_, ok := o.(*types.Const)
	named, isNamed := o.Type().(*types.Named)
	return ok && isNamed && named.Obj().Pkg() == o.Pkg()
}

func isInternal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// exportedOf returns the exported objects of a package, and the exported methods of its types.
func exportedOf(p *types.Package) (list []types.Object) {
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if o.Exported() {
			list = append(list, o)
		}
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !ok || !isType || named.Obj() != o {
			continue
		}
		for m := range named.Methods() {
			if m.Exported() {
				list = append(list, m)
			}
		}
		if face, ok := named.Underlying().(*types.Interface); ok {
			for m := range face.ExplicitMethods() {
				if m.Exported() {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// A face is an interface that a method may be there for.
type face struct {
	dir       string // of its package, if that is one of this module
	of        *types.Interface
	open      bool // others know its name, or have a type for it
	elsewhere bool // something of another package has its methods
}

// interfaces returns the interfaces of this module and of those packages of the standard library
// that it imports.
func (c *typeChecker) interfaces() (list []*face) {
	scope := func(p *types.Package, dir string) {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || dir == "" && !o.Exported() {
				continue
			}
			if of, ok := o.Type().Underlying().(*types.Interface); ok && of.NumMethods() > 0 {
				f := &face{dir: dir, of: of, open: o.Exported()}
				f.elsewhere = dir != "" && c.implementedBeside(f)
				f.open = f.open || f.elsewhere
				list = append(list, f)
			}
		}
	}
	seen := make(map[string]bool)
	for dir, p := range c.packages {
		scope(p, dir)
		for _, im := range p.Imports() {
			if c.packages[im.Path()] == nil && !seen[im.Path()] {
				seen[im.Path()] = true
				scope(im, "")
			}
		}
	}
	return append(list, &face{of: types.Universe.Lookup("error").Type().Underlying().(*types.Interface), open: true})
}

// implementedBeside reports whether a type of another package than its own has the methods of an
// interface.
func (c *typeChecker) implementedBeside(f *face) bool {
	for dir, p := range c.packages {
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if ok && dir != f.dir && !types.IsInterface(o.Type()) && implements(o.Type(), f.of) {
				return true
			}
		}
	}
	return false
}

// asked reports whether an interface asks for a method: one of another package than the method's,
// or one that others know.
func asked(m *types.Func, dir string, faces []*face) bool {
	of := m.Signature().Recv().Type()
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	return slices.ContainsFunc(faces, func(f *face) bool {
		found, _, _ := types.LookupFieldOrMethod(f.of, false, m.Pkg(), m.Name())
		if found == m {
			return f.elsewhere
		}
		return found != nil && (f.dir != dir || f.open) && implements(of, f.of)
	})
}

// askedUnnamed reports whether one of the interfaces without a name asks for a method.
func askedUnnamed(m *types.Func, unnamed [][]string) bool {
	of := m.Signature().Recv().Type()
	for _, names := range unnamed {
		if slices.Contains(names, m.Name()) && !slices.ContainsFunc(names, func(name string) bool {
			found, _, _ := types.LookupFieldOrMethod(of, true, m.Pkg(), name)
			return found == nil
		}) {
			return true
		}
	}
	return false
}

// unnamedInterfaces returns the methods of the interfaces that stand in expressions.
func (t *tree) unnamedInterfaces() [][]string {
	list := [][]string{{"Is"}, {"As"}, {"Unwrap"}} // of package errors
	for _, s := range t.sources {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				_, ok := n.Type.(*ast.InterfaceType)
				return !ok
			case *ast.InterfaceType:
				var names []string
				for _, m := range n.Methods.List {
					for _, name := range m.Names {
						names = append(names, name.Name)
					}
				}
				if len(names) > 0 {
					list = append(list, names)
				}
			}
			return true
		})
	}
	return list
}

// implements reports whether a type or a pointer to it has the methods of an interface. Of generic
// ones only the names are compared.
func implements(of types.Type, face *types.Interface) bool {
	if named, ok := of.(*types.Named); ok && named.TypeParams().Len() == 0 {
		return types.Implements(of, face) || types.Implements(types.NewPointer(of), face)
	}
	for m := range face.Methods() {
		if found, _, _ := types.LookupFieldOrMethod(of, true, m.Pkg(), m.Name()); found == nil {
			return false
		}
	}
	return true
}

// receiverName returns the name of the type of a method.
func receiverName(f *types.Func) string {
	of := f.Signature().Recv().Type()
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return named.Obj().Name()
	}
	return "interface"
}

// heldTypes returns the types that exported functions, methods, fields, variables and types of a
// package are made of: others use them without a name.
func heldTypes(p *types.Package) map[types.Object]bool {
	held := make(map[types.Object]bool)
	var note func(types.Type)
	note = func(of types.Type) {
		switch of := of.(type) {
		case *types.Named:
			held[of.Obj()] = true
			for arg := range of.TypeArgs().Types() {
				note(arg)
			}
		case *types.Alias:
			held[of.Obj()] = true
			note(types.Unalias(of))
		case *types.Pointer:
			note(of.Elem())
		case *types.Slice:
			note(of.Elem())
		case *types.Array:
			note(of.Elem())
		case *types.Chan:
			note(of.Elem())
		case *types.Map:
			note(of.Key())
			note(of.Elem())
		case *types.Tuple:
			for v := range of.Variables() {
				note(v.Type())
			}
		case *types.Signature:
			note(of.Params())
			note(of.Results())
		case *types.Struct:
			for f := range of.Fields() {
				if f.Exported() || f.Embedded() {
					note(f.Type())
				}
			}
		case *types.Interface:
			for m := range of.ExplicitMethods() {
				note(m.Type())
			}
		}
	}
	for _, o := range exportedOf(p) {
		if _, ok := o.(*types.TypeName); ok {
			note(o.Type().Underlying())
		} else {
			note(o.Type())
		}
	}
	return held
}

// usedPackages returns the packages that have some of the objects at the given positions.
func (c *typeChecker) usedPackages(used map[token.Pos]bool) map[string]bool {
	dirs := make(map[string]bool)
	for at := range used {
		if at.IsValid() {
			dirs[path.Dir(c.tree.fset.Position(at).Filename)] = true
		}
	}
	return dirs
}

// usedElsewhere returns the positions of the objects that another package uses, and of those that
// tests of another package use. names are the names that files for other systems use.
func (c *typeChecker) usedElsewhere() (used, tested map[token.Pos]bool, names map[string]bool) {
	used, tested, names = make(map[token.Pos]bool), make(map[token.Pos]bool), make(map[string]bool)
	note := func(into map[token.Pos]bool, dir string, info *types.Info) {
		for _, o := range info.Uses {
			if o.Pkg() != nil && o.Pkg().Path() != dir && c.packages[o.Pkg().Path()] != nil {
				into[origin(o).Pos()] = true
			}
		}
	}
	tests, built := make(map[string][]*source), make(map[*source]bool)
	for dir, files := range c.dirs {
		c.check(dir)
		note(used, dir, c.infos[dir])
		for _, s := range files {
			built[s] = true
		}
	}
	for _, s := range c.tree.sources {
		if s.test {
			tests[s.dir()] = append(tests[s.dir()], s)
		} else if !built[s] {
			ast.Inspect(s.file, func(n ast.Node) bool {
				if of, ok := n.(*ast.SelectorExpr); ok {
					names[of.Sel.Name] = true
				}
				return true
			})
		}
	}
	for dir, files := range tests {
		note(tested, dir, c.checkTests(dir, files))
	}
	for dir, files := range c.benchmarks { // what they measure they may ask for
		note(used, dir, c.checkTests(dir, files))
	}
	return used, tested, names
}

// origin returns the function, method or variable that another one is an instance of.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// checkTests type-checks the tests of a package, and returns what they use. The bodies of the
// package's own functions are left out.
func (c *typeChecker) checkTests(dir string, tests []*source) *types.Info {
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	var inside, outside []*ast.File
	for _, s := range tests {
		if strings.HasSuffix(s.file.Name.Name, "_test") {
			outside = append(outside, s.file)
		} else {
			inside = append(inside, s.file)
		}
	}
	if len(inside) > 0 {
		for _, s := range c.dirs[dir] {
			inside = append(inside, withoutBodies(s.file))
		}
		c.checkFiles(dir, inside, info)
	}
	c.checkFiles(dir+"_test", outside, info)
	return info
}

// withoutBodies returns a file with the heads of its functions only.
func withoutBodies(file *ast.File) *ast.File {
	heads := *file
	heads.Decls = slices.Clone(file.Decls)
	for i, d := range heads.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			head := *f
			head.Body = nil
			heads.Decls[i] = &head
		}
	}
	return &heads
}
