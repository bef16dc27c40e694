// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/alecthomas/kong"

// helpCommand explains a command.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as: import graph. Default: the program."`
}

// Run prints what --help prints.
func (c *helpCommand) Run(parsed *kong.Context) error {
	about, err := kong.Trace(parsed.Kong, c.Command)
	if err == nil {
		err = about.Error
	}
	if err != nil {
		return usage(err)
	}
	return about.PrintUsage(false)
}
