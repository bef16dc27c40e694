// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// manCommand prints the page of the manual.
type manCommand struct{}

// Run prints it in roff, with the macros of man(7): man -l reads it.
func (*manCommand) Run(parsed *kong.Context, con *terminal.Console) error {
	out := bufio.NewWriter(con.Out)
	fmt.Fprintf(out, ".TH UPROAR 1 \"\" \"uproar %s\"\n.SH NAME\nuproar \\- a database for sets\n", uproar.Version)
	fmt.Fprintf(out, ".SH SYNOPSIS\n.B uproar\n.I command\n[arguments] [flags]\n.SH DESCRIPTION\n%s\n.SH COMMANDS\n",
		roff(description))
	for _, leaf := range parsed.Model.Leaves(true) {
		fmt.Fprintf(out, ".SS %s\n%s\n", roff(leaf.Summary()), roff(leaf.Help))
		if leaf.Detail != "" {
			fmt.Fprintf(out, ".PP\n.nf\n%s\n.fi\n", roff(leaf.Detail))
		}
		for _, arg := range leaf.Positional {
			fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(arg.Summary()), roff(arg.Help))
		}
		for _, f := range leaf.Flags {
			if f.Name != "help" && !f.Hidden {
				fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff("--"+f.Name), roff(f.Help))
			}
		}
	}
	return out.Flush()
}

// roff returns a text as roff shows it.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n\n", "\n.PP\n").Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && line != ".PP" {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
