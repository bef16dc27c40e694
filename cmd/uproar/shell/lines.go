// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
)

// reader reads lines. before is what has been read of the statement.
type reader interface {
	read(prompt, before string) (string, error)
	remember(statement string)
}

// errAborted ends a statement that is given up.
var errAborted = errors.New("shell: the line was given up")

// script reads lines of a pipe.
type script struct{ in *bufio.Reader }

func newScript(in io.Reader) *script { return &script{bufio.NewReader(in)} }

func (s *script) read(_, _ string) (string, error) {
	line, err := s.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (*script) remember(string) {}

// editor reads lines of a terminal, with history and completion.
type editor struct {
	state   *liner.State
	history string // its file; "": none
	before  string
}

// newEditor returns an editor that completes by complete. It is given the statement up to the
// cursor, and returns where the completed word begins in it, and what it may become.
func newEditor(complete func(statement string) (from int, words []string)) *editor {
	e := &editor{state: liner.NewLiner(), history: historyFile()}
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetWordCompleter(func(line string, cursor int) (head string, words []string, tail string) {
		runes := []rune(line)
		cursor = min(cursor, len(runes))
		typed := string(runes[:cursor])
		before := ""
		if e.before != "" {
			before = e.before + "\n"
		}
		from, words := complete(before + typed)
		from = max(0, from-len(before))
		return typed[:min(from, len(typed))], words, string(runes[cursor:])
	})
	if f, err := os.Open(e.history); err == nil {
		_, _ = e.state.ReadHistory(f) // a damaged one is not worth an error
		_ = f.Close()
	}
	return e
}

// historyFile returns the file of the history; "": none is kept.
func historyFile() string {
	if name, ok := os.LookupEnv("UPROAR_HISTORY"); ok {
		return name
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".uproar_history")
}

func (e *editor) read(prompt, before string) (string, error) {
	e.before = before
	line, err := e.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		err = errAborted
	}
	return line, err
}

// remember adds a statement to the history, as one line.
func (e *editor) remember(statement string) {
	e.state.AppendHistory(asLine(statement))
}

// close gives the terminal back, and writes the history for its owner alone: queries have names.
func (e *editor) close() {
	if e.history != "" {
		if f, err := os.OpenFile(e.history, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err == nil {
			_, _ = e.state.WriteHistory(f) // nobody waits for it any more
			_ = f.Close()
		}
	}
	_ = e.state.Close()
}
