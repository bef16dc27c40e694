// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// completionCommand prints what a shell needs to complete command lines.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help returns what the help of the command says beside its flags.
func (*completionCommand) Help() string {
	return `Example: uproar completion bash

A shell reads it when it starts: source <(uproar completion bash).`
}

// scripts ask the program for the words that may stand where the cursor is. Where it has none, they
// complete the names of files.
var scripts = map[string]string{
	"bash": `_uproar() {
	local IFS=$'\n'
	COMPREPLY=($(uproar complete -- "${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o default -F _uproar uproar
`,
	"zsh": `#compdef uproar
_uproar() {
	local -a found
	found=(${(f)"$(uproar complete -- "${(@)words[2,CURRENT]}")"})
	if (( $#found )); then compadd -- $found; else _files; fi
}
if [ "$funcstack[1]" = _uproar ]; then _uproar "$@"; else compdef _uproar uproar; fi
`,
	"fish": `complete -c uproar -a '(uproar complete -- (commandline -opc)[2..-1] (commandline -ct))'
`,
}

// Run prints the script.
func (c *completionCommand) Run(con *terminal.Console) error {
	_, err := fmt.Fprint(con.Out, scripts[c.Shell])
	return err
}

// completeCommand prints the words that may stand in the place of the last of some.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words of a command line behind the program's name."`
}

// Run prints a word a line.
func (c *completeCommand) Run(parsed *kong.Context, con *terminal.Console) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range complete(parsed.Model.Node, words) {
		if _, err := fmt.Fprintln(con.Out, word); err != nil {
			return err
		}
	}
	return nil
}

// complete returns the words that may stand in the place of the last one. bash gives "=" as a word
// of its own.
func complete(node *kong.Node, words []string) (found []string) {
	last := ""
	if len(words) > 0 {
		words, last = words[:len(words)-1], words[len(words)-1]
	}
	if last == "=" {
		last = ""
	}
	var open *kong.Flag // whose value is the next word
	for _, word := range words {
		switch {
		case word == "=":
		case strings.HasPrefix(word, "-"):
			open = nil
			if f := flagOf(node, strings.TrimLeft(word, "-")); f != nil && !f.IsBool() {
				open = f
			}
		case open != nil:
			open = nil
		default:
			if at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word }); at >= 0 {
				node = node.Children[at]
			}
		}
	}
	before := ""
	if name, _, assigned := strings.Cut(last, "="); assigned && strings.HasPrefix(last, "--") {
		open, before = flagOf(node, strings.TrimPrefix(name, "--")), name+"="
	}
	switch {
	case open != nil:
		for _, value := range open.EnumSlice() {
			if value != "" {
				found = append(found, before+value)
			}
		}
	case strings.HasPrefix(last, "-"):
		for n := node; n != nil; n = n.Parent {
			for _, f := range n.Flags {
				if !f.Hidden && !slices.Contains(found, "--"+f.Name) {
					found = append(found, "--"+f.Name)
				}
			}
		}
	default:
		for _, n := range node.Children {
			if !n.Hidden {
				found = append(found, n.Name)
			}
		}
		for _, arg := range node.Positional {
			found = append(found, arg.EnumSlice()...)
		}
	}
	return slices.DeleteFunc(found, func(word string) bool { return !strings.HasPrefix(word, last) })
}

// flagOf returns the flag of a command that has a name; nil if it has none.
func flagOf(node *kong.Node, name string) *kong.Flag {
	for n := node; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}
