// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Console is what a command speaks through: results go to Out, and all else (progress, times,
// warnings, logs) to Err, so that results can be piped.
type Console struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	Terminal bool // Err is a terminal on which a line can be drawn anew
	Tables   bool // Out is a terminal, and gets tables with headers
}

// New returns a console. A dumb terminal, as env has it in TERM, gets lines and no bar.
func New(in io.Reader, out, err io.Writer, env func(string) string) *Console {
	return &Console{In: in, Out: out, Err: err, Terminal: IsTerminal(err) && env("TERM") != "dumb",
		Tables: IsTerminal(out)}
}

// IsTerminal says whether a writer is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
