// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// Bounds of a connection.
const (
	mostAtOnce   = 1 << 10 // commands that are read before the first of them is answered
	mostQueued   = 1 << 16 // commands of a transaction
	queuedBytes  = wire.MaxCommand
	writeTimeout = 30 * time.Second // for the client to take a part of its replies

	// What a client must take of its replies, or send of a large command, each second, beside
	// writeTimeout: it holds a snapshot, or memory, as long as they are under way.
	slowest = 256 << 10

	callBytes = 256 // bytes that a command takes in memory, beside its arguments
)

// Access is what a client may do.
type Access uint8

// The kinds of access.
const (
	Nobody Access = iota // may show a token
	Reader               // may read
	Writer               // may also write
)

// session is one connection.
type session struct {
	server *Server
	ctx    context.Context
	conn   net.Conn
	r      *wire.Reader
	w      wire.Writer
	id     int64
	name   string // this, and who bears it, change under the lock of the server
	bearer bearer
	shown  shown
	broken bool // nothing can be sent any more
	quit   bool

	multi  *transaction // since MULTI; nil: none
	spoilt bool         // a queued command was wrong
	queued int          // bytes of queued commands

	watched watched
	dirty   atomic.Bool
	pace    pace
}

// bearer is who speaks on a connection.
type bearer struct {
	user   string
	access Access
	token  string    // that gave the access
	looked time.Time // when it was one; without one: since when there is none
}

// watched are the names of keys, and the bytes that they take.
type watched struct {
	names []string
	bytes int
}

// pace is how many bytes of the replies under way were sent, and how long the client was waited for
// to take them; and when a large command began to arrive. What the server takes for itself, to
// commit for example, is not the client's.
type pace struct {
	sent   int64
	waited time.Duration
	large  time.Time

	by      time.Time // when the next command must have come; zero: any time
	writeBy time.Time // when a write must have ended; zero: any time
}

// patience returns how long a client may take for so many bytes.
func (s *session) patience(bytes int64) time.Duration {
	least := time.Duration(bytes) * time.Second / time.Duration(cmp.Or(s.server.opts.Slowest, slowest))
	return cmp.Or(s.server.opts.Patience, writeTimeout) + least
}

// hurry has the rest of a large command arrive soon: it takes memory from others.
func (s *session) hurry(bytes int) {
	if s.pace.large.IsZero() {
		s.pace.large = time.Now()
	}
	_ = s.conn.SetReadDeadline(s.pace.large.Add(s.patience(int64(bytes))))
}

// await bounds how long the next command may take to come, to some hundredths.
func (s *session) await() {
	var by time.Time
	idle := s.server.idle()
	switch {
	case s.bearer.access == Nobody:
		idle, by = 0, s.bearer.looked.Add(s.server.opts.Stranger)
	case idle > 0:
		by = time.Now().Add(idle)
	}
	if late := by.Sub(s.pace.by); late < 0 || late > idle/64 {
		_ = s.conn.SetReadDeadline(by)
		s.pace.by = by
	}
}

// serve answers commands until the client or the server ends it.
func (s *session) serve() {
	s.w.Send, s.r.Large = s.send, s.hurry
	for !s.quit && !s.broken {
		s.await()
		args, err := s.r.Read()
		if !s.pace.large.IsZero() && err == nil {
			_ = s.conn.SetReadDeadline(time.Time{})
			s.pace.by = time.Time{}
		}
		batch := batches.Get().(*batch)
		for bytes := 0; err == nil && args != nil; {
			batch.add(s, args)
			calls := batch.calls
			if bytes += size(args); len(calls) == mostAtOnce || bytes > wire.SendAt*16 {
				break
			}
			if m := calls[len(calls)-1].command; m != nil && (m.name == "auth" || m.name == "hello") {
				break // what follows may be larger
			}
			args, err = s.r.Ready()
		}
		calls := batch.calls
		s.server.commands.Add(int64(len(calls)))
		if len(calls) > 0 {
			s.note(calls)
		}
		s.pace = pace{by: s.pace.by, writeBy: s.pace.writeBy}
		large := largeBytes(calls)
		if failed := s.server.grow(large); failed != nil {
			s.end(failed)
			return
		}
		func() {
			defer s.server.grow(-large)
			s.handle(calls)
		}()
		batch.release()
		if err != nil && !s.quit {
			s.end(err)
			return
		}
		if s.w.Flush() != nil {
			return
		}
	}
}

