// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// Options sets up a Server.
type Options struct {
	Index       string        // of the sets
	Version     string        // that INFO shows
	Connections int           // at a time; 0: 10 000
	Idle        time.Duration // after which a client without a command is cut off; 0: never
	Stranger    time.Duration // after which one is that has not shown a token; 0: 10 s
	Memory      int64         // of large commands and replies, and transactions, of all connections; 0: 256 MiB
	Query       int64         // of a query of UP.QUERY, at a time; 0: as much as the database has
	Timeout     time.Duration // of a command that matches a pattern; 0: none
	Drain       time.Duration
	Patience    time.Duration // for a client to take a part of its replies; 0: 30 s
	Slowest     int64         // bytes that it takes a second, beside Patience; 0: 256 KiB
	TLS         *tls.Config   // nil: none
	Logger      *slog.Logger
	Slow        time.Duration // commands that take at least so long are logged, at level warn; 0: none

	// Placeholders adds commands that make keys of other types than sets, without a value, for
	// tests of clients.
	Placeholders bool

	// Allow says who shows a token, and what they may do. nil: everybody may do everything.
	Allow func(token string) (user string, access Access)
}

// The defaults of Options.
const (
	defaultConnections = 10_000
	defaultMemory      = 256 << 20
	defaultStranger    = 10 * time.Second
)

// mostCommand returns how many bytes a command may have: it lies in memory twice.
func (o *Options) mostCommand() int { return int(min(wire.MaxCommand, o.Memory/8*3)) }

// handshakeTime is how long a client may take to agree on TLS.
const handshakeTime = 10 * time.Second

// Server answers the clients of Redis. Safe for concurrent use.
type Server struct {
	opts  Options
	space *keyspace.Space
	start time.Time

	mu       sync.Mutex // guards the rest
	sessions map[*session]bool
	watchers map[string]map[*session]bool // by the name of a key
	settings map[string]string            // of CONFIG

	idleSeconds atomic.Int64 // one of settings, as slowMicros
	slowMicros  atomic.Int64 // from which on a command is slow; below 0: none is
	slow        slowLog
	ids         atomic.Int64
	commands    atomic.Int64
	memory      atomic.Int64
	running     sync.WaitGroup
}

// errMemory refuses a command when large ones take too much memory.
const errMemory = replyError("ERR too many large commands and replies at a time: try again")

// errFault is what others than clients are told of a fault.
var errFault = errors.New("sets of --resp can be read and not be written, after a fault of the server: its log says " +
	"more, and a restart ends this")

// New opens the sets of an index. The server must be closed. Errors: as of keyspace.Open.
func New(ctx context.Context, db *uproar.DB, opts Options) (*Server, error) {
	if opts.Connections == 0 {
		opts.Connections = defaultConnections
	}
	if opts.Memory == 0 {
		opts.Memory = defaultMemory
	}
	if opts.Stranger == 0 {
		opts.Stranger = defaultStranger
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	affordable(&opts)
	s := &Server{opts: opts, start: time.Now(), sessions: make(map[*session]bool),
		watchers: make(map[string]map[*session]bool), settings: settings(opts)}
	s.idleSeconds.Store(int64(opts.Idle / time.Second))
	s.slowMicros.Store(slowMicros)
	var err error
	s.space, err = keyspace.Open(ctx, db, opts.Index, s.written, s.failed)
	if err != nil {
		return nil, fmt.Errorf("resp: %w", err)
	}
	return s, nil
}

// connectionShare is which part of the files that the process can still open clients may take: half
// of them may be those of HTTP, and the store needs some.
const connectionShare = 3

// affordable lowers the number of connections to what the process can open.
func affordable(opts *Options) {
	wanted := opts.Connections
	files, err := descriptor.Free(min(wanted, math.MaxInt32/connectionShare) * connectionShare)
	if most := max(1, files/connectionShare); err == nil && most < wanted {
		opts.Connections = most
		opts.Logger.Warn("fewer clients of --resp than MaxConnections: a third of the files that the process can still "+
			"open. Try: a higher limit of open files (ulimit -n)", "clients", most, "wanted", wanted, "files", files)
	}
}

// Close waits for commits under way. Call it after Serve has returned.
func (s *Server) Close() { s.space.Close() }

// Serve answers the clients of a listener until ctx is done. Then it lets commands under way finish
// for at most Options.Drain, and closes all connections and the listener. An error says that the
// listener failed.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	end := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer end()
	var failed error
	for {
		conn, err := ln.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = conn.Close()
			}
			break
		}
		if ne, ok := errors.AsType[net.Error](err); ok && !errors.Is(err, net.ErrClosed) && !ne.Timeout() {
			s.opts.Logger.Warn("no connection of --resp is accepted for a moment", "error", err)
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if err != nil {
			failed = fmt.Errorf("resp: listening on %s: %w", ln.Addr(), errors.Join(err, ln.Close()))
			break
		}
		s.accept(base, conn)
	}
	s.drain(cancel)
	return failed
}

