// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	spdxHeader = "// SPDX-FileCopyrightText: 2026 The Uproar Authors\n// SPDX-License-Identifier: Apache-2.0\n\n"

	maxLines  = 500 // of a file that does not say why it is longer
	minReason = 20  // letters of a "// Length:" comment
	minDoc    = 80  // letters of a package comment that is one sentence
)

// checkHeaders finds files that do not begin with the licence header, set apart from the package
// comment.
func checkHeaders(t *tree) (findings []string) {
	for _, s := range t.sources {
		if !strings.HasPrefix(s.text, spdxHeader) {
			findings = append(findings,
				s.path+":1: does not begin with the two SPDX lines of policy_style_test.go and an empty line")
		}
	}
	return findings
}

var sentenceEnd = regexp.MustCompile(`[.!?](\s|$)`)

// checkPackageComments finds packages without exactly one package comment that says something.
func checkPackageComments(t *tree) (findings []string) {
	packages := t.packages()
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		var documented []*source
		for _, s := range packages[dir] {
			if s.file.Doc != nil && strings.TrimSpace(s.file.Doc.Text()) != "" {
				documented = append(documented, s)
			}
		}
		name := packages[dir][0].file.Name.Name
		if len(documented) != 1 {
			findings = append(findings, fmt.Sprintf("%s: package %s has %d package comments, want one, in doc.go or "+
				"its principal file", dir, name, len(documented)))
			continue
		}
		s := documented[0]
		text := strings.TrimSpace(s.file.Doc.Text())
		starts := []string{"Package " + name + " "}
		if name == "main" {
			starts = []string{"Command ", "Uproar "}
		}
		at := t.at(s, s.file.Doc.Pos())
		if !slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(text, start) }) {
			findings = append(findings, fmt.Sprintf("%s: package comment begins %.20q, want %q", at, text, starts))
		}
		if len(text) < minDoc && len(sentenceEnd.FindAllString(text, -1)) < 2 {
			findings = append(findings,
				fmt.Sprintf("%s: package comment %q is shorter than two sentences and than %d letters", at, text,
					minDoc))
		}
	}
	return findings
}

// checkLengths finds long files whose head does not say why they are one file.
func checkLengths(t *tree) (findings []string) {
	for _, s := range t.sources {
		if lines := strings.Count(s.text, "\n"); lines > maxLines && !saysWhyLong(s.file) {
			findings = append(findings, fmt.Sprintf("%s:%d: has %d lines, more than %d, and no comment \"// Length: "+
				"why\" at its head", s.path, maxLines+1, lines, maxLines))
		}
	}
	return findings
}

func saysWhyLong(file *ast.File) bool {
	head := file.End()
	if len(file.Decls) > 0 {
		head = file.Decls[0].Pos()
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			why, ok := strings.CutPrefix(c.Text, "// Length:")
			if ok && c.Pos() < head && len(strings.TrimSpace(why)) >= minReason {
				return true
			}
		}
	}
	return false
}

var emptyName = regexp.MustCompile(`^(.*utils?|commons?|helpers?|misc)$`)

// checkNames finds packages whose name says nothing about what is in them.
func checkNames(t *tree) (findings []string) {
	for _, s := range t.sources {
		name := strings.TrimSuffix(s.file.Name.Name, "_test")
		if emptyName.MatchString(name) || emptyName.MatchString(path.Base(s.dir())) {
			findings = append(findings, fmt.Sprintf("%s: package %s in %s: name it after what it has",
				t.at(s, s.file.Package), name, s.dir()))
		}
	}
	return findings
}

// A symbol is an exported name of a package: a type, function, variable, constant, or a method of a
// type or interface.
type symbol struct {
	name       string // Name or Type.Method
	function   bool   // or a method
	pos        token.Pos
	documented bool
}

func documented(groups ...*ast.CommentGroup) bool {
	return slices.ContainsFunc(groups, func(g *ast.CommentGroup) bool { return strings.TrimSpace(g.Text()) != "" })
}

// symbols lists the exported names that a file declares.
func symbols(file *ast.File) (list []symbol) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			sym := symbol{name: d.Name.Name, function: true, pos: d.Pos(), documented: documented(d.Doc)}
			exported := d.Name.IsExported()
			if d.Recv != nil && len(d.Recv.List) == 1 {
				recv := baseName(d.Recv.List[0].Type)
				sym.name = recv + "." + sym.name
				exported = exported && ast.IsExported(recv)
			}
			if exported {
				list = append(list, sym)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if !spec.Name.IsExported() {
						continue
					}
					alone := len(d.Specs) == 1 && documented(d.Doc)
					list = append(list, symbol{name: spec.Name.Name, pos: spec.Pos(), documented: alone ||
						documented(spec.Doc, spec.Comment)})
					list = append(list, interfaceMethods(spec)...)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							list = append(list, symbol{name: name.Name, pos: name.Pos(),
								documented: documented(d.Doc, spec.Doc, spec.Comment)})
						}
					}
				}
			}
		}
	}
	return list
}

func interfaceMethods(spec *ast.TypeSpec) (list []symbol) {
	face, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, field := range face.Methods.List {
		for _, name := range field.Names { // embedded interfaces have none
			if name.IsExported() {
				list = append(list, symbol{name: spec.Name.Name + "." + name.Name, function: true, pos: name.Pos(),
					documented: documented(field.Doc, field.Comment)})
			}
		}
	}
	return list
}

// baseName is the name of a receiver's type: T of *T and of T[K].
func baseName(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

var getter = regexp.MustCompile(`(^|\.)Get[A-Z]`)

// checkGetters finds exported functions and methods named GetX.
func checkGetters(t *tree) (findings []string) {
	for _, s := range t.sources {
		for _, sym := range symbols(s.file) {
			if !s.test && sym.function && getter.MatchString(sym.name) {
				findings = append(findings,
					fmt.Sprintf("%s: %s: in Go a getter is named after what it returns, without Get", t.at(s, sym.pos),
						sym.name))
			}
		}
	}
	return findings
}

// checkDocComments finds exported symbols that nobody explained.
func checkDocComments(t *tree) (findings []string) {
	for _, s := range t.sources {
		for _, sym := range symbols(s.file) {
			if !s.test && !s.ignored && s.file.Name.Name != "main" && !sym.documented {
				findings = append(findings, fmt.Sprintf("%s: exported %s has no doc comment", t.at(s, sym.pos),
					sym.name))
			}
		}
	}
	return findings
}

// checkExamples finds those of the named packages that exist and have no example with checked
// output.
func checkExamples(t *tree, dirs []string) (findings []string) {
	packages := t.packages()
	for _, dir := range dirs {
		if len(packages[dir]) == 0 {
			continue
		}
		var tests []*ast.File
		for _, s := range t.sources {
			if s.test && s.dir() == dir {
				tests = append(tests, s.file)
			}
		}
		checked := func(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput }
		if !slices.ContainsFunc(doc.Examples(tests...), checked) {
			findings = append(findings, dir+": package has no Example function with an // Output comment")
		}
	}
	return findings
}
