// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// TestBrokenOff: a command that fails after a part of its reply was sent ends the connection, and
// nothing follows that part. If nothing was sent yet, its reply is the error.
func TestBrokenOff(t *testing.T) {
	part := strings.Repeat("p", wire.SendAt/2)
	addCommand(t, "test.part", reads, func(c *call) error {
		n, _ := c.int(1)
		c.w.Array(int(n) + 1)
		for range n {
			c.w.Text(part)
		}
		return errSyntax
	})
	addr, _ := serveKnown(t, Options{Placeholders: true})
	c := dial(t, addr)
	c.words("TEST.PART 1", "-"+string(errSyntax))
	c.words("PING", "+PONG")
	c.send([]string{"SCARD", "s"}, []string{"TEST.PART", "3"}, []string{"PING"})
	rest, err := io.ReadAll(c.r)
	if err != nil {
		t.Fatal(err)
	}
	whole := ":0\r\n*4\r\n" + strings.Repeat("$32768\r\n"+part+"\r\n", 3)
	if len(rest) < wire.SendAt || !strings.HasPrefix(whole, string(rest)) {
		t.Errorf("got %d bytes, which end with %q, want a part of the reply and nothing else", len(rest),
			rest[max(0, len(rest)-100):])
	}
}

// faulty is a job that panics outside of commands.
type faulty struct{}

func (faulty) Run(*keyspace.State) bool { panic("the writer") }
func (faulty) Keep()                    {}

// TestFaultOfWriter: after a fault of what writes all sets, clients read, and are told why they
// cannot write.
func TestFaultOfWriter(t *testing.T) {
	var logged log
	addr, s := serveKnown(t, Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	c := dial(t, addr)
	c.words("SADD s a b", ":2")
	status := func(want string) {
		t.Helper()
		c.send([]string{"INFO", "persistence"})
		if got := c.reply(); !strings.Contains(got, "aof_last_write_status:"+want) {
			t.Errorf("got %q, want the status %s", got, want)
		}
	}
	if err := s.Ready(); err != nil {
		t.Errorf("got %v before the fault, want none", err)
	}
	status("ok")
	c.send([]string{"MULTI"}, []string{"SADD", "s", "c"})
	if err := s.space.Do(t.Context(), faulty{}); err == nil {
		t.Error("a job that panics: got no error")
	}
	for _, want := range []string{"+OK", "+QUEUED"} {
		if got := c.reply(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	const refused = "-ERR sets can be read and not be written, after a fault of the server (the writer)"
	for _, words := range [][]string{{"EXEC"}, {"SADD", "s", "c"}, {"DEL", "s"}} {
		c.send(words)
		if got := c.reply(); !strings.HasPrefix(got, refused) {
			t.Errorf("%s: got %s, want %s", words, got, refused)
		}
	}
	c.words("SCARD s", ":2")
	c.words("PING", "+PONG")
	status("err")
	if err := s.Ready(); err == nil || !strings.Contains(err.Error(), "a restart ends this") {
		t.Errorf("got %v after the fault, want what helps", err)
	}
	logged.has(t, "level=ERROR", "restart the server", "brokenoff_test.go")
}
