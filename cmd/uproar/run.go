// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar/cmd/uproar/ask"
	"github.com/uproar-db/uproar/cmd/uproar/cluster"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/follow"
	"github.com/uproar-db/uproar/cmd/uproar/shell"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // the command was understood, and failed
	exitUsage   = 2 // the command line, or the query on it, was not understood
)

// cli is the grammar of the command line.
type cli struct {
	Demo         demoCommand          `cmd:"" help:"Import sample data, serve them, and ask questions."`
	Server       serverCommands       `embed:""`
	Import       importCommand        `cmd:"" help:"Import data into a database."`
	Follow       follow.Command       `cmd:"" help:"Write what happens in a network to a graph, as it happens."`
	Ask          ask.Commands         `embed:""`
	Shell        shell.Command        `cmd:"" help:"Ask a database line by line."`
	Check        checkCommand         `cmd:"" help:"Check what was imported."`
	CheckStorage cluster.CheckStorage `cmd:"" help:"Check storage that several machines are to share."`
	Cluster      cluster.Command      `cmd:"" help:"Show the copies of a database on several machines; hand over."`
	RestoreLog   cluster.RestoreLog   `cmd:"" help:"Make a database of the log that copies share, as of any position."`
	Inspect      ask.Inspect          `cmd:"" help:"Show what a database consists of."`
	Stats        ask.Stats            `cmd:"" help:"Show the figures of a database."`
	Index        indexCommand         `cmd:"" help:"List, make, drop and name indexes."`
	Fields       ask.Fields           `cmd:"" help:"Show the fields of an index; drop some, and add others."`
	Verify       verifyCommand        `cmd:"" help:"Check every stored byte of a database."`
	Compact      compactCommand       `cmd:"" help:"Give the room of what was deleted back to the disk."`
	Bench        benchCommand         `cmd:"" help:"Measure this machine."`
	Backup       backupCommand        `cmd:"" help:"Write a database, or what is new in it, to a file."`
	Restore      restoreCommand       `cmd:"" help:"Make a database of backups."`
	Move         moveCommand          `cmd:"" help:"Move a database to another folder or engine."`
	Salvage      salvageCommand       `cmd:"" help:"Copy what is whole of a damaged database into a new one."`
	About        aboutCommands        `embed:""`
}

// serverCommands is the commands that have the flags of a server.
type serverCommands struct {
	Serve  serveCommand  `cmd:"" help:"Serve a database over HTTP."`
	Config configCommand `cmd:"" help:"Show the flags of uproar serve, and where they are from."`
	Health healthCommand `cmd:"" help:"Ask a server whether it is healthy."`
}

// aboutCommands is the commands about the program itself.
type aboutCommands struct {
	Version    versionCommand    `cmd:"" help:"Print the version of the program."`
	Help       helpCommand       `cmd:"" help:"Explain a command."`
	Completion completionCommand `cmd:"" help:"Print what a shell needs to complete command lines."`
	Man        manCommand        `cmd:"" help:"Print the page of the manual, for man -l."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"Print the words that complete a command line."`
}

// indexCommand is the commands about which indexes there are.
type indexCommand struct {
	List   ask.ListIndexes `cmd:"" help:"List the indexes, or describe one."`
	Create ask.CreateIndex `cmd:"" help:"Make an index with its fields."`
	Drop   ask.DropIndex   `cmd:"" help:"Drop an index with all its records."`
	Alias  ask.AliasIndex  `cmd:"" help:"Point an alias at an index, or remove it."`
}

// checkCommand is the commands that check what was imported.
type checkCommand struct {
	Catalog ask.CheckCatalog `cmd:"" help:"List records of a catalog that fit the same searches, and those that no search finds."`
}

const description = `Uproar is a database for sets: huge numbers of sets, kept as compressed bitmaps, and boolean questions about them.

Start with "uproar demo": it needs nothing but this program.`

// newParser returns the parser of command lines, which prints help to out.
func newParser(grammar *cli, out, errOut io.Writer, exit func(int), options ...kong.Option) (*kong.Kong, error) {
	return kong.New(grammar, append(options,
		kong.Name("uproar"),
		kong.Description(description),
		kong.Writers(out, errOut),
		kong.Exit(exit),
		kong.Vars{"addr": database.DefaultAddr, "engine": database.DefaultEngine},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)...)
}

// run is the program: it carries out a command line until it is done, or ctx is, and returns the
// exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	con := terminal.New(stdin, stdout, stderr, env)
	exited := false
	from := &settings{env: env}
	parser, err := newParser(new(cli), stdout, stderr, func(int) { exited = true }, kong.Resolvers(from),
		kong.Bind(from))
	if err != nil {
		return fail(con, err)
	}
	if len(args) == 0 {
		args = []string{"help"}
	}
	parsed, err := parser.Parse(args)
	if exited { // by --help, which has printed
		return exitOK
	}
	if about, ok := errors.AsType[*settingsError](err); ok {
		err = about
	}
	if err != nil {
		return fail(con, usage(err))
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return fail(con, parsed.Run(con))
}

// fail reports an error, and returns the exit code for it.
func fail(c *terminal.Console, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, syscall.EPIPE) { // whoever read the results has seen enough
		return exitFailure
	}
	text := explain(err).Error()
	fmt.Fprintf(c.Err, "uproar: %s\n", strings.TrimPrefix(text, "uproar: "))
	if errors.As(err, new(*terminal.UsageError)) {
		return exitUsage
	}
	return exitFailure
}
