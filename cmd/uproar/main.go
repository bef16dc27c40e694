// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Command uproar imports, serves, asks and inspects databases of Uproar. docs/cli.md describes its
// commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends what is under way in good order; the second one ends the process.
	context.AfterFunc(ctx, stop)
	// A pipe that nobody reads any more is an error of the write, not the end of the process: there
	// is still a database to be closed.
	signal.Ignore(syscall.SIGPIPE)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}
