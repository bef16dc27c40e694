// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// answer runs one command and writes its reply. later is true for one that must be run again after
// what was written before it; nothing of it is left then. It is never so within a transaction.
func (c *call) answer(st *keyspace.State, w *wire.Writer) (later bool) {
	c.st, c.w = st, w
	if c.refused != "" {
		w.Error(c.refused)
		return false
	}
	at, sent := w.Len(), w.Sent()
	if st != nil {
		st.Memory.Grow = c.server.grow
		defer st.Memory.Release()
	}
	err := try(c)
	if err == nil {
		err = w.Err()
	}
	if err == nil {
		return false
	}
	if w.Sent() != sent || w.Send != nil && w.Err() != nil {
		c.broken = true // the client waits for the rest of a reply that does not come
		if w.Err() == nil {
			c.server.opts.Logger.Warn("a client of --resp was cut off: its reply broke off", "command", c.command.name,
				"error", err)
		}
		return false
	}
	lost := w.Err() != nil // the reply, and not the command
	w.Truncate(at)
	if errors.Is(err, keyspace.ErrLater) && !st.Atomic {
		return true
	}
	if (errors.Is(err, keyspace.ErrLater) || errors.Is(err, keyspace.ErrTransaction)) && st.Shared() {
		st.Fail(err)
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
	slow  longest
}

// Run runs the commands that were not kept.
func (p *pipeline) Run(st *keyspace.State) bool {
	p.w.Truncate(p.bytes)
	p.slow.begin(len(p.calls))
	for p.ran = p.kept; p.ran < len(p.calls); p.ran++ {
		st.Second = p.ran > p.kept
		if st.Second && st.Full() || p.calls[p.ran].answer(st, &p.w) {
			return false
		}
		if st.Failed() {
			return false
		}
		p.slow.note(p.calls[p.ran])
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
	st.Begin()
	st.Atomic = true
	defer func() { st.Atomic = false }()
	t.w.Array(len(t.calls))
	began := time.Now()
	for _, c := range t.calls {
		c.began = began
		if c.answer(st, &t.w); st.Failed() {
			break
		}
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

// longest finds the command that takes the longest of some that are answered together.
type longest struct {
	call *call // at first the first one
	took time.Duration
	last time.Time // when the command before ended; zero: there is only one
}

// begin begins before the first of n commands, or before one of them again.
func (x *longest) begin(n int) {
	if n > 1 {
		x.last = time.Now()
	}
}

// note notes that a command has ended.
func (x *longest) note(c *call) {
	if x.last.IsZero() {
		return
	}
	now := time.Now()
	if took := now.Sub(x.last); took > x.took && c.refused == "" {
		x.call, x.took = c, took
	}
	x.last = now
}

// observed is commands under way that are answered together, for the log, the slow log and traces.
type observed struct {
	ctx   context.Context
	step  *trace.Step // nil: nobody traces
	began time.Time
}

// begin begins to observe commands, of which c is the first.
func (s *session) begin(c *call) observed {
	w := observed{ctx: s.ctx, began: time.Now()}
	if trace.On() {
		w.ctx, w.step = trace.Root(s.ctx, strings.ToUpper(c.command.name))
	}
	return w
}

// end ends it. calls are answered, of which one is the slowest; traces have the name of the first.
// Of commands that there are not, and of arguments, they say nothing.
func (w observed) end(calls []*call, slowest *call, err error) {
	c := slowest
	took := time.Since(w.began)
	if w.step != nil {
		w.step.Text("db.system.name", "redis")
		w.step.Text("db.operation.name", strings.ToUpper(calls[0].command.name))
		w.step.Int("db.operation.batch.size", int64(len(calls)))
		w.step.End(err)
	}
	s := c.session
	if least := s.server.slowMicros.Load(); least >= 0 && took >= time.Duration(least)*time.Microsecond {
		s.server.slow.note(slowCommand{at: time.Now().Unix(), took: took, words: wordsOf(c.args),
			addr: s.conn.RemoteAddr().String(), name: s.name})
	}
	level, message := slog.LevelDebug, "command"
	slow := s.server.opts.Slow > 0 && took >= s.server.opts.Slow
	if slow {
		level, message = slog.LevelWarn, "slow command"
	}
	log := s.server.opts.Logger
	if !log.Enabled(w.ctx, level) {
		return
	}
	fields := []slog.Attr{slog.String("command", c.command.name), slog.Int("together", len(calls)),
		slog.String("remote", s.conn.RemoteAddr().String()), slog.String("token", s.bearer.user),
		slog.Duration("took", took)}
	if id := w.step.TraceID(); id != "" {
		fields = append(fields, slog.String("trace_id", id))
	}
	if slow {
		fields = append(fields, slog.String("words", fmt.Sprintf("%q", wordsOf(c.args))))
	}
	log.LogAttrs(w.ctx, level, message, fields...)
}

// panicked is a fault of a command.
type panicked struct {
	value any
	stack []byte
}

// Error says what the panic was about.
func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// try runs a command. It never panics.
func try(c *call) (err error) {
	defer func() {
		if value := recover(); value != nil {
			p := &panicked{value, debug.Stack()}
			c.server.opts.Logger.Error("a command of --resp failed", "command", c.command.name, "error", p, "stack",
				string(p.stack))
			err = p
		}
	}()
	return c.command.run(c)
}

// failed tells of a fault after which no set is written.
func (s *Server) failed(fault *keyspace.Fault) {
	s.opts.Logger.Error("sets of --resp can be read and not be written: restart the server", "error", fault, "stack",
		string(fault.Stack))
}

// Ready fails after a fault, since which no set is written.
func (s *Server) Ready() error {
	if s.space.Fault() != nil {
		return errFault
	}
	return nil
}

// guard ends a connection whose goroutine has panicked, and no other.
func (s *session) guard() {
	if value := recover(); value != nil {
		s.server.opts.Logger.Error("a connection of --resp failed", "error", &panicked{value: value}, "stack",
			string(debug.Stack()))
	}
}
