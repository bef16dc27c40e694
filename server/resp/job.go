// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"errors"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// run runs one command and writes its reply. later is true for one that must be run again after
// what was written before it; nothing of it is left then.
func (c *call) answer(st *keyspace.State, w *wire.Writer) (later bool) {
	c.st, c.w, c.begun = st, w, false
	if c.refused != "" {
		w.Error(c.refused)
		return false
	}
	at := w.Len()
	err := c.command.run(c)
	if err == nil {
		err = w.Err()
	}
	if err == nil {
		return false
	}
	if w.Send != nil && c.begun {
		c.broken = true // the client waits for the rest of a reply that does not come
		if w.Err() == nil {
			c.server.opts.Logger.Warn("a client of --resp was cut off: its reply broke off", "command", c.command.name,
				"error", err)
		}
		return false
	}
	lost := w.Err() != nil // the reply, and not the command
	w.Truncate(at)
	if errors.Is(err, keyspace.ErrLater) {
		return true
	}
	if c.command.class == writes && (lost || !refuses(err)) {
		st.Fail(err)
	}
	if errors.Is(err, wire.ErrTooLong) {
		err = replyError("ERR the reply is too long for a transaction or pipeline")
	}
	w.Error(textOf(err))
	return false
}

// pipeline is commands that run in order, with those of others between them.
type pipeline struct {
	calls []*call
	w     wire.Writer
	kept  int // commands whose replies count
	bytes int // of those replies
	ran   int
}

// Run runs the commands that were not kept.
func (p *pipeline) Run(st *keyspace.State) bool {
	p.w.Truncate(p.bytes)
	for p.ran = p.kept; p.ran < len(p.calls); p.ran++ {
		if p.ran > p.kept && st.Full() || p.calls[p.ran].answer(st, &p.w) {
			return false
		}
	}
	return true
}

// Keep notes that the replies of the last Run count.
func (p *pipeline) Keep() { p.kept, p.bytes = p.ran, p.w.Len() }

// fail replies to the commands that were not kept.
func (p *pipeline) fail(err error) {
	p.w.Truncate(p.bytes)
	for range p.calls[p.kept:] {
		p.w.Error(textOf(err))
	}
}

// transaction is the commands between MULTI and EXEC.
type transaction struct {
	*session
	calls []*call
	w     wire.Writer
}

// Run runs all commands, unless a key has changed that is watched.
func (t *transaction) Run(st *keyspace.State) bool {
	t.w.Truncate(0)
	t.w.Three = t.session.w.Three
	if t.changed(st) {
		t.w.NullArray()
		return true
	}
	st.Atomic = true
	defer func() { st.Atomic = false }()
	t.w.Array(len(t.calls))
	for _, c := range t.calls {
		c.answer(st, &t.w)
	}
	return true
}

// Keep has nothing to do: the reply is sent at the end.
func (t *transaction) Keep() {}

// changed reports whether a watched key was written to, also by those before in the same commit.
func (t *transaction) changed(st *keyspace.State) bool {
	if t.dirty.Load() {
		return true
	}
	for _, name := range t.watched.names {
		if st.Touched(name) {
			return true
		}
	}
	return false
}
