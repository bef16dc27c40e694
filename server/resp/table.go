// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"strings"
	"sync"
	"time"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// class says what a command needs.
type class uint8

const (
	local  class = iota // the connection alone
	reads               // some members or keys: also among writes that wait for their commit
	wholes              // whole sets: its reply may be long, and is sent while it is made
	writes
)

// command is one command of the table.
type command struct {
	name  string
	class class
	arity int // with its name; below 0: at least so many
	keys  [3]int
	run   func(c *call) error
}

// call is a command that a client has sent.
type call struct {
	*session
	command *command
	refused string // the reply in its place; "": there is none
	args    [][]byte
	st      *keyspace.State // nil for local commands
	w       *wire.Writer
	began   time.Time // when the transaction began that it is of
}

// arg returns an argument in lower case, as names of options are compared.
func (c *call) arg(i int) string { return strings.ToLower(string(c.args[i])) }

// int returns an argument as a number.
func (c *call) int(i int) (int64, error) {
	n, ok := wire.ParseInt(c.args[i])
	if !ok {
		return 0, errNotInteger
	}
	return n, nil
}

// Which arguments are keys, for COMMAND: the first, the last, and the step.
var (
	noKeys   = [3]int{}
	oneKey   = [3]int{1, 1, 1}
	twoKeys  = [3]int{1, 2, 1}
	allKeys  = [3]int{1, -1, 1}
	numbered = [3]int{} // their number stands before them
)

// commands is the table, by name, and placeholders what Options.Placeholders adds to it.
var commands, placeholders = make(map[string]*command), make(map[string]*command)

// find returns the command of a name in any case.
func (s *Server) find(name []byte) *command {
	var lower [32]byte
	if len(name) > len(lower) {
		return nil
	}
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	if m := commands[string(lower[:len(name)])]; m != nil || !s.opts.Placeholders {
		return m
	}
	return placeholders[string(lower[:len(name)])]
}

// subcommands are those of the commands that have some, each with how many arguments it takes, as
// command.arity.
var subcommands = map[string]map[string]int{
	"client": {"setname": 3, "getname": 2, "id": 2, "info": 2, "setinfo": 4, "no-evict": 3, "no-touch": 3,
		"list": -2, "kill": -3, "help": 2},
	"config":   {"get": -3, "set": -4, "resetstat": 2, "help": 2},
	"object":   {"encoding": 3, "refcount": 3, "idletime": 3, "help": 2},
	"command":  {"count": 2, "list": -2, "docs": -2, "info": -2, "getkeys": -4, "help": 2},
	"slowlog":  {"get": -2, "len": 2, "reset": 2, "help": 2},
	"function": {"flush": -2, "list": -2, "help": 2},
}

// check returns the error of a subcommand that there is not, or of a wrong number of arguments.
func (m *command) check(args [][]byte) error {
	if !m.fits(len(args)) {
		return arityError(m.name)
	}
	of := subcommands[m.name]
	if of == nil || len(args) < 2 {
		return nil
	}
	sub := strings.ToLower(string(args[1]))
	arity, known := of[sub]
	switch {
	case !known:
		return subcommandError(m.name, string(args[1]))
	case !fits(arity, len(args)):
		return arityError(m.name + "|" + sub)
	}
	return nil
}

// fits reports whether a command may have so many arguments, with its name.
func (m *command) fits(n int) bool { return fits(m.arity, n) }

func fits(arity, n int) bool { return n == arity || arity < 0 && n >= -arity }

// batch is the commands of one client that have arrived together. They are valid until it is
// released: their arguments lie in the buffer of the connection.
type batch struct {
	calls []*call
	pool  []call
}

// batches are those that no client needs.
var batches = sync.Pool{New: func() any { return &batch{pool: make([]call, 0, batchCalls)} }}

const batchCalls = 32 // commands; what is beyond has memory of its own

// add looks a command up.
func (b *batch) add(s *session, args [][]byte) {
	var c *call
	if n := len(b.pool); n < cap(b.pool) {
		b.pool = b.pool[:n+1]
		c = &b.pool[n]
	} else {
		c = new(call)
	}
	*c = call{session: s, args: args, command: s.server.find(args[0])}
	if c.command == nil {
		c.refused = unknownError(args).Error()
	} else if err := c.command.check(args); err != nil {
		c.refused = err.Error()
	}
	b.calls = append(b.calls, c)
}

// release has other clients use the memory.
func (b *batch) release() {
	clear(b.calls)
	clear(b.pool)
	b.calls, b.pool = b.calls[:0], b.pool[:0]
	batches.Put(b)
}

// clone returns a copy of a command that stays valid.
func clone(c *call) *call {
	own := *c
	text := make([]byte, 0, size(c.args))
	own.args = make([][]byte, len(c.args))
	for i, arg := range c.args {
		from := len(text)
		text = append(text, arg...)
		own.args[i] = text[from:len(text):len(text)]
	}
	return &own
}
