// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOwnIndex carries out every command of docs/own-index.md in one shell, from an empty folder
// on, and compares what it prints with what the page says. Then it runs the page's Go.
func TestOwnIndex(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("there is no curl: left out")
	}
	page, err := os.ReadFile("../../docs/own-index.md")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	text := strings.ReplaceAll(string(page), "localhost:7070", addr)
	const serve = "uproar serve --dir new"
	text = strings.ReplaceAll(text, serve+" &", serve+" --addr "+addr+" 2>serve.log &\n"+
		"for i in $(seq 600); do curl -s -o ready.json http://"+addr+"/readyz && break; sleep 0.1; done")

	var wants, commands []string
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			if rest, isServe := strings.CutPrefix(want, "for i in "); isServe { // which is not in the page
				more, left, _ := strings.Cut(rest, "\n")
				command, want = command+"\nfor i in "+more, left
			}
			commands, wants = append(commands, command), append(wants, strings.TrimRight(want, "\n"))
		}
	}
	if len(commands) < 12 {
		t.Fatalf("found %d commands in the page, want all of them", len(commands))
	}
	const mark = "--- end of a command"
	script := "trap 'kill $!; wait' EXIT\n" + strings.Join(commands, "\necho; echo '"+mark+"'\n") + "\n" +
		"echo; echo '" + mark + "'\n" + goProgram(t, text)
	shell := exec.CommandContext(t.Context(), "bash", "-c", script)
	shell.Dir = t.TempDir()
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("got %v; the shell printed\n%s", err, out)
	}
	got := strings.Split(string(out), mark+"\n")
	if len(got) != len(wants)+1 {
		t.Fatalf("got %d answers, want %d:\n%s", len(got), len(wants)+1, out)
	}
	for i, want := range wants {
		if got := strings.TrimRight(got[i], "\n"); got != want {
			t.Errorf("$ %s\n got %s\nwant %s", commands[i], got, want)
		}
	}
	if got := got[len(wants)]; !testing.Short() && got != "2 cid\n" {
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