// accept begins to answer a client, or refuses it.
func (s *Server) accept(ctx context.Context, conn net.Conn) {
	one := &session{server: s, ctx: ctx, conn: conn, id: s.ids.Add(1), shown: shown{since: time.Now()},
		bearer: bearer{user: "default", access: Writer}}
	if s.opts.Allow != nil {
		one.bearer.access, one.bearer.looked = Nobody, one.shown.since
	}
	s.mu.Lock()
	full := len(s.sessions) >= int(s.number("maxclients"))
	if !full {
		s.sessions[one] = true
	}
	s.mu.Unlock()
	if full {
		_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
		if s.opts.TLS == nil {
			_, _ = io.WriteString(conn, "-ERR max number of clients reached\r\n")
		}
		_ = conn.Close()
		return
	}
	s.running.Go(func() {
		defer func() {
			one.endMulti()
			s.mu.Lock()
			delete(s.sessions, one)
			s.mu.Unlock()
			_ = conn.Close()
		}()
		defer one.guard()
		if s.opts.TLS != nil {
			secure := tls.Server(conn, s.opts.TLS)
			_ = conn.SetDeadline(time.Now().Add(handshakeTime))
			if err := secure.HandshakeContext(ctx); err != nil {
				return
			}
			_ = conn.SetDeadline(time.Time{})
			s.mu.Lock()
			one.conn = secure
			s.mu.Unlock()
		}
		one.r = wire.NewReader(one.conn)
		defer one.r.Close()
		one.r.Stranger, one.r.Most = one.bearer.access == Nobody, s.opts.mostCommand()
		one.r.Grow = s.grow
		one.serve()
	})
}

// drain ends all connections: those that wait for a command at once, the others when theirs are
// answered.
func (s *Server) drain(cancel func()) {
	ended := make(chan struct{})
	go func() { defer close(ended); s.running.Wait() }()
	s.mu.Lock()
	for one := range s.sessions {
		_ = one.conn.SetReadDeadline(time.Now())
	}
	s.mu.Unlock()
	tick := time.NewTicker(20 * time.Millisecond) // a session may have set its deadline meanwhile
	defer tick.Stop()
	for deadline := time.Now().Add(s.opts.Drain); ; {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		late := time.Now().After(deadline)
		if late {
			cancel()
		}
		s.mu.Lock()
		for one := range s.sessions {
			if _ = one.conn.SetReadDeadline(time.Now()); late {
				_ = one.conn.Close()
			}
		}
		s.mu.Unlock()
	}
}

// grow counts the memory of large commands.
func (s *Server) grow(bytes int) error {
	if s.memory.Add(int64(bytes)) > s.opts.Memory && bytes > 0 {
		s.memory.Add(-int64(bytes))
		return errMemory
	}
	return nil
}

// watch has a session told when something is written to a key. Errors: errMemory.
func (s *Server) watch(one *session, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers[name][one] {
		return nil
	}
	bytes := len(name) + callBytes
	if err := s.grow(bytes); err != nil {
		return err
	}
	if s.watchers[name] == nil {
		s.watchers[name] = make(map[*session]bool)
	}
	s.watchers[name][one] = true
	one.watched = watched{append(one.watched.names, name), one.watched.bytes + bytes}
	return nil
}

// unwatch forgets all keys that a session watches.
func (s *Server) unwatch(one *session) {
	if len(one.watched.names) > 0 {
		s.mu.Lock()
		for _, name := range one.watched.names {
			if delete(s.watchers[name], one); len(s.watchers[name]) == 0 {
				delete(s.watchers, name)
			}
		}
		_ = s.grow(-one.watched.bytes)
		one.watched = watched{}
		s.mu.Unlock()
	}
	one.dirty.Store(false)
}

// written notes keys that were written to; nil: any may have been.
func (s *Server) written(names map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.watchers) == 0 {
		return
	}
	if names == nil {
		for _, of := range s.watchers {
			for one := range of {
				one.dirty.Store(true)
			}
		}
		return
	}
	for name := range names {
		for one := range s.watchers[name] {
			one.dirty.Store(true)
		}
	}
}
