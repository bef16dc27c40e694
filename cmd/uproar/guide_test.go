// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The guide has a section for each command, with every option that the command has and no other,
// and with the defaults.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := newParser(new(cli), io.Discard, io.Discard, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	leaves := parser.Model.Leaves(true)
	if len(leaves) < 7 {
		t.Fatalf("got %d commands, want all", len(leaves))
	}
	sections := strings.Split(string(text), "\n## ")
	for _, leaf := range leaves {
		name := "uproar " + leaf.Path()
		i := slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(s, name+"\n") })
		if i < 0 {
			t.Errorf("docs/cli.md has no section %q", name)
			continue
		}
		if !strings.Contains(sections[0], "[`"+name+"`](#"+strings.ReplaceAll(name, " ", "-")+")") {
			t.Errorf("docs/cli.md does not list %q at its top", name)
		}
		checkOptions(t, name, sections[i], leaf.Flags)
	}
}

var optionLine = regexp.MustCompile("(?m)^\\| `--([a-z-]+)(=[^`]+)?` \\| (.*?) \\|")

func checkOptions(t *testing.T, command, section string, flags []*kong.Flag) {
	t.Helper()
	documented := map[string][]string{}
	for _, m := range optionLine.FindAllStringSubmatch(section, -1) {
		documented[m[1]] = m
	}
	for _, f := range flags {
		if f.Name == "help" {
			continue
		}
		m, ok := documented[f.Name]
		delete(documented, f.Name)
		switch {
		case !ok:
			t.Errorf("docs/cli.md: section %q has no line for --%s", command, f.Name)
		case f.IsBool() != (m[2] == ""):
			t.Errorf("docs/cli.md: section %q: --%s%s, but it takes a value: %v", command, f.Name, m[2], !f.IsBool())
		case f.HasDefault && m[3] != "`"+f.Default+"`":
			t.Errorf("docs/cli.md: section %q: --%s has the default %s, want `%s`", command, f.Name, m[3], f.Default)
		case f.Required != (m[3] == "needed"):
			t.Errorf("docs/cli.md: section %q: --%s is needed: %v, the guide says %q", command, f.Name, f.Required,
				m[3])
		}
	}
	for name := range documented {
		t.Errorf("docs/cli.md: section %q has a line for --%s, which the command does not have", command, name)
	}
}

// Each example of the guide is a command line that the program understands.
func TestGuideExamples(t *testing.T) {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile(`(?m)^(?:.* \| )?uproar (.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(examples) < 10 {
		t.Fatalf("got %d examples, want more", len(examples))
	}
	words := regexp.MustCompile(`'[^']*'|\S+`)
	for _, e := range examples {
		args := words.FindAllString(e[1], -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		parser, err := newParser(new(cli), io.Discard, io.Discard, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("docs/cli.md: uproar %s: %v", e[1], err)
		}
	}
}
