// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestGuide runs the session of docs/redis.md in redis-cli, which writes what stands there.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/redis.md")
	if err != nil {
		t.Fatal(err)
	}
	const prompt = "127.0.0.1:6379> "
	var session string
	for _, block := range strings.Split(string(text), "```\n") {
		if strings.HasPrefix(block, prompt) {
			session = block
		}
	}
	steps := strings.Split(session, prompt)[1:]
	if len(steps) < 8 {
		t.Fatalf("docs/redis.md: got a session of %d commands, want one that shows something", len(steps))
	}
	program, err := exec.LookPath("redis-cli")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no redis-cli, though CI=true") // it comes with redis-server
	} else if err != nil {
		t.Skip("there is no redis-cli on this machine")
	}
	addr, _ := serve(t, Options{})
	_, port, _ := net.SplitHostPort(addr)
	for _, step := range steps {
		command, want, _ := strings.Cut(step, "\n")
		cmd := exec.Command(program, "-p", port, "--no-raw")
		cmd.Stdin = strings.NewReader(command + "\n")
		got, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.TrimRight(string(got), "\n") + "\n"; text != want {
			t.Errorf("%s: got\n%swant\n%s", command, text, want)
		}
	}
}

// TestGuideNamesCommands finds each command in the table of docs/redis.md, and no other.
func TestGuideNamesCommands(t *testing.T) {
	text, err := os.ReadFile("../../docs/redis.md")
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "/"), "|")
		if len(cells) != 6 {
			continue
		}
		for _, word := range regexp.MustCompile(`\b[A-Z]+(\.[A-Z]+)?\b`).FindAllString(cells[2]+" "+cells[3], -1) {
			named[strings.ToLower(word)] = true
		}
		for _, word := range regexp.MustCompile(`\b[A-Z]{3,}\b`).FindAllString(cells[4], -1) {
			if m := commands[strings.ToLower(word)]; m != nil && word != "CLIENT" { // of which there are parts
				t.Errorf("docs/redis.md says that there is no %s", word)
			}
		}
	}
	for name := range commands {
		if !named[name] {
			t.Errorf("docs/redis.md does not name %s", name)
		}
	}
}
