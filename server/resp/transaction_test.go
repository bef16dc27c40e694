// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/keyspace"
)

// argumentsOf returns random arguments for a command of any name.
func (d drawing) argumentsOf(m *command) []string {
	args := []string{m.name}
	least := max(m.arity, -m.arity)
	if m.name == "up.query" {
		return append(args, "redis", "sets = "+d.of("a", "b", "c"), d.of("COUNT", "count"))
	}
	for len(args) < least || m.arity < 0 && d.IntN(2) == 0 {
		switch d.IntN(4) {
		case 0, 1:
			args = append(args, d.of("a", "b", "c"))
		case 2:
			args = append(args, d.of("1", "2", "0", "100"))
		default:
			args = append(args, d.of("members", "count", "limit", "get", "list", "encoding", "*"))
		}
	}
	return args
}

// TestOneReplyEach queues random commands, each of the table among them: EXEC replies once to each,
// and the connection goes on.
func TestOneReplyEach(t *testing.T) {
	addr, _ := serve(t, Options{Placeholders: true})
	c := dial(t, addr)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	d := drawing{rand.New(rand.NewPCG(seed, 1))}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		switch name {
		case "multi", "exec", "discard", "watch", "quit", "reset": // are not queued
		default:
			names = append(names, name)
		}
	}
	for round := range 10 {
		for _, name := range names {
			sent := [][]string{{"SADD", "a", fmt.Sprint("x", round), "b"}}
			for range d.IntN(3) {
				sent = append(sent, d.argumentsOf(commands[names[d.IntN(len(names))]]))
			}
			sent = append(sent, d.argumentsOf(commands[name]))
			queued := 0
			c.want("+OK", "MULTI")
			for _, args := range sent {
				if got := c.ask(args...); got == "+QUEUED" {
					queued++
				}
			}
			end := fmt.Sprint("end ", round, name)
			c.want("+QUEUED", "ECHO", end)
			c.send([]string{"EXEC"}, []string{"PING", end})
			got := c.reply()
			if got != `-EXECABORT Transaction discarded because of previous errors.` &&
				!strings.HasSuffix(got, fmt.Sprintf("%q]", end)) && !strings.HasPrefix(got, "-ERR") {
				t.Fatalf("%q: got %s, without the end", sent, got)
			}
			if got := c.reply(); got != fmt.Sprintf("%q", end) {
				t.Fatalf("%q, and a PING after it: got %s", sent, got)
			}
		}
	}
}

// TestQueryInTransaction: what asks for written sets as a whole gets an error in its place.
func TestQueryInTransaction(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	c.words("MULTI", "+OK")
	c.words("SADD q x", "+QUEUED")
	c.want("+QUEUED", "UP.QUERY", "redis", "sets = q", "COUNT")
	c.words("SCARD q", "+QUEUED")
	c.words("EXEC", "*[:1 -ERR the command needs what is written before it in the transaction on the disk: "+
		"send it after EXEC :1]")
	c.want(":1", "UP.QUERY", "redis", "sets = q", "COUNT")
	c.words("MULTI", "+OK")
	c.want("+QUEUED", "UP.QUERY", "redis", "sets = q", "COUNT")
	c.words("SADD q y", "+QUEUED")
	c.words("EXEC", "*[:1 :1]")
}

// TestLargeInTransaction: what is too large for a transaction is so after a write, too.
func TestLargeInTransaction(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	const members = 140_000
	for i := 0; i < members; i += 10_000 {
		add := []string{"SADD", "big"}
		for k := range 10_000 {
			add = append(add, fmt.Sprint(i+k))
		}
		c.want(":10000", add...)
	}
	large := "-ERR the set is too large to be stored in a transaction: send the command alone"
	for _, first := range []string{"SADD other x", "SADD big x"} {
		c.words("MULTI", "+OK")
		c.words(first, "+QUEUED")
		c.words("RENAME big b2", "+QUEUED")
		c.words("COPY big b2", "+QUEUED")
		c.words("SUNIONSTORE b2 big", "+QUEUED")
		c.words("EXISTS b2", "+QUEUED")
		c.words("EXEC", fmt.Sprintf("*[:1 %s %s %s :0]", large, large, large))
	}
}

// TestUnfinishedText: a set that was stored in part is not said to be as it was before.
func TestUnfinishedText(t *testing.T) {
	got := textOf(fmt.Errorf("%w (%w)", keyspace.ErrUnfinished, uproar.ErrFull))
	if !strings.HasPrefix(got, "MISCONF ") || strings.Contains(got, "nothing") || !strings.Contains(got, "in part") {
		t.Errorf("got %s", got)
	}
	got = textOf(fmt.Errorf("%w (%w: %w)", keyspace.ErrUnfinished, uproar.ErrFull, syscall.EMFILE))
	if !strings.HasPrefix(got, "MISCONF the server has too many files") || !strings.Contains(got, "in part") {
		t.Errorf("without files: got %s", got)
	}
}
