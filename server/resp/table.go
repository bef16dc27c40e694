// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"strings"

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
	begun   bool // a part of the reply has been written
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
