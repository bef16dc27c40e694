// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// console is what a command speaks through: results go to out, and all else (progress, times,
// warnings, logs) to err, so that results can be piped.
type console struct {
	in  io.Reader
	out io.Writer
	err io.Writer

	terminal bool // err is a terminal on which a line can be drawn anew
}

func newConsole(in io.Reader, out, err io.Writer, env func(string) string) *console {
	return &console{in: in, out: out, err: err, terminal: isTerminal(err) && env("TERM") != "dumb"}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
