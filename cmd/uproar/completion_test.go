// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCompletion: the shells complete command lines.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"ser":                           "serve",
		"index ":                        "list create drop alias",
		"index cr":                      "create",
		"check":                         "check check-storage",
		"serve --ro":                    "--role",
		"serve --role ":                 "auto writer reader",
		"serve --dir x --role r":        "reader",
		"serve --role=":                 "--role=auto --role=writer --role=reader",
		"serve --dir ":                  "",
		"completion ":                   "bash zsh fish",
		"import audience --store bb":    "bbolt",
		"import audience --read-only x": "",
		"nonsense --":                   "--help",
		"":                              "",
	} {
		words := strings.Split(line, " ")
		out, err := exec.Command("uproar", append([]string{"complete", "--"}, words...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", line, err, out)
		}
		got := strings.Join(strings.Fields(string(out)), " ")
		if line == "" {
			if !strings.HasPrefix(got, "demo serve config health import ") || strings.Contains(got, "complete ") {
				t.Errorf("%q: got %q, want the commands", line, got)
			}
		} else if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// TestCompletionScripts runs each script in its shell.
func TestCompletionScripts(t *testing.T) {
	for shell, script := range map[string]string{
		// bash takes "=" for a word of its own
		"bash": `source <(uproar completion bash)
COMP_WORDS=(uproar serve --role = re) COMP_CWORD=4 && _uproar && echo "${COMPREPLY[@]}"`,
		"zsh": `compdef() { :; }; compadd() { shift; echo "$@"; }; _files() { echo files; }
source <(uproar completion zsh); words=(uproar serve --role re); CURRENT=4; _uproar`,
		"fish": `uproar completion fish | source; complete -C 'uproar serve --role re'`,
	} {
		t.Run(shell, func(t *testing.T) {
			path := "/bin/bash"
			if shell != "bash" {
				path = installed(t, shell, "CI")
			}
			out, err := exec.Command(path, "-c", script).CombinedOutput()
			words := strings.Fields(string(out)) // fish adds the names of files
			if err != nil || len(words) == 0 || words[0] != "reader" || shell != "fish" && len(words) > 1 {
				t.Errorf("got %q, %v, want reader", out, err)
			}
		})
	}
}

// TestManual: the page of the manual has every command and flag, and troff finds nothing wrong.
func TestManual(t *testing.T) {
	page, err := exec.Command("uproar", "man").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(page), "\n")
	for _, want := range []string{`.TH UPROAR 1 "" "uproar 0.1.0"`, `.SS index create <name> [flags]`,
		`.B \-\-max\-query`} {
		if !slices.Contains(lines, want) {
			t.Errorf("got no line %q", want)
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "'") {
			t.Errorf("got the line %q, which is a macro", line)
		}
	}
	cmd := exec.Command(installed(t, "groff", "CI"), "-man", "-Kutf8", "-Tutf8", "-ww", "-z")
	cmd.Stdin = strings.NewReader(string(page))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v: %s", err, out)
	}
}
