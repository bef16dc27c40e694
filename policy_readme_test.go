// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeCode runs the Go of the README as it stands there, between the lines that its reader
// brings along.
func TestReadmeCode(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program: left out by -short")
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 2 {
		t.Fatalf("got %d blocks of Go in README.md, want 2: the library's and the database's", len(blocks))
	}
	var program strings.Builder
	program.WriteString(`package main

import (
	"context"
	"fmt"
	"os"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/pebblestore"
)

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	library(bitmap.Of(2, 300, 301).Bytes())
	database(context.Background(), os.Args[1])
}

func library(data []byte) {
`)
	program.WriteString(checked(t, blocks[0][1]))
	program.WriteString("fmt.Println(n)\n}\n\nfunc database(ctx context.Context, dir string) {\n")
	program.WriteString(checked(t, blocks[1][1]))
	program.WriteString("fmt.Println(keys.Keys)\nmust(db.Close())\n}\n")

	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(program.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := exec.CommandContext(t.Context(), "go", "run", file, filepath.Join(dir, "db")).CombinedOutput()
	if want := "2\n[bob]\n"; err != nil || string(got) != want {
		t.Errorf("the README's Go: got %q (%v), want %q; it was:\n%s", got, err, want, program.String())
	}
}

// checked is code with every error checked after the statement that sets it. The README leaves that
// to its reader.
func checked(t *testing.T, code string) string {
	t.Helper()
	const head = "package p\nfunc f() {\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "README.md", head+code+"}\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
		text := head + code
		out.WriteString(text[set.Position(s.Pos()).Offset:set.Position(s.End()).Offset] + "\n")
		assign, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, left := range assign.Lhs {
			if name, ok := left.(*ast.Ident); ok && name.Name == "err" {
				out.WriteString("must(err)\n")
			}
		}
	}
	return out.String()
}
