// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// oldWords are private words that the words of the field have replaced (docs/design/vocabulary.md).
// The key is the folder in which they were used; "" is everywhere. No file and no declaration, in
// tests as well, has one as a part of its name: in "rowTiers", the parts are "row" and "tiers".
// Some old words are two parts together. Those of ordinaryWords are old everywhere as well, but for
// the names that ordinaryUses lists.
var oldWords = map[string]string{
	"": `company companies bell bells graves chunk.writer keytable nearkeys columncode key.table near.keys column.code
		muster musters enroll disband disperse strider striders squeeze squeezed outlet solo solos sololong placeshort
		long.calls way.of spool unspool persist relieve go.under go.over upto recall strictness`,
	"internal/posting": `tier tiers layer layers removal removals guide guides meeting meetings saying sayings matching
		matchings correction corrections look.at expand settle settled feed holds late keep keeps install output
		sweep press forward head lookups`,
	"internal/roaring": `crowd crowds plain tight apart beside rooms revise thin made work flat deferred certain
		composition gather neighbour tally place leap accumulate narrow within mirror`,
	"internal/eval": `pace owe settle leap joint joints`,
	"bitmap": `crowd crowds plain tight apart beside rooms revise thin made work flat deferred certain
		composition gather neighbour tally place leap accumulate narrow within mirror`,
	"bench":  `settle settled tier tiers narrow gather crowd tally`,
	"server": `turns dialect dialects asking answering tally dismiss`,
	"apps":   `settle`,
	"cmd":    `settled`,
}

// ordinaryNames are names in which an old word has an ordinary meaning, anywhere or in a package.
var ordinaryNames = map[string]string{
	"TestKeepAllLog":                     "a test says what holds",
	"TestOldSnapshotsKeepOnlyTheirPages": "likewise",
	"TestOrphansKeepTheirGenerations":    "likewise",
	"TestLevelsKeepGreatestIDs":          "likewise",
	"TestCacheKeepsWhatIsAsked":          "likewise",
	"TestFewIntoManyInPlace":             "in place",
	"TestInPlaceAlgebra":                 "in place",
	"maxGatherLow":                       "the instruction that gathers",
	"sweepLimit":                         "a sweep over runs, of computational geometry",
	"internal/roaring/eliasfano.gather":  "likewise",
	"bitmap/bsi.Within":                  "public: the integers of the records within a set",
	"bitmap/bsi.ExampleView_Within":      "likewise",
	"bitmap/bsi.within":                  "likewise, in its tests",
	"TestLoadBesideWriters":              "a preposition",
	"TestMergedGetBesidePut":             "likewise",
	"TestDropFieldBesideLoad":            "likewise",
	"TestDeleteBesideLoad":               "likewise",
	"TestFreshKeysBesideWriters":         "likewise",
}

// oldWordPatterns are the words of oldWords as they are looked for in parts of a name.
var oldWordPatterns = func() map[string]*regexp.Regexp {
	patterns := make(map[string]*regexp.Regexp)
	for dir, words := range oldWords {
		words = strings.ReplaceAll(strings.Join(strings.Fields(words), "|"), ".", " ")
		patterns[dir] = regexp.MustCompile(` (` + words + `) `)
	}
	return patterns
}()

// checkOldWords finds names of the private vocabulary: of files and of what is declared, in Go and
// in assembly, benchmarks included.
func checkOldWords(t *tree) (findings []string) {
	declared := make(map[string]map[string]bool) // by folder
	note := func(file, name string) {
		dir := path.Dir(file)
		if declared[dir] == nil {
			declared[dir] = make(map[string]bool)
		}
		declared[dir][name] = true
	}
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		ext := path.Ext(p)
		if ext != ".go" && ext != ".s" && ext != ".h" {
			continue
		}
		name := strings.TrimSuffix(path.Base(p), ext)
		note(p, name)
		if word := oldWordIn(p, name); word != "" {
			findings = append(findings, fmt.Sprintf("%s: is named %q; docs/design/vocabulary.md has the field's word "+
				"for %q", p, name, word))
		}
		if ext == ".go" {
			continue
		}
		told := make(map[string]bool)
		for i, line := range strings.Split(t.texts[p], "\n") {
			m := assemblyName.FindStringSubmatch(line)
			if m == nil || told[m[1]] {
				continue
			}
			note(p, m[1])
			if word := oldWordIn(p, m[1]); word != "" {
				told[m[1]] = true
				findings = append(findings, fmt.Sprintf("%s:%d: %s: docs/design/vocabulary.md has the field's word for %q",
					p, i+1, m[1], word))
			}
		}
	}
	sources := slices.Clone(t.sources)
	for _, dir := range slices.Sorted(maps.Keys(t.types().benchmarks)) {
		sources = append(sources, t.types().benchmarks[dir]...)
	}
	for _, s := range sources {
		for _, id := range declaredNames(s.file) {
			note(s.path, id.Name)
			if word := oldWordIn(s.path, id.Name); word != "" {
				findings = append(findings, fmt.Sprintf("%s: %s: docs/design/vocabulary.md has the field's word for %q",
					t.at(s, id.Pos()), id.Name, word))
			}
		}
	}
	if t.source("policy_ordinarywords_test.go") != nil { // not in a tree that is made up
		findings = append(findings, unusedOrdinary(declared)...)
	}
	return findings
}

