// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// commandLine is a command of the benchmarks or of the program, as documents write it down.
var commandLine = regexp.MustCompile("(?:go run \\.|\\buproar) ([a-z][^`|#)]*)")

// codeOf are the fenced blocks and the spans of code of a document.
var codeOf = regexp.MustCompile("(?s)```.*?```|`[^`]+`")

// checkCommandLines finds command lines in the documents of benchmarks that name a command or a
// flag that does not exist.
func checkCommandLines(t *tree) (findings []string) {
	flags := make(map[string]map[string]bool) // of each command; nil: there is none
	for _, doc := range slices.Sorted(maps.Keys(t.texts)) {
		if path.Dir(doc) != "docs/benchmarks" || path.Ext(doc) != ".md" {
			continue
		}
		text := strings.ReplaceAll(t.texts[doc], "\\\n", "  ")
		for _, at := range codeOf.FindAllStringIndex(text, -1) {
			code := text[at[0]:at[1]]
			if !strings.HasPrefix(code, "```") {
				code = strings.ReplaceAll(code, "\n", " ")
			}
			for line := range strings.Lines(code) {
				m := commandLine.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				command := strings.TrimSpace(m[0])
				name, given := commandWords(m[1], strings.Contains(m[0], "go run"))
				if _, known := flags[name]; !known {
					flags[name] = t.commandFlags(name)
				}
				if flags[name] == nil {
					findings = append(findings, fmt.Sprintf("%s: there is no command %q: %s", doc, name, command))
					continue
				}
				for _, flag := range given {
					if !flags[name][flag] {
						findings = append(findings, fmt.Sprintf("%s: %q has no flag %s: %s", doc, name, flag,
							command))
					}
				}
			}
		}
	}
	return findings
}

// commandWords returns the name of a command, with "bench/" before those of the benchmarks, and the
// flags of a command line.
func commandWords(line string, bench bool) (name string, flags []string) {
	for i, word := range strings.Fields(line) {
		word = strings.Trim(word, "[]")
		switch {
		case strings.HasPrefix(word, "-") && strings.ContainsFunc(word, unicode.IsLetter):
			word, _, _ = strings.Cut(word, "=")
			flags = append(flags, word)
		case i == 0 && bench:
			name = "bench/" + word
		case i == 0, i == 1 && (name == "bench" || name == "import") && len(flags) == 0:
			name = strings.TrimSpace(name + " " + word)
		}
	}
	return name, flags
}

// commandFlags returns the flags of a command, with their dashes, or nil if there is no command of
// that name.
func (t *tree) commandFlags(name string) map[string]bool {
	word, bench := strings.CutPrefix(name, "bench/")
	files := t.packages()["cmd/uproar"]
	if bench {
		dir := t.benchmarkDir(word)
		if dir == "" {
			return nil
		}
		files = t.types().benchmarks[dir]
	}
	var of strings.Builder // a struct of flags
	for i, part := range strings.Fields(word + " command") {
		if i > 0 {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		of.WriteString(part)
	}
	flags := map[string]bool{"-h": true, "--help": true}
	if t.structFlags(files, of.String(), flags) || !bench && t.grammarFlags(files, word, flags) {
		return flags
	}
	if !bench {
		return nil
	}
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || fmt.Sprint(method.X) != "f" || len(call.Args) < 3 { // f is the set of flags
				return true
			}
			for _, arg := range call.Args[:2] {
				if text, ok := arg.(*ast.BasicLit); ok {
					name, _ := strconv.Unquote(text.Value)
					flags["-"+name], flags["--"+name] = true, true
					break
				}
			}
			return true
		})
	}
	return flags
}

// grammarFlags adds the flags of a command whose type is of another package, as the grammar of the
// command line names it. It reports whether there is such a command.
func (t *tree) grammarFlags(files []*source, word string, flags map[string]bool) (found bool) {
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "cli" {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				if _, other := field.Type.(*ast.SelectorExpr); other && strings.ToLower(field.Names[0].Name) == word {
					found = true
					t.fieldFlags(files, &ast.Field{Type: field.Type}, flags)
				}
			}
			return false
		})
	}
	return found
}

// benchmarkDir returns the folder of a command of the benchmarks, or "".
func (t *tree) benchmarkDir(word string) (dir string) {
	for _, s := range t.types().benchmarks["bench"] {
		ast.Inspect(s.file, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, isText := pair.Key.(*ast.BasicLit)
			function, isSelector := pair.Value.(*ast.SelectorExpr)
			if isText && isSelector && key.Value == strconv.Quote(word) {
				dir = "bench/" + fmt.Sprint(function.X)
			}
			return true
		})
	}
	return dir
}

// structFlags adds the flags that the fields of a struct are, and reports whether there is such a
// struct. Types of other packages that it embeds are looked for in the packages of all commands.
func (t *tree) structFlags(files []*source, name string, flags map[string]bool) (found bool) {
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			of, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			found = true
			for _, field := range of.Fields.List {
				t.fieldFlags(files, field, flags)
			}
			return false
		})
	}
	return found
}

func (t *tree) fieldFlags(files []*source, field *ast.Field, flags map[string]bool) {
	var tag reflect.StructTag
	if field.Tag != nil {
		text, _ := strconv.Unquote(field.Tag.Value)
		tag = reflect.StructTag(text)
	}
	_, embed := tag.Lookup("embed")
	if len(field.Names) == 0 || embed {
		switch of := field.Type.(type) {
		case *ast.Ident:
			t.structFlags(files, of.Name, flags)
		case *ast.SelectorExpr:
			dir := fmt.Sprint(of.X)
			t.structFlags(append(t.types().benchmarks["bench/"+dir], t.packages()["cmd/uproar/"+dir]...), of.Sel.Name,
				flags)
		}
		return
	}
	for _, name := range field.Names {
		long := strings.Join(nameParts(name.Name), "-")
		if renamed := tag.Get("name"); renamed != "" {
			long = renamed
		}
		flags["--"+long], flags["--no-"+long] = true, true
		if short := tag.Get("short"); short != "" {
			flags["-"+short] = true
		}
	}
}
