// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// typist types at a terminal, and sees what stands there.
type typist struct {
	t    *testing.T
	tty  *os.File
	mu   sync.Mutex
	seen strings.Builder
}

// types sends keys, and waits until a text has come since.
func (p *typist) types(keys, want string) {
	p.t.Helper()
	p.mu.Lock()
	from := p.seen.Len()
	p.mu.Unlock()
	if _, err := io.WriteString(p.tty, keys); err != nil {
		p.t.Fatal(err)
	}
	for range 1000 {
		p.mu.Lock()
		said := p.seen.String()[from:]
		p.mu.Unlock()
		if strings.Contains(said, want) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.t.Fatalf("%q: got %q, want %q", keys, p.seen.String()[from:], want)
}

// TestShellOnTerminal types into a shell on a terminal: it completes fields and values, goes on
// over lines, prints tables, survives Ctrl-C, and has its history the next time.
func TestShellOnTerminal(t *testing.T) {
	dir, history := t.TempDir(), filepath.Join(t.TempDir(), "history")
	follows := "alice,bob\nalice,bella\nbob,alice\n"
	var errOut strings.Builder
	if code := run(t.Context(), []string{"import", "graph", "--header", "no", "--dir", dir, "-"},
		strings.NewReader(follows), io.Discard, &errOut, noEnv); code != exitOK {
		t.Fatal(errOut.String())
	}
	start := func() (*typist, *exec.Cmd) {
		cmd := exec.CommandContext(t.Context(), "uproar", "shell", "--dir", dir)
		cmd.Env = append(os.Environ(), "TERM=xterm", "UPROAR_HISTORY="+history)
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
		if err != nil {
			t.Skip("no terminal can be made here:", err)
		}
		p := &typist{t: t, tty: tty}
		go func() {
			for b := make([]byte, 1<<12); ; {
				n, err := tty.Read(b)
				p.mu.Lock()
				p.seen.Write(b[:n])
				p.mu.Unlock()
				if err != nil {
					return
				}
			}
		}()
		p.types("", "")
		return p, cmd
	}
	p, cmd := start()
	p.types("\r", "accounts> ")
	p.types("follows(al\t", "follows(alice")
	p.types(")\r", "bella")
	p.types("\\expl\t", `\explain `)
	p.types("follows(alice) and\r", "... ")
	p.types("followers(bob)\r", "list [followers(bob)]")
	p.types("\\top followe\t", `\top followers`)
	p.types(" all\r", "of all")
	p.types("nonsens", "nonsens") // only now the editor reads: before, Ctrl-C would be a signal that ends a query
	p.types("\x03", "\n")
	p.types("\\timing\r", "timing is on")
	p.types("\\quit\r", "")
	if err := cmd.Wait(); err != nil {
		t.Errorf("after \\quit: %v", err)
	}
	kept, err := os.ReadFile(history)
	want := "follows(alice)\n\\explain follows(alice) and followers(bob)\n\\top followers all\n\\timing\n\\quit\n"
	if err != nil || string(kept) != want {
		t.Errorf("history: got %q, %v, want %q", kept, err, want)
	}
	p, cmd = start()
	p.types("\x1b[A", `\quit`)
	p.types("\x15\x04", "")
	if err := cmd.Wait(); err != nil {
		t.Errorf("after the end of the input: %v", err)
	}
}
