// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// A sourceTree is a made-up module: path → content.
type sourceTree map[string]string

// with returns the tree with some files added or replaced.
// with returns the files of both trees. One without text is taken away.
func (s sourceTree) with(files sourceTree) sourceTree {
	sum := maps.Clone(s)
	maps.Copy(sum, files)
	maps.DeleteFunc(sum, func(_, text string) bool { return text == "" })
	return sum
}

func (s sourceTree) load(t *testing.T) *tree {
	t.Helper()
	fsys := make(fstest.MapFS)
	for p, text := range s {
		fsys[p] = &fstest.MapFile{Data: []byte(text)}
	}
	tr, err := loadTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// goFile returns a file that follows every rule, with some imports and declarations.
func goFile(doc, name string, imports []string, decls string) string {
	var b strings.Builder
	b.WriteString(spdxHeader + doc + "package " + name + "\n")
	for _, im := range imports {
		fmt.Fprintf(&b, "import _ %q\n", im)
	}
	return b.String() + decls
}

const (
	examplePath  = "example.org/m"
	packageDoc   = "// Package %s is made up. It has two sentences.\n"
	exampleUse   = "func Example() {\n\t// Output:\n}\n"
	exampleGoMod = "module " + examplePath + "\n"
)

// importPath is how a made-up file imports a folder of its module.
func importPath(dir string) string {
	if dir == "." {
		return examplePath
	}
	return examplePath + "/" + dir
}

// cleanTree is a made-up module with the packages of the design that follows every rule.
func cleanTree() sourceTree {
	tree := sourceTree{
		"go.mod":    exampleGoMod,
		"README.md": "[the guide](docs/guide.md#start) and [elsewhere](https://example.org/root/x)\n",
		"docs/guide.md": "# Start\n[back](../README.md \"home\") [here](#start) " +
			"`[code](nowhere.md)` [one](#in-wide_ids-größe)\n```\n[code](nowhere.md)\n```\n" +
			"## `in`, [wide_ids](../README.md): Größe ##\n",
		"CHANGELOG.md":    "# Changelog\n\n## Unreleased\n\n- [FEATURE] bitmap: is made up.\n",
		"peers/go.mod":    "module example.org/peers\n",
		"peers/peers.go":  "package util\n",
		"testdata/bad.go": "this is not Go",
		"_gen/gen.go":     "package helpers\n",
		"bitmap/make.go": strings.Replace(goFile("", "main", []string{"net/http"}, ""), "package",
			"//go:build ignore\n\npackage", 1),
	}
	for _, dir := range []string{".", "bitmap", "bitmap/bsi", "bitmap/interop", "internal/roaring",
		"internal/roaring/container", "internal/roaring/eliasfano", "internal/roaring/cpu",
		"internal/roaring/kernel/swar", "internal/roaring/kernel/bitset", "internal/roaring/kernel/array",
		"internal/roaring/kernel/run", "internal/roaring/kernel/sorted", "internal/roaring/kernel/column",
		"internal/roaring/kernel/kerneltest",
		"internal/roaring/view", "internal/roaring/pack", "internal/roaring/mutable", "internal/roaring/pair",
		"internal/roaring/roaringtest",
		"internal/seal", "internal/golden", "internal/trace", "server/tracing",
		"internal/sentinel", "internal/processor", "internal/hugepage", "internal/table", "internal/value",
		"internal/descriptor", "internal/prefetch", "internal/extsort", "store", "store/groupcommit", "store/storetest",
		"store/ship", "store/ship/shiptest", "store/ship/check", "store/ship/folder", "store/ship/blob",
		"store/ship/cql",
		"store/memstore", "store/bboltstore", "store/pebblestore", "store/pebblestore/internal/disk",
		"store/pebblestore/internal/inspect", "internal/posting/model",
		"internal/posting/format", "internal/posting/manifest", "internal/posting/exported", "internal/posting/wal",
		"internal/posting/pagecache", "internal/posting/memory", "internal/posting/versions", "internal/posting/intern",
		"internal/posting/delta", "internal/posting/overlay", "internal/posting/reader", "internal/posting/merge",
		"internal/posting/load", "internal/posting/verify", "internal/posting", "query",
		"internal/eval/rowcount", "internal/eval/ranking", "internal/eval/crosstab", "internal/eval/evaltest",
		"internal/eval", "internal/schema", "internal/binding", "internal/listing", "internal/dump", "internal/salvage",
		"internal/export", "internal/dependents", "internal/spelling", "internal/tolerance",
		"api", "apps/graph", "apps/graph/likes", "apps/graph/live", "apps/graph/live/livetest", "apps/graph/live/wire",
		"apps/standing", "server", "server/transport", "server/call",
		"server/streaming", "server/replica", "server/upload",
		"server/graphapi", "server/likesapi",
		"server/audienceapi", "server/catalogapi", "server/indexapi", "server/recordapi",
		"server/standingapi", "server/console", "server/compat/graphd", "server/compat/prices", "server/compat/rsky",
		"server/compat/constellation",
		"server/resp/wire", "server/resp/names", "server/resp/expiry", "server/resp/keyspace", "server/resp",
		"client"} {
		name := path.Base(dir)
		if dir == "." {
			name = "uproar"
		}
		if dir != "." {
			tree["CONTRIBUTING.md"] += "├── " + dir + "/\n"
		}
		tree[path.Join(dir, "doc.go")] = goFile(fmt.Sprintf(packageDoc, name), name, nil, "")
		tree[path.Join(dir, "example_test.go")] = goFile("", name+"_test", []string{importPath(dir)}, exampleUse)
	}
	tree["CONTRIBUTING.md"] += "├── cmd/uproar/\n"
	tree["cmd/uproar/main.go"] = goFile("// Uproar is a made-up program. It has two sentences.\n", "main", nil, "")
	return tree
}

func TestPolicyAcceptsCleanTree(t *testing.T) {
	tr := cleanTree().load(t)
	for _, check := range policyChecks {
		for _, finding := range check.run(tr) {
			t.Errorf("%s: %s", check.name, finding)
		}
	}
}

// TestPolicyFindsViolations feeds every check with what it must find.
func TestPolicyFindsViolations(t *testing.T) {
	mention := func(dir string) string { return goFile("", "made", []string{importPath(dir)}, "") }
	decl := func(text string) sourceTree {
		return sourceTree{"internal/eval/made.go": goFile("", "eval", nil, text)}
	}
	cases := []struct {
		check, name string
		files       sourceTree
		want        string // part of the only finding
	}{
		{"arrows", "over a package", sourceTree{"a.go": mention("internal/x"),
			"internal/x/x.go": mention("store/memstore")},
			"a.go:5: . → internal/x → store/memstore"},
		{"arrows", "of some systems", sourceTree{"server/transport/a.go": strings.Replace(mention("api"), "package",
			"//go:build (amd64 || arm64) && !purego\n\npackage", 1)}, "server/transport/a.go:7: server/transport → api"},
		{"arrows", "use", sourceTree{"internal/eval/a.go": spdxHeader +
			"package eval\nimport \"os\"\nvar _ = os.Args\n"}, "internal/eval/a.go:6: internal/eval → os.Args"},
		{"arrows", "renamed use", sourceTree{"internal/eval/a.go": spdxHeader +
			"package eval\nimport system \"os\"\nvar _ = system.Args\n"}, "internal/eval → os.Args"},
		{"arrows", "dot use", sourceTree{"internal/eval/a.go": spdxHeader +
			"package eval\nimport . \"os\"\nvar _ = Args\n"}, "internal/eval → os.Args"},
		{"arrows", "lock", sourceTree{"internal/posting/delta/a.go": spdxHeader +
			"package delta\nimport \"sync\"\nvar _ sync.Mutex\n"}, "internal/posting/delta → sync.Mutex"},
		{"arrows", "once", sourceTree{"internal/posting/delta/a.go": spdxHeader +
			"package delta\nimport \"sync\"\nvar _ sync.Once\n"}, "internal/posting/delta → sync.Once"},
		{"arrows", "map with a lock", sourceTree{"internal/posting/overlay/a.go": spdxHeader +
			"package overlay\nimport \"sync\"\nvar _ sync.Map\n"}, "internal/posting/overlay → sync.Map"},
		{"arrows", "channel", sourceTree{"internal/posting/overlay/a.go": goFile("", "overlay", nil,
			"var _ chan int\n")},
			"internal/posting/overlay → chan"},
		{"arrows", "use over a package", sourceTree{"a.go": mention("internal/x"),
			"internal/x/x.go": goFile("", "x", []string{"flag"}, "")},
			"a.go:5: . → internal/x → flag"},
		{"subjects", "package of a rule is gone", sourceTree{"query/doc.go": "", "query/example_test.go": ""},
			"there is no package query"},
		{"header", "no header", sourceTree{"internal/eval/a.go": "package eval\n"},
			"internal/eval/a.go:1: does not begin"},
		{"header", "header glued to the package", sourceTree{"internal/eval/a.go": strings.TrimSuffix(spdxHeader,
			"\n") + "package eval\n"}, "internal/eval/a.go:1: does not begin"},
		{"header", "header below the build tag", sourceTree{"internal/eval/a_test.go": "//go:build linux\n\n" +
			spdxHeader + "package eval\n"}, "internal/eval/a_test.go:1: does not begin"},
		{"package comment", "none", sourceTree{"internal/eval/doc.go": goFile("", "eval", nil, "")},
			"internal/eval: package eval has 0 package comments"},
		{"package comment", "two", sourceTree{"internal/eval/a.go": goFile(fmt.Sprintf(packageDoc, "eval"), "eval", nil,
			"")}, "internal/eval: package eval has 2 package comments"},
		{"package comment", "other name", sourceTree{"internal/eval/doc.go": goFile(fmt.Sprintf(packageDoc,
			"evaluation"), "eval", nil, "")}, "internal/eval/doc.go:4: package comment begins"},
		{"package comment", "short", sourceTree{"internal/eval/doc.go": goFile("// Package eval evaluates.\n", "eval",
			nil, "")}, "is shorter than two sentences"},
		{"package comment", "program", sourceTree{"cmd/uproar/main.go": goFile("// Package main is made up. It has "+
			"two sentences.\n", "main", nil, "")}, "cmd/uproar/main.go:4: package comment begins"},
		{"length", "long", decl(strings.Repeat("\n", maxLines)), "internal/eval/made.go:501: has 504 lines"},
		{"length", "reason too short", decl("// Length: long\n" + strings.Repeat("\n", maxLines)),
			"internal/eval/made.go:501: has 505 lines"},
		{"length", "reason too late", decl("var x = 1\n// Length: one table, which reads best in one piece.\n" +
			strings.Repeat("\n", maxLines)), "internal/eval/made.go:501"},
		{"columns", "code", decl("var x = 1 +" + strings.Repeat(" 1 +", 30) + " 1\n"), "columns, want at most 120"},
		{"columns", "code beside a raw string", decl("var x, y = 1 +" + strings.Repeat(" 1 +", 30) + " 1, `y`\n"),
			"columns, want at most 120"},
		{"columns", "names in a comment", decl("// " + strings.Repeat("`word` ", 15) + "\n"),
			"columns, want at most 100"},
		{"columns", "comment", decl("// " + strings.Repeat("word ", 20) + "\n"), "columns, want at most 100"},
		{"columns", "code beside a long literal", decl("var x, y = 1 +" + strings.Repeat(" 1 +", 30) + " 1, \"" +
			strings.Repeat("y", minUnbroken) + "\"\n"), "has 138 columns, want at most 120"},
		{"columns", "a field beside its tag", decl("type t struct {\n\tf map[string]" + strings.Repeat("[]", 60) +
			"int `help:\"" + strings.Repeat("y", 300) + "\"`\n}\n"), "columns, want at most 120"},
		{"columns", "words beside an address", decl("// https://example.org/ " + strings.Repeat("word ", 20) + "\n"),
			"columns, want at most 100"},
		{"columns", "comment between stars", decl("/*\n" + strings.Repeat("word ", 21) + "\n*/\n"),
			"columns, want at most 100"},
		{"columns", "indented comment", decl("//\t" + strings.Repeat("word ", 25) + "\n"),
			"columns, want at most 120"},
		{"columns", "code that says to be generated", decl("// Code generated by hand. DO NOT EDIT.\n\nvar x = 1 +" +
			strings.Repeat(" 1 +", 30) + " 1\n"), "columns, want at most 120"},
		{"rooms", "lines", sourceTree{"query/a.go": goFile("", "query", nil, strings.Repeat("\n", maxRoomLines))},
			"package query: has"},
		{"rooms", "methods", decl("type t int\n" + countedTo(maxMethods+1, "func (t) m%d() {}\n")),
			"type internal/eval.t: has 46 methods"},
		{"rooms", "fields", decl("type t struct {\n" + countedTo(maxFields+1, "\tf%d int\n") + "}\n"),
			"type internal/eval.t: has 26 fields"},
		{"rooms", "nested fields", decl("type t struct {\n\ta []struct {\n" + countedTo(maxFields, "\tf%d int\n") +
			"}\n}\n"), "type internal/eval.t: has 26 fields"},
		{"rooms", "embedded fields", decl("type in struct {\n" + countedTo(maxFields, "\tf%d int\n") +
			"}\ntype t struct {\n\t*in\n}\n"), "type internal/eval.t: has 26 fields"},
		{"rooms", "embedded methods", decl("type in int\n" + countedTo(maxMethods, "func (*in) m%d() {}\n") +
			"type t struct{ in }\nfunc (t) own() {}\n"), "type internal/eval.t: has 46 methods"},
		{"rooms", "assembly", sourceTree{"query/a_amd64.s": strings.Repeat("\n", maxLines), "query/b_amd64.h": "\n",
			"query/a.go": goFile("", "query", nil, strings.Repeat("\n", maxRoomLines-maxLines-8))},
			"package query: has"},
		{"rings", "functions", ringOf(maxRing+1, "func f%d() { f%d() }\n"),
			"package internal/eval: 9 files use each other, want at most 8: r0.go r1.go"},
		{"rings", "methods", ringOf(maxRing+1, "type t%d struct{}\nfunc (t%[1]d) m() { t%[2]d{}.m() }\n"),
			"package internal/eval: 9 files use each other"},
		{"unused exports", "function", decl("// Row is made up.\nfunc Row() {}\n"),
			"internal/eval/made.go:6: Row is exported, and no other package uses it"},
		{"unused exports", "method", decl("type plan int\nfunc (plan) Row() {}\n"), "plan.Row is exported"},
		{"unused exports", "function for a test of another package", sourceTree{
			"internal/eval/made.go": goFile("", "eval", nil, "// Row is made up.\nfunc Row() {}\n// Used is.\nfunc Used() {}\n"),
			"server/made.go":        spdxHeader + "package server\nimport \"example.org/m/internal/eval\"\nvar _ = eval.Used\n",
			"server/made_test.go":   spdxHeader + "package server\nimport \"example.org/m/internal/eval\"\nvar _ = eval.Row\n"},
			"package internal/eval: only tests of other packages use 1 exported names, want 0: Row"},
		{"identifiers", "gone", decl("// See chunkWriter and PostgreSQL.\nvar madeUp int // madeUp\n"),
			"internal/eval/made.go:5: speaks of chunkWriter, which is declared nowhere"},
		{"old words", "function", decl("func muster() {}\n"), "muster: docs/design/vocabulary.md"},
		{"old words", "field", sourceTree{"internal/posting/delta/a.go": goFile("", "delta", nil,
			"type level struct{ tiers int }\n")}, "tiers: docs/design/vocabulary.md"},
		{"old words", "variable", sourceTree{"internal/roaring/a.go": goFile("", "roaring", nil, "var crowds int\n")},
			"crowds: docs/design/vocabulary.md"},
		{"old words", "file", sourceTree{"internal/eval/company.go": goFile("", "eval", nil, "")},
			"is named \"company\""},
		{"named files", "gone", sourceTree{"docs/design/x.md": "Look at `internal/posting/gone.go`.\n"},
			"docs/design/x.md:1: names internal/posting/gone.go"},
		{"named files", "gone, without a folder", sourceTree{"docs/design/x.md": "Look at `gone.go`.\n"},
			"docs/design/x.md:1: names gone.go"},
		{"named files", "in another folder", sourceTree{"docs/x.md": "In `internal/eval`\nlook at `main.go`.\n"},
			"docs/x.md:2: names main.go"},
		{"file names", "gone, in Go", decl("// As made.go, after gone.go.\n"),
			"internal/eval/made.go:5: a comment names gone.go"},
		{"file names", "gone, in assembly", sourceTree{
			"bitmap/x_amd64.s": "\tRET\n\tRET // bitmap/doc.go, y_amd64.s\n"},
			"bitmap/x_amd64.s:2: a comment names y_amd64.s"},
		{"file names", "in another folder", decl("/* See\ninternal/eval/made.go and make.go. */\n"),
			"internal/eval/made.go:6: a comment names make.go"},
		{"command lines", "no command", sourceTree{"docs/benchmarks/x.md": "Run `go run . libary`.\n"},
			`there is no command "bench/libary"`},
		{"command lines", "no flag of a set", benchmark("go run . library -data DIR \\\n  -tiem 1s # -x"),
			`"bench/library" has no flag -tiem`},
		{"command lines", "no flag of a struct", benchmark("uproar bench write --dir x [--raet 1] --key-size 2"),
			`"bench write" has no flag --raet`},
		{"command lines", "no flag of another package", benchmark("uproar inspect --knids"),
			`"inspect" has no flag --knids`},
		{"small rooms", "small", decl("var x int\n"), "package internal/eval: has 10 lines without its tests"},
		{"small rooms", "large now", sourceTree{"internal/seal/a.go": goFile("", "seal", nil, strings.Repeat("\n",
			minRoomLines))}, "take it off smallRooms"},
		{"tree", "missing command", sourceTree{"cmd/uproar/x/x.go": goFile("// Package x is made up.\n", "x", nil, "")},
			"does not show cmd/uproar/x/"},
		{"tree", "missing package", sourceTree{"internal/x/x.go": goFile("// Package x is made up.\n", "x", nil, "")},
			"does not show internal/x/"},
		{"names", "package", sourceTree{"internal/eval/helpers/doc.go": goFile("", "probe", nil, "")},
			"package probe in internal/eval/helpers"},
		{"names", "compound", sourceTree{"testutil/doc.go": goFile("", "testutil", nil, "")},
			"package testutil in testutil"},
		{"getters", "function", decl("func GetRow() {}\n"), "internal/eval/made.go:5: GetRow"},
		{"getters", "method", decl("func (p *Plan[K]) GetRow() {}\n"), "internal/eval/made.go:5: Plan.GetRow"},
		{"getters", "interface", decl("type Plan interface{ GetRow() }\n"), "internal/eval/made.go:5: Plan.GetRow"},
		{"doc comments", "function", decl("func Row() {}\n"), "internal/eval/made.go:5: exported Row"},
		{"doc comments", "directive is no comment", decl("//go:noinline\nfunc Row() {}\n"), "exported Row"},
		{"doc comments", "method", decl("func (p Plan) Row() {}\n"), "exported Plan.Row"},
		{"doc comments", "type", decl("type Row int\n"), "exported Row"},
		{"doc comments", "type in a group",
			decl("// Types.\ntype (\n\tRow int\n\t// Plan is made up.\n\tPlan int\n)\n"),
			"internal/eval/made.go:7: exported Row"},
		{"doc comments", "interface method", decl("// Plan is made up.\ntype Plan interface{ Row() }\n"),
			"exported Plan.Row"},
		{"doc comments", "constant", decl("const Row = 1\n"), "exported Row"},
		{"doc comments", "variable", decl("var (\n\tRow = 1\n\tPlan = 2 // of the day\n)\n"), "exported Row"},
		{"examples", "none", sourceTree{"internal/eval/example_test.go": goFile("", "eval_test", nil, "")},
			"internal/eval: package has no Example"},
		{"examples", "without output", sourceTree{"internal/eval/example_test.go": goFile("", "eval_test", nil,
			"func Example() {}\n")}, "internal/eval: package has no Example"},
		{"assembly", "long file", sourceTree{"bitmap/x_amd64.s": strings.Repeat("\tRET\n", maxLines+1)},
			"bitmap/x_amd64.s:501: has 501 lines, want at most 500"},
		{"assembly", "long code", sourceTree{"bitmap/x_amd64.s": "\tRET // " + strings.Repeat("x", 120) + "\n"},
			"bitmap/x_amd64.s:1: has 131 columns, want at most 120"},
		{"assembly", "long comment", sourceTree{"bitmap/x_amd64.h": "// " + strings.Repeat("x", 100) + "\n"},
			"bitmap/x_amd64.h:1: has 103 columns, want at most 100"},
		{"header copies", "a macro that was changed in one", sourceTree{
			"bitmap/x_amd64.h":   "#define A \\\n\tADDQ $1, AX \\\n\tRET\n#define B RET\n",
			"bitmap/y/x_amd64.h": "#define A \\\n\tADDQ $1, AX \\\n\tNOP\n#define B RET\n"},
			"bitmap/y/x_amd64.h: macro A is not that of bitmap/x_amd64.h, want copies"},
		{"links", "no file", sourceTree{"docs/guide.md": "# Start\n[x](../READ.md)\n"},
			"docs/guide.md:2: link ../READ.md leads to no file"},
		{"links", "image", sourceTree{"README.md": "![x](x.png)\n"}, "README.md:1: link x.png leads to no file"},
		{"links", "reference", sourceTree{"README.md": "[x]: docs/x.md\n"}, "link docs/x.md leads to no file"},
		{"links", "outside", sourceTree{"README.md": "[x](../shared)\n"}, "link ../shared leads out of the repository"},
		{"links", "absolute", sourceTree{"README.md": "[x](/docs)\n"}, "link /docs is absolute"},
		{"links", "anchor", sourceTree{"README.md": "[x](docs/guide.md#stop)\n"},
			"README.md:1: link docs/guide.md#stop leads to no heading of docs/guide.md"},
		{"links", "anchor of the same file", sourceTree{"README.md": "# Y\n[x](#x)\n"},
			"README.md:2: link #x leads to no heading of README.md"},
		{"links", "heading in a fence", sourceTree{"README.md": "```\n# X\n```\n[x](#x)\n"},
			"README.md:4: link #x leads"},
		{"links", "third heading of two", sourceTree{"README.md": "# X\n# X\n[a](#x) [b](#x-1) [c](#x-2)\n"},
			"README.md:3: link #x-2 leads"},
		{"machine paths", "text", sourceTree{"docs/guide.md": "see `" + "/" + "work/x`\n"}, "docs/guide.md:1: /" +
			"work/x is a path"},
		{"machine paths", "source", decl("// In file://" + "/" + "home/me.\n"), "internal/eval/made.go:5: /" +
			"home/me. is a path"},
		{"machine paths", "build file", sourceTree{"Makefile": "all:\n\tls /" + "root/go\n"}, "Makefile:2: /" +
			"root/go is a path"},
		{"changelog", "form", sourceTree{"CHANGELOG.md": "\n## Unreleased\n\n- bitmap: is made up.\n"},
			"CHANGELOG.md:4: "},
		{"starts", "a go statement", decl("func f() { go f() }\n"), "starts a goroutine"},
		{"starts", "a timer", decl("func f(g interface{ AfterFunc(func()) }) { g.AfterFunc(func() {}) }\n"), "starts"},
		{"starts", "a group", decl("func f(g interface{ Go(func()) }) { g.Go(func() {}) }\n"), "starts a goroutine"},
		{"starts", "a group without a limit", decl("func f(g interface{ TryGo(func()) }) { g.TryGo(func() {}) }\n"),
			"starts a goroutine"},
		{"starts", "a method that is called later", decl("func f(g interface{ Go(func()) }) { start := g.Go; start(nil) }\n"),
			"starts a goroutine"},
		{"reads of the store", "by an interface of its own", sourceTree{
			"store/made.go": goFile("", "store", nil, "type Store interface{ Get() }\n"),
			"internal/eval/made.go": goFile("", "eval", nil, "type source interface{ Get() }\n"+
				"func f(s source) { s.Get() }\n"),
		}, "calls Get of the store"},
		{"reads of the store", "by an interface without a name", sourceTree{
			"store/made.go":         goFile("", "store", nil, "type Store interface{ Get(string) error }\n"),
			"internal/eval/made.go": goFile("", "eval", nil, "var f = interface{ Get(string) error }.Get\n"),
		}, "calls Get of the store"},
		{"reads of the store", "by any name", sourceTree{
			"store/made.go": goFile("", "store", nil, "type Store interface{ Get() }\n"),
			"internal/eval/made.go": spdxHeader + "package eval\nimport \"" + importPath("store") +
				"\"\nfunc f(kv store.Store) { kv.Get() }\n",
		}, "calls Get of the store"},
		{"tree", "a folder that is not there", sourceTree{
			"CONTRIBUTING.md": cleanTree()["CONTRIBUTING.md"] + "\n├── gone/   nothing\n",
		}, "shows gone/"},
		{"words", "all documents", sourceTree{"docs/long.md": strings.Repeat("word ", maxDocumentWords)}, "have 75"},
		{"changelog", "section", sourceTree{"CHANGELOG.md": "# Changelog\n"}, "want a changelog"},
	}
	for _, check := range policyChecks {
		covered := false
		for _, c := range cases {
			if c.check != check.name {
				continue
			}
			covered = true
			t.Run(check.name+"/"+c.name, func(t *testing.T) {
				findings := check.run(cleanTree().with(c.files).load(t))
				if len(findings) != 1 || !strings.Contains(findings[0], c.want) {
					t.Errorf("got findings %q, want one with %q", findings, c.want)
				}
			})
		}
		if !covered {
			t.Errorf("nothing proves that check %q finds anything", check.name)
		}
	}
}

// benchmark returns a document with a command line, and the commands that there are.
func benchmark(line string) sourceTree {
	return sourceTree{
		"docs/benchmarks/x.md": "```\n" + line + "\n```\n",
		"bench/main.go":        goFile("", "main", nil, "var commands = map[string]any{\"library\": library.Command}\n"),
		"bench/library/a.go":   goFile("", "library", nil, "func Command() { f.String(\"data\", \"\", \"the data\") }\n"),
		"cmd/uproar/write.go": goFile("", "main", nil, "type benchWriteCommand struct {\n\tDir string\n\tplace\n}\n"+
			"type place struct{ KeySize int }\ntype cli struct{ Inspect ask.Inspect }\n"),
		"cmd/uproar/ask/inspect.go": goFile("", "ask", nil, "type Inspect struct{ Kinds bool }\n"),
	}
}

// countedTo returns a text as often as asked for, each time with the next number in it.
func countedTo(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

// ringOf returns files that each use the next one; the last one uses the first.
func ringOf(files int, text string) sourceTree {
	ring := make(sourceTree)
	for i := range files {
		ring[fmt.Sprintf("internal/eval/r%d.go", i)] = goFile("", "eval", nil, fmt.Sprintf(text, i, (i+1)%files))
	}
	return ring
}

// TestPolicyAllowsSmallRings: a ring of as many files as there may be is none too large.
func TestPolicyAllowsSmallRings(t *testing.T) {
	tree := cleanTree().with(ringOf(maxRing, "func f%d() { f%d() }\n"))
	if findings := checkRings(tree.load(t)); len(findings) > 0 {
		t.Errorf("got findings %q, want none", findings)
	}
}

// TestPolicyAllowsUsedExports: what another package uses is exported, and so is what an
// interface asks for.
func TestPolicyAllowsUsedExports(t *testing.T) {
	tree := cleanTree().with(sourceTree{
		"internal/eval/made.go": goFile("", "eval", nil, "// A Plan is made up.\ntype Plan struct{ rows }\n"+
			"type rows int\nfunc (rows) Row() rows { return 0 }\nfunc (rows) String() string { return \"\" }\n"),
		"server/made.go": spdxHeader + "package server\nimport (\n\"fmt\"\n\"example.org/m/internal/eval\"\n)\n" +
			"var _ fmt.Stringer = eval.Plan{}\n",
		"server/row.go": spdxHeader + "package server\nimport \"example.org/m/internal/eval\"\n" +
			"var _ = eval.Plan{}.Row()\n",
	})
	if findings := checkUnused(tree.load(t)); len(findings) > 0 {
		t.Errorf("got findings %q, want none", findings)
	}
}
