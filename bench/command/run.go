// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package command runs measurements whose flags are the fields of a struct.
package command

import (
	"context"
	"flag"
	"io"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// LeastMemory is the least that a measured process can be held to.
const LeastMemory terminal.ByteSize = 64 << 20

// Measurement is a command: a pointer to a struct of flags.
type Measurement interface {
	Help() string
	Validate() error
	Run(ctx context.Context, con *terminal.Console) error
}

// Run parses the arguments of the measurement m and runs it. An interrupt ends it early. The error
// is flag.ErrHelp if help was asked for.
func Run(name string, m Measurement, args []string, stdout, stderr io.Writer) error {
	helped := false
	parser, err := kong.New(m, kong.Name("bench "+name), kong.Description(m.Help()), kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}))
	if err != nil {
		return err
	}
	if _, err = parser.Parse(args); helped {
		return flag.ErrHelp
	}
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return m.Run(ctx, terminal.New(os.Stdin, stdout, stderr, os.Getenv))
}
