// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestOwnIndex carries out every command of docs/tutorials/own-index.md in one shell, from an empty
// folder on, and compares what it prints with what the page says. Then it runs the page's Go.
func TestOwnIndex(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorials/own-index.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if n := len(steps(text)); n < 12 {
		t.Fatalf("found %d commands in the page, want all of them", n)
	}
	got := runPage(t, text, func(text string) string { return goProgram(t, text) })
	if !testing.Short() && got != "2 cid\n" {
		t.Errorf("the page's Go printed %q, want the two who like the sea, and the younger one", got)
	}
}

// goProgram returns the command that runs the Go of the page with every error checked.
func goProgram(t *testing.T, text string) string {
	t.Helper()
	if testing.Short() {
		return "" // it links a program
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(text)
	if block == nil {
		t.Fatal("the page has no Go")
	}
	code := regexp.MustCompile(`(?m)^(.*, err :?= (?s:.*?)\)$)`).ReplaceAllString(block[1], "$1\nmust(err)")
	file := filepath.Join(t.TempDir(), "main.go")
	program := fmt.Sprintf(`package main

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
%s}
`, code)
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return "cd '" + folder + "' && go run '" + file + "'\n"
}
