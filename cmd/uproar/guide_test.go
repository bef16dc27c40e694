// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var writeCLI = flag.Bool("write-cli", false, "write docs/cli.md anew")

const (
	guideFile = "../../docs/cli.md"

	// guideMark ends what is written by hand.
	guideMark = "<!-- What follows is written by: go test ./cmd/uproar -run TestGuide -write-cli -->\n"

	// guideLimit is how much may be written by hand, in bytes.
	guideLimit = 5 << 10
)

// TestGuide checks that docs/cli.md describes the commands as they are, and that what is written by
// hand stays short. With -write-cli it writes the descriptions anew.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guideFile)
	if err != nil {
		t.Fatal(err)
	}
	hand, _, found := strings.Cut(string(text), guideMark)
	if !found || len(hand) > guideLimit {
		t.Fatalf("docs/cli.md: got %d bytes by hand before the mark (which is there: %v), want at most %d", len(hand),
			found, guideLimit)
	}
	parser, err := newParser(new(cli), io.Discard, io.Discard, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	want := hand + guideMark + describeCommands(parser.Model.Leaves(true))
	if *writeCLI {
		if err := os.WriteFile(guideFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("docs/cli.md differs from the commands: run go test ./cmd/uproar -run TestGuide -write-cli")
	}
}

// commonAmong is how many commands have a flag that is described once for all of them.
const commonAmong = 3

// describeCommands returns a section for each command, and one for the flags that several of them
// have.
func describeCommands(leaves []*kong.Node) string {
	var out strings.Builder
	commands := make(map[string]int) // with a flag, by its row
	for _, leaf := range leaves {
		for _, f := range describedFlags(leaf) {
			commands[flagRow(f)]++
		}
	}
	for _, leaf := range leaves {
		describeCommand(&out, leaf, commands)
	}
	var common []string
	for line, n := range commands {
		if n >= commonAmong {
			common = append(common, line)
		}
	}
	slices.Sort(common)
	out.WriteString("\n## Common flags\n\n" + strings.Join(common, ""))
	return out.String()
}

// describeCommand writes the section of a command. Flags that other commands have as well are
// named, and described with those.
func describeCommand(out *strings.Builder, leaf *kong.Node, commands map[string]int) {
	about, examples, _ := strings.Cut(leaf.Detail, "Example: ")
	fmt.Fprintf(out, "\n## uproar %s\n\n%s\n", leaf.Path(), leaf.Help)
	if examples != "" {
		out.WriteString("\n```\n")
		for line := range strings.Lines(examples) {
			out.WriteString(strings.TrimSpace(line) + "\n")
		}
		out.WriteString("```\n")
	}
	if about = strings.TrimSpace(about); about != "" {
		out.WriteString("\n" + about + "\n")
	}
	var rows, common []string
	for _, p := range leaf.Positional {
		name := "<" + p.Name + ">"
		if p.IsCumulative() {
			name += " ..."
		}
		rows = append(rows, row(name, p))
	}
	for _, f := range describedFlags(leaf) {
		if line := flagRow(f); commands[line] < commonAmong {
			rows = append(rows, line)
		} else {
			name := "`--" + f.Name + "`"
			if f.Required {
				name += " (needed)"
			}
			common = append(common, name)
		}
	}
	if len(rows) > 0 {
		out.WriteString("\n" + strings.Join(rows, ""))
	}
	if len(common) > 0 {
		out.WriteString("\n[Common flags](#common-flags): " + strings.Join(common, ", ") + "\n")
	}
}

// describedFlags returns the flags of a command without --help, which all have, and those for
// tests.
func describedFlags(leaf *kong.Node) []*kong.Flag {
	return slices.DeleteFunc(slices.Clone(leaf.Flags), func(f *kong.Flag) bool {
		ofServe := leaf.Name == "config" && f.Name != "json" // as its help says
		return f.Name == "help" || f.Hidden || ofServe
	})
}

// flagRow returns the line of a flag in a list.
func flagRow(f *kong.Flag) string {
	name := "--" + f.Name
	if !f.IsBool() {
		name += "=" + cmp.Or(f.PlaceHolder, strings.ToUpper(f.Name))
	}
	return row(name, f.Value)
}

var defaultSentence = regexp.MustCompile(` Default: ((?:[^.]|\.[^ ])+)\.$`)

// row returns the line of a flag or an argument in the list of its command. What its help says of
// the default stands behind its name.
func row(name string, v *kong.Value) string {
	help, preset := v.Help, ""
	switch {
	case v.Required:
		preset = " (needed)"
	case v.HasDefault:
		help = strings.Replace(help, " ("+v.Default+")", "", 1)
		preset = " (`" + v.Default + "`)"
	default:
		if m := defaultSentence.FindStringSubmatch(help); m != nil {
			help, preset = strings.TrimSuffix(help, m[0]), " ("+m[1]+")"
		}
	}
	return "- `" + name + "`" + preset + ": " + strings.NewReplacer("*", `\*`, "\n", " ").Replace(help) + "\n"
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

// Each command line of the program in code blocks of the documents is one that it understands.
func TestCommandLines(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "packaging/*/*.md"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	block := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	line := regexp.MustCompile(`(?m)^(?:\$ )?uproar (.*)$`)
	words := regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	end := regexp.MustCompile(`^(?:#|&|\||;|<|\d?>)`) // of what the shell gives the program
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range block.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", " "), -1) {
			for _, m := range line.FindAllStringSubmatch(b[1], -1) {
				args := words.FindAllString(m[1], -1)
				if i := slices.IndexFunc(args, end.MatchString); i >= 0 {
					args = args[:i]
				}
				for i := range args {
					args[i] = strings.NewReplacer("'", "", `"`, "").Replace(args[i])
				}
				seen++
				parser, err := newParser(new(cli), io.Discard, io.Discard, func(int) {})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := parser.Parse(args); err != nil {
					t.Errorf("%s: uproar %s: %v", file, m[1], err)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("found %d command lines, want all of them", seen)
	}
}
