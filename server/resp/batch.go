// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import "sync"

// batch is the commands of one client that have arrived together. They are valid until it is
// released: their arguments lie in the buffer of the connection.
type batch struct {
	calls []*call
	room  []call
}

// batches are those that no client needs.
var batches = sync.Pool{New: func() any { return &batch{room: make([]call, 0, batchRoom)} }}

const batchRoom = 32 // commands; what is beyond has memory of its own

// add looks a command up.
func (b *batch) add(s *session, args [][]byte) {
	var c *call
	if n := len(b.room); n < cap(b.room) {
		b.room = b.room[:n+1]
		c = &b.room[n]
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
	clear(b.room)
	b.calls, b.room = b.calls[:0], b.room[:0]
	batches.Put(b)
}

// clone returns a copy that stays valid.
func (c *call) clone() *call {
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