// assemblyName is a function, data, a macro or a label of assembly.
var assemblyName = regexp.MustCompile(`^(?:(?:TEXT|GLOBL|DATA|#define)\s+·?)?(\w+)`)

// oldWordIn returns the old word that a name in a file has as a part, or "".
func oldWordIn(file, name string) string {
	if ordinaryNames[name] != "" || ordinaryNames[path.Dir(file)+"."+name] != "" {
		return ""
	}
	parts := " " + strings.Join(nameParts(name), " ") + " "
	for dir, words := range oldWordPatterns {
		if found := words.FindStringSubmatch(parts); found != nil && strings.HasPrefix(file, dir) {
			return found[1]
		}
	}
	if found := ordinaryPattern.FindStringSubmatch(parts); found != nil &&
		!slices.Contains(ordinaryNamesOf[path.Dir(file)], name) {
		return found[1]
	}
	return ""
}

// nameParts returns the words of a name in lower case: "row" and "tiers" of "rowTiers".
func nameParts(name string) (parts []string) {
	letters := []rune(name)
	from := 0
	for i := range letters {
		next := i + 1
		ends := next == len(letters)
		if !ends {
			a, b := letters[i], letters[next]
			ends = a == '_' || b == '_' || unicode.IsDigit(a) != unicode.IsDigit(b) ||
				unicode.IsLower(a) && unicode.IsUpper(b) || unicode.IsUpper(a) && unicode.IsUpper(b) &&
				next+1 < len(letters) && unicode.IsLower(letters[next+1])
		}
		if ends {
			parts = append(parts, strings.ToLower(string(letters[from:next])))
			from = next
		}
	}
	return parts
}

// declaredNames returns every name that a file declares: of functions, methods, types, fields,
// parameters, constants, variables and labels, at any depth.
func declaredNames(file *ast.File) (names []*ast.Ident) {
	take := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && id != nil {
				names = append(names, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
		case *ast.Field: // of a struct or an interface, a parameter, a result or a receiver
			names = append(names, n.Names...)
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				take(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				take(n.Key, n.Value)
			}
		case *ast.LabeledStmt:
			names = append(names, n.Label)
		case *ast.ImportSpec:
			if n.Name != nil {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names
}

// TestPolicyFindsOldWords plants old words in names of all kinds.
func TestPolicyFindsOldWords(t *testing.T) {
	const posting, word = "internal/posting/delta/a.go", "docs/design/vocabulary.md has the field's word for "
	for _, planted := range []struct{ where, decls, want string }{
		{posting, "type rowTiers int\n", `rowTiers: ` + word + `"tiers"`},
		{posting, "func f() { maxTier := 1; _ = maxTier }\n", `maxTier: ` + word + `"tier"`},
		{posting, "func f(goUnder int) {}\n", `goUnder: ` + word + `"go under"`},
		{posting, "func f() (x int) { for layer := range x { _ = layer }; return }\n", `layer: ` + word + `"layer"`},
		{posting, "type t interface{ LookAt() }\n", `LookAt: ` + word + `"look at"`},
		{"internal/roaring/pair/a_test.go", "func TestPlainLists() {}\n", `TestPlainLists: ` + word + `"plain"`},
		{"internal/roaring/pair/solo.go", "", `is named "solo"`},
		{"query/a.go", "func (chunkWriter) f() {}\ntype chunkWriter int\n", `chunkWriter: ` + word + `"chunk writer"`},
		{"server/a.go", "const theTurns = 1\n", `theTurns: ` + word + `"turns"`},
		{"query/a.go", "func retired() { soloist, rooms := 1, 2; _ = soloist + rooms }\n", ""},
		{"bitmap/bsi/a.go", "func (p plan) gather() {}\ntype plan int\n", `gather: ` + word + `"gather"`},
		{"bitmap/bsi/a.go", "func (v View) Within() {}\ntype View int\n", ""},
		{"bench/a.go", "func narrowWords() {}\n", `narrowWords: ` + word + `"narrow"`},
		{"server/a.go", "var layers, headers, keeper int\n", ""},
	} {
		tr := cleanTree().with(sourceTree{planted.where: goFile("", path.Base(path.Dir(planted.where)), nil,
			planted.decls)}).load(t)
		findings := checkOldWords(tr)
		if (planted.want == "") != (len(findings) == 0) || planted.want != "" && !slices.ContainsFunc(findings,
			func(f string) bool { return strings.Contains(f, planted.want) }) {
			t.Errorf("%s: %q: got %q, want %q", planted.where, planted.decls, findings, planted.want)
		}
	}
	for _, text := range []string{"TEXT ·narrowWords(SB), NOSPLIT, $0", "#define NARROW(a) \\", "narrow:",
		"\nTEXT narrow<>(SB)"} {
		const file = "internal/roaring/kernel/array/a_amd64.s"
		findings := checkOldWords(cleanTree().with(sourceTree{file: text + "\n\tRET\n"}).load(t))
		if len(findings) != 1 || !strings.Contains(strings.ToLower(findings[0]), `narrow`) {
			t.Errorf("%q: got %q, want it found", text, findings)
		}
	}
}
