// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestScaleGuide carries out the commands of docs/scale.md: the three copies in five minutes, and
// those that stand in its text.
func TestScaleGuide(t *testing.T) {
	page, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)## Three copies in five minutes\n\n```\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/scale.md has no commands below the title of three copies")
	}
	dir := t.TempDir()
	text := strings.ReplaceAll(string(block[1]), "/tmp/log", filepath.Join(dir, "log"))
	text = strings.ReplaceAll(text, "--dir ", "--dir "+dir+string(filepath.Separator))
	given := make(map[string]string)
	text = regexp.MustCompile(`127\.0\.0\.1:70\d\d`).ReplaceAllStringFunc(text, func(addr string) string {
		if given[addr] == "" {
			given[addr] = freeAddress(t)
		}
		return given[addr]
	})
	program := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "uproar", args...).Output()
		if err != nil {
			said := ""
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				said = string(exit.Stderr)
			}
			t.Fatalf("uproar %s: %v\n%s%s", strings.Join(args, " "), err, out, said)
		}
		return string(out)
	}
	var copies []*copyServer
	shown := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		args := strings.Fields(line)
		if len(args) < 2 || args[0] != "uproar" {
			t.Fatalf("docs/scale.md has the command %q, want one of uproar", line)
		}
		if args[1] != "serve" {
			shown = program(args[1:]...)
			continue
		}
		addr := regexp.MustCompile(`--addr (\S+)`).FindStringSubmatch(line)
		s := newCopyServer(t, dir, fmt.Sprint("copy", len(copies)), "", addr[1])
		s.command = args
		s.start()
		s.await(time.Minute)
		copies = append(copies, s)
	}
	if len(copies) != 3 || strings.Count(shown, " leads ") != 1 || strings.Count(shown, " follows ") != 2 {
		t.Errorf("after the commands, the last of them showed\n%s\nwant three copies, of which one leads", shown)
	}

	// A write at the copy that is said never to lead, and the database as it was with that.
	l := newLedger(t, copies[2].url)
	a := l.insist("/v1/graph/follow", map[string]string{"account": "alice", "target": "bob"}, "none")
	l.insist("/v1/graph/follow", map[string]string{"account": "alice", "target": "carol"}, "none")
	inText := func(of string, values ...string) {
		t.Helper()
		command := regexp.MustCompile("`uproar (" + of + "[^`]*)`").FindStringSubmatch(string(page))
		if command == nil {
			t.Fatalf("docs/scale.md does not name uproar %s", of)
		}
		program(strings.Fields(strings.NewReplacer(values...).Replace(command[1]))...)
	}
	leader := leaderOf(t, copies)
	inText("cluster --hand-over", "URL", leader.url)
	if next := leaderOf(t, copies); next == leader || next == copies[2] {
		t.Errorf("%s has handed over, and %s leads", leader.name, next.name)
	}
	restored := filepath.Join(dir, "restored")
	inText("restore-log", "URL", "file://"+filepath.Join(dir, "log"), "DIR", restored, "POSITION",
		fmt.Sprint(a.position))
	for q, want := range map[string]string{"follows(alice)": "bob\n", "followers(carol)": ""} {
		if got := program("query", "--dir", restored, q); got != want {
			t.Errorf("%s in the database restored to position %d: got %q, want %q", q, a.position, got, want)
		}
	}
}