// send sends replies to a client that takes them fast enough.
func (s *session) send(replies []byte) error {
	for len(replies) > 0 {
		part := replies[:min(len(replies), wire.SendAt)]
		began := time.Now()
		s.limitWrite(began.Add(min(s.patience(0), s.patience(s.pace.sent)-s.pace.waited)))
		n, err := s.conn.Write(part)
		s.pace.waited += time.Since(began)
		if s.pace.sent += int64(n); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				s.server.opts.Logger.Warn("a client of --resp was cut off: it did not take its replies", "client",
					s.conn.RemoteAddr().String(), "sent_bytes", s.pace.sent, "waited", s.pace.waited)
			}
			return err
		}
		replies = replies[n:]
	}
	return nil
}

// limitWrite has a write end by some time, to some hundredths of patience.
func (s *session) limitWrite(by time.Time) {
	if early := by.Sub(s.pace.writeBy); early < 0 || early > s.patience(0)/64 {
		_ = s.conn.SetWriteDeadline(by)
		s.pace.writeBy = by
	}
}

// largeBytes returns the memory of commands that counts: small ones have theirs in each connection.
func largeBytes(calls []*call) (n int) {
	for _, c := range calls {
		n += size(c.args)
	}
	if n <= wire.SmallBytes {
		return 0
	}
	return n
}

func size(args [][]byte) (n int) {
	for _, arg := range args {
		n += len(arg)
	}
	return n
}

// end tells the client why no more of it is read.
func (s *session) end(err error) {
	if wrong, ok := errors.AsType[*wire.ProtocolError](err); ok {
		s.w.Error("ERR " + wrong.Error())
	} else if err == errMemory {
		s.w.Error(err.Error())
	} else if err != io.EOF {
		s.server.opts.Logger.Debug("a connection of --resp ended", "error", err)
	}
	_ = s.w.Flush()
}

// refuse returns why a client may not run a command; "": it may.
func (s *session) refuse(c *call) string {
	if s.bearer.access == Nobody && (c.command == nil || !beforeAuth[c.command.name]) {
		return string(errNoAuth)
	}
	if c.refused != "" || c.command.class != writes {
		return c.refused
	}
	if s.bearer.access < Writer {
		return "NOPERM User " + s.bearer.user + " has no permissions to run the '" + c.command.name + "' command"
	}
	if s.server.space.ReadOnly() {
		return string(errReadOnly)
	}
	return ""
}

