// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	codeColumns    = 120 // with tabs of four
	commentColumns = 100
	maxRoomLines   = 4000 // of a package, without its tests
	maxFields      = 25
	maxMethods     = 45
)

// largeRooms are the packages that are above maxRoomLines, each with what it may have at most and
// the reason. A number here may only fall.
var largeRooms = map[string]struct {
	lines int
	why   string
}{
	"cmd/uproar": {4900, "its commands, one file each"},
}

// literal is a text in quotes that cannot be broken without hurting it.
var literal = regexp.MustCompile(`"(\\.|[^"\\]){50,}"`)

// minRaw is the length from which on what a line has of a raw string excuses it.
const minRaw = 50

// checkColumns finds lines that are too long to be read beside others. Raw strings, tags of fields,
// long literals, tables in comments and the output of examples are as long as they are.
func checkColumns(t *tree) (findings []string) {
	for _, s := range t.sources {
		if ast.IsGenerated(s.file) {
			continue
		}
		output, raw := false, t.rawLines(s)
		for i, line := range strings.Split(s.text, "\n") {
			text := strings.TrimSpace(line)
			comment := strings.HasPrefix(text, "//")
			output = comment && (output || strings.HasPrefix(text, "// Output:"))
			most := codeColumns
			if comment {
				most = commentColumns
			}
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if columns <= most || raw[i+1] || output || literal.MatchString(line) || strings.HasPrefix(text, "//\t") ||
				strings.HasPrefix(text, "//go:") || comment && strings.Contains(text, "://") {
				continue
			}
			findings = append(findings, fmt.Sprintf("%s:%d: has %d columns, want at most %d", s.path, i+1, columns,
				most))
		}
	}
	return findings
}

// rawLines returns which lines of a file have much of a raw string: it cannot be broken.
func (t *tree) rawLines(s *source) map[int]bool {
	lines := make(map[int]bool)
	ast.Inspect(s.file, func(n ast.Node) bool {
		if of, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(of.Value, "`") {
			first := t.fset.Position(of.Pos()).Line
			for i, part := range strings.Split(of.Value, "\n") {
				lines[first+i] = lines[first+i] || utf8.RuneCountInString(part) >= minRaw
			}
		}
		return true
	})
	return lines
}

// checkRooms finds packages that are too large for one person to know. It also finds types with too
// many methods or fields.
func checkRooms(t *tree) (findings []string) {
	lines := make(map[string]int)
	methods, fields := make(map[string]int), make(map[string]int)
	for _, s := range t.sources {
		dir := path.Dir(s.path)
		if s.test || s.ignored || strings.HasPrefix(dir, "bench") {
			continue
		}
		lines[dir] += strings.Count(s.text, "\n")
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[dir+"."+receiver(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok {
						if of, ok := named.Type.(*ast.StructType); ok {
							fields[dir+"."+named.Name.Name] += fieldsOf(of)
						}
					}
				}
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(lines)) {
		most := max(maxRoomLines, largeRooms[dir].lines)
		if lines[dir] > most {
			findings = append(findings,
				fmt.Sprintf("package %s: has %d lines without its tests, want at most %d: cut it",
					dir, lines[dir], most))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		if methods[name] > maxMethods {
			findings = append(findings, fmt.Sprintf("type %s: has %d methods, want at most %d", name, methods[name],
				maxMethods))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name] > maxFields {
			findings = append(findings, fmt.Sprintf("type %s: has %d fields, want at most %d", name, fields[name],
				maxFields))
		}
	}
	return findings
}

// fieldsOf returns how many fields a type has, those of types without a name within it included.
func fieldsOf(of *ast.StructType) (n int) {
	ast.Inspect(of, func(in ast.Node) bool {
		if in, ok := in.(*ast.StructType); ok {
			n += in.Fields.NumFields()
		}
		return true
	})
	return n
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	for {
		switch of := e.(type) {
		case *ast.StarExpr:
			e = of.X
		case *ast.IndexExpr:
			e = of.X
		case *ast.IndexListExpr:
			e = of.X
		case *ast.Ident:
			return of.Name
		default:
			return ""
		}
	}
}
