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

// commands is the table, by name.
var commands = make(map[string]*command)

// find returns the command of a name in any case.
func find(name []byte) *command {
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
	return commands[string(lower[:len(name)])]
}

// fits reports whether a command may have so many arguments, with its name.
func (m *command) fits(n int) bool { return n == m.arity || m.arity < 0 && n >= -m.arity }