// handle answers commands in order. Those that write, and short reads behind one, go together; so
// do reads.
func (s *session) handle(calls []*call) {
	s.authenticateAgain()
	for i := 0; i < len(calls) && !s.quit && !s.broken; {
		c := calls[i]
		if speaksHTTP(c) {
			s.quit = true
			return
		}
		c.refused = s.refuse(c)
		if s.multi != nil && !inMulti(c) && (c.command == nil || c.command.name != "exec") {
			s.queue(c)
			i++
			continue
		}
		switch {
		case c.refused != "" && c.command != nil && c.command.name == "exec" && s.bearer.access != Nobody:
			s.endMulti()
			s.w.Error("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(c.refused, "ERR "))
			i++
		case c.refused != "" || c.command.class == local:
			c.answer(nil, &s.w)
			i++
		case c.command.class == writes:
			n := s.together(calls[i:], writes, reads)
			s.write(calls[i : i+n])
			i += n
		default:
			n := s.together(calls[i:], reads, wholes)
			s.read(calls[i : i+n])
			i += n
		}
	}
}

// speaksHTTP reports whether a line is of a request of HTTP, as the page of some site in a browser
// on this machine can send it here. What follows is no command of a client of Redis.
func speaksHTTP(c *call) bool {
	word := c.args[0]
	return c.command == nil && (bytes.EqualFold(word, []byte("POST")) || bytes.EqualFold(word, []byte("Host:")))
}

// together returns how many of the first commands are of one of two classes.
func (s *session) together(calls []*call, a, b class) int {
	for i, c := range calls {
		if i > 0 {
			c.refused = s.refuse(c)
		}
		if c.command != nil && c.command.class == local {
			return i
		}
		if c.refused == "" && c.command.class != a && c.command.class != b {
			return i
		}
	}
	return len(calls)
}

// write has commands run with those of others, and sends their replies once all are on the disk.
func (s *session) write(calls []*call) {
	p := &pipeline{calls: calls, w: wire.Writer{Three: s.w.Three, Grow: s.server.grow}, slow: longest{call: calls[0]}}
	defer p.w.Release()
	watched := s.begin(calls[0])
	err := s.server.space.Do(watched.ctx, p)
	if err != nil {
		p.fail(err)
	}
	watched.end(calls, p.slow.call, err)
	s.w.Raw(p.w.Bytes())
}

// read answers commands that only read, from one snapshot.
func (s *session) read(calls []*call) {
	done := 0
	err := s.server.space.Read(s.ctx, func(st *keyspace.State) error {
		for done < len(calls) && !s.broken {
			some := alike(calls[done:])
			done += len(some)
			if some[0].refused != "" {
				some[0].answer(st, &s.w)
				continue
			}
			watched := s.begin(some[0])
			if watched.step != nil {
				keyspace.ReadUnder(watched.ctx, st)
			}
			slow := longest{call: some[0]}
			slow.begin(len(some))
			for _, c := range some {
				if c.answer(st, &s.w) {
					s.w.Error(textOf(keyspace.ErrLater))
				}
				slow.note(c)
			}
			watched.end(some, slow.call, nil)
		}
		return nil
	})
	for ; err != nil && done < len(calls); done++ {
		s.w.Error(textOf(err))
	}
}

// alike returns the first of some commands that are watched together: short ones, or a single one.
func alike(calls []*call) []*call {
	n := 0
	for n < len(calls) && calls[n].refused == "" && calls[n].command.class == reads {
		n++
	}
	return calls[:max(n, 1)]
}

// inMulti reports whether a command is run at once within a transaction.
func inMulti(c *call) bool {
	if c.command == nil || c.refused != "" {
		return false
	}
	switch c.command.name {
	case "multi", "exec", "discard", "watch", "quit", "reset":
		return true
	}
	return false
}

// queue keeps a command for EXEC.
func (s *session) queue(c *call) {
	if bytes := size(c.args) + len(c.args)*24 + callBytes; c.refused != "" {
	} else if len(s.multi.calls) == mostQueued || s.queued+bytes > queuedBytes {
		c.refused = "ERR the transaction has too many commands"
	} else if err := s.server.grow(bytes); err != nil {
		c.refused = err.Error()
	} else {
		s.queued += bytes
	}
	if c.refused != "" {
		s.spoilt = true
		s.w.Error(c.refused)
		return
	}
	s.multi.calls = append(s.multi.calls, clone(c))
	s.w.Status("QUEUED")
}

// endMulti forgets a transaction and what is watched.
func (s *session) endMulti() {
	_ = s.server.grow(-s.queued)
	s.multi, s.spoilt, s.queued = nil, false, 0
	s.server.unwatch(s)
}

// execute runs what was queued.
func execute(c *call) (err error) {
	t := c.multi
	if t == nil {
		return replyError("ERR EXEC without MULTI")
	}
	spoilt := c.spoilt
	defer c.endMulti()
	t.w.Grow = c.server.grow
	defer t.w.Release()
	if spoilt {
		return replyError("EXECABORT Transaction discarded because of previous errors.")
	}
	c.multi = nil // local commands within see none
	watched := c.session.begin(c)
	defer func() { watched.end([]*call{c}, c, err) }()
	// What others have written to watched keys is known for sure in the order of all writes.
	writing := len(t.watched.names) > 0 && !c.server.space.OnlyReads()
	for _, q := range t.calls {
		writing = writing || q.command.class == writes
	}
	if writing {
		err = c.server.space.Do(watched.ctx, t)
	} else {
		err = c.server.space.Read(watched.ctx, func(st *keyspace.State) error { t.Run(st); return nil })
	}
	if err != nil {
		return err
	}
	if err := t.w.Err(); err != nil {
		return err
	}
	c.w.Raw(t.w.Bytes())
	return nil
}
