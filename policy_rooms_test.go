// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"io/fs"
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
	".":          {6100, "the database: each file is what users call, over the rooms of internal; schema and backup are its own"},
	"cmd/uproar": {4900, "its commands, one file each"},
}

// literal is a text in quotes that cannot be broken without hurting it.
var literal = regexp.MustCompile(`"(\\.|[^"\\]){50,}"`)

// checkColumns finds lines that are too long to be read beside others. Raw strings, long literals,
// tables in comments and the output of examples are as long as they are.
func checkColumns(t *tree) (findings []string) {
	for _, s := range t.sources {
		if ast.IsGenerated(s.file) {
			continue
		}
		raw, output := false, false
		for i, line := range strings.Split(s.text, "\n") {
			text := strings.TrimSpace(line)
			inRaw := raw || strings.Contains(line, "`")
			if strings.Count(line, "`")%2 == 1 {
				raw = !raw
			}
			comment := strings.HasPrefix(text, "//")
			output = comment && (output || strings.HasPrefix(text, "// Output:"))
			most := codeColumns
			if comment {
				most = commentColumns
			}
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if columns <= most || inRaw || output || literal.MatchString(line) || strings.HasPrefix(text, "//\t") ||
				strings.HasPrefix(text, "//go:") || comment && strings.Contains(text, "://") {
				continue
			}
			findings = append(findings, fmt.Sprintf("%s:%d: has %d columns, want at most %d", s.path, i+1, columns,
				most))
		}
	}
	return findings
}

// checkRooms finds packages that are too large to be known by one person, and types with too many
// methods or fields.
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

// oldWords are the private words that the field's words have taken the place of, each where it was
// used (docs/design/vocabulary.md). Nothing that is declared there has such a name.
var oldWords = map[string]*regexp.Regexp{
	"": regexp.MustCompile(`(?i)^(company|graves|chunkWriter|keytable|nearkeys|columncode|muster|enroll|disband|` +
		`disperse|strider|squeeze|placeshort|dialects?2|longCalls|wayOf)$`),
	"internal/posting": regexp.MustCompile(`(?i)^(bell|tiers?|layers?|removals|spool|sayings?|matchings?|` +
		`corrections?|meetings?|goUnder|goOver|upto|recall|persist|relieve)$`),
	"internal/roaring": regexp.MustCompile(`(?i)^(crowds?|outlet|tight|revise|thin|certain|deferred|composition|` +
		`absent|leap|accumulate|mirror)$`),
	"internal/eval": regexp.MustCompile(`(?i)^(pace|owe|leap|joints?)$`),
	"server":        regexp.MustCompile(`(?i)^(turns|asking|strictness|dismiss|tally)$`),
}

// checkOldWords finds names of the private vocabulary: of files and of what is declared.
func checkOldWords(t *tree) (findings []string) {
	for _, s := range t.sources {
		if s.test || strings.HasPrefix(s.path, "bench/") {
			continue
		}
		old := func(name string) bool {
			for dir, words := range oldWords {
				if (dir == "" || strings.HasPrefix(s.path, dir+"/")) && words.MatchString(name) {
					return true
				}
			}
			return false
		}
		if name := strings.TrimSuffix(path.Base(s.path), ".go"); old(name) {
			findings = append(findings, fmt.Sprintf("%s: is named %q; docs/design/vocabulary.md has the field's word",
				s.path, name))
		}
		for _, id := range declared(s.file) {
			if old(id.Name) {
				findings = append(findings, fmt.Sprintf("%s: %s: docs/design/vocabulary.md has the field's word",
					t.at(s, id.Pos()), id.Name))
			}
		}
	}
	return findings
}

// declared returns the names of the functions, methods, types, fields, constants and variables that
// a file declares outside of functions.
func declared(file *ast.File) (names []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				case *ast.TypeSpec:
					names = append(names, spec.Name)
					if of, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range of.Fields.List {
							names = append(names, field.Names...)
						}
					}
				}
			}
		}
	}
	return names
}

// checkTree finds packages that CONTRIBUTING's tree does not show.
func checkTree(t *tree) (findings []string) {
	guide := t.texts["CONTRIBUTING.md"]
	shown := make(map[string]bool)
	var above []string
	for _, line := range strings.Split(guide, "\n") {
		at := strings.IndexAny(line, "├└")
		if at < 0 {
			continue
		}
		depth := utf8.RuneCountInString(line[:at]) / 4
		above = above[:min(depth, len(above))]
		names := strings.Fields(strings.TrimLeft(line[at:], "├└─│ "))
		parent := strings.Join(above, "")
		for i, name := range names {
			if !strings.HasSuffix(name, "/") {
				break
			}
			if open, list, ok := strings.Cut(strings.TrimSuffix(name, "/"), "{"); ok {
				for _, part := range strings.Split(strings.TrimSuffix(list, "}"), ",") {
					shown[parent+open+part] = true
				}
				continue
			}
			shown[parent+strings.TrimSuffix(name, "/")] = true
			if i == 0 {
				above = append(above, name)
			}
		}
	}
	missing := make(map[string]bool)
	for _, s := range t.sources {
		dir := path.Dir(s.path)
		first, _, _ := strings.Cut(dir, "/")
		if dir != "." && !s.test && !s.ignored && !shown[dir] && first != "bench" && first != "cmd" {
			missing[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(missing)) {
		findings = append(findings, fmt.Sprintf("CONTRIBUTING.md: its tree does not show %s/", dir))
	}
	return findings
}

// sourceFile is a source file of this module that a document names.
var sourceFile = regexp.MustCompile("`((?:[a-z_]+/)+[A-Za-z0-9_]+\\.(?:go|s))`")

// checkNamedFiles finds files that documents name and that do not exist.
func checkNamedFiles(t *tree) (findings []string) {
	for _, doc := range slices.Sorted(maps.Keys(t.texts)) {
		if !strings.HasSuffix(doc, ".md") {
			continue
		}
		for i, line := range strings.Split(t.texts[doc], "\n") {
			for _, name := range sourceFile.FindAllStringSubmatch(line, -1) {
				if _, err := fs.Stat(t.fsys, name[1]); err != nil {
					findings = append(findings, fmt.Sprintf("%s:%d: names %s, which does not exist", doc, i+1, name[1]))
				}
			}
		}
	}
	return findings
}
