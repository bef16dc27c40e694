// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
)

// turns lets so many calls be worked on at a time. As many again as there is room for wait for their turn, for a short time: who waits longer would rather ask
// elsewhere, and a server that has more to do than it can is then done with what waits within that time.
type turns struct {
	working chan struct{} // has one for each that is worked on
	waiting atomic.Int64
	room    int64
	wait    time.Duration
}

func newTurns(working, waiting int, wait time.Duration) *turns {
	return &turns{working: make(chan struct{}, working), room: int64(waiting), wait: wait}
}

// take waits for a turn. Who got one gives it back.
func (t *turns) take(ctx context.Context) error {
	select {
	case t.working <- struct{}{}:
		return nil
	default:
	}
	if t.waiting.Add(1) > t.room {
		t.waiting.Add(-1)
		return overloaded("more requests are waiting than this server has room for; try again later")
	}
	defer t.waiting.Add(-1)
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	select {
	case t.working <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded(fmt.Sprintf("this request had no turn within %v; try again later", t.wait))
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *turns) give() { <-t.working }

func overloaded(message string) error {
	return &api.Error{Code: api.CodeOverloaded, Message: message}
}

// crowded is a listener that has so many connections at a time. Those beyond are told so and closed, before anything is read of them.
type crowded struct {
	net.Listener
	most    int64
	slack   time.Duration // by how much deadlines of connections may come too early
	yields  bool          // others may have the processor between requests (Options.Slice)
	refusal []byte        // nil: nothing that the other side would understand
	open    atomic.Int64
	refused func()

	closing sync.Once
	closed  error // what closing has said

	troubled    func(error)    // is told why no connection is accepted for a while
	left        func(*counted) // serves a connection that a loop has left
	leaving     atomic.Int64
	mostLeaving int64
}

const (
	// maxLeaving is how many refused connections may be taking their answer, unless there may be fewer others, or few files.
	maxLeaving = 256

	// leaveTime is how long the other side is waited for to take it.
	leaveTime = time.Second
)

// Accept returns the next connection for which there is room. Errors that pass, as that too many files are open, are waited for.
func (l *crowded) Accept() (net.Conn, error) {
	for pause := shortestAcceptPause; ; {
		conn, err := l.Listener.Accept()
		if isPassing(err) {
			if pause == shortestAcceptPause {
				l.troubled(err)
			}
			time.Sleep(pause)
			pause = min(2*pause, longestAcceptPause)
			continue
		}
		if err != nil {
			return nil, err
		}
		pause = shortestAcceptPause
		if l.open.Add(1) <= l.most {
			return newCounted(conn, l), nil
		}
		l.open.Add(-1)
		l.refused()
		if l.refusal == nil || l.leaving.Load() >= l.mostLeaving {
			_ = conn.Close()
			continue
		}
		l.leaving.Add(1)
		go l.dismiss(conn)
	}
}

// Close closes the listener. Later calls say what the first one said.
func (l *crowded) Close() error {
	l.closing.Do(func() { l.closed = l.Listener.Close() })
	return l.closed
}

// dismiss answers a connection without a look at what it wants. What was sent is read, because closing before that could take the answer back.
func (l *crowded) dismiss(conn net.Conn) {
	defer l.leaving.Add(-1)
	defer conn.Close()
	// A new connection has room for so few bytes: that takes no time, but for waiting for a processor.
	_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := conn.Write(l.refusal)
	_ = conn.SetReadDeadline(time.Now().Add(leaveTime))
	if half, ok := conn.(interface{ CloseWrite() error }); ok && err == nil && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(conn, maxHeader))
	}
}

// counted is a connection that leaves room for another when it is closed.
type counted struct {
	net.Conn
	of     *crowded
	closed atomic.Bool
	reads  int    // of the goroutine that serves it
	said   []byte // what a loop has read, and is to be read again
	begun  func() // called with the first read, if not nil

	reading, writing connDeadline
}

func newCounted(conn net.Conn, of *crowded) *counted {
	return &counted{Conn: conn, of: of, reading: connDeadline{set: conn.SetReadDeadline, slack: of.slack}, writing: connDeadline{set: conn.SetWriteDeadline, slack: of.slack}}
}

// Read reads from the connection, and now and then lets others have the processor before.
func (c *counted) Read(p []byte) (int, error) {
	if c.reads++; c.of.yields && c.reads%readsPerYield == 0 {
		yield()
	}
	if c.begun != nil {
		c.begun()
		c.begun = nil
	}
	if len(c.said) > 0 {
		n := copy(p, c.said)
		if c.said = c.said[n:]; len(c.said) == 0 {
			c.said = nil // and with it all that was said
		}
		return n, nil
	}
	if err := c.reading.begin(); err != nil {
		return 0, err
	}
	defer c.reading.end()
	return c.Conn.Read(p)
}

// Write writes to the connection.
func (c *counted) Write(p []byte) (int, error) {
	if err := c.writing.begin(); err != nil {
		return 0, err
	}
	defer c.writing.end()
	return c.Conn.Write(p)
}

// SetReadDeadline says until when may be read. It may come a little early.
func (c *counted) SetReadDeadline(t time.Time) error { return c.reading.until(t) }

// SetWriteDeadline says until when may be written. It may come a little early.
func (c *counted) SetWriteDeadline(t time.Time) error { return c.writing.until(t) }

// SetDeadline sets both.
func (c *counted) SetDeadline(t time.Time) error {
	return errors.Join(c.reading.until(t), c.writing.until(t))
}

// Close closes the connection.
func (c *counted) Close() error {
	if c.closed.CompareAndSwap(false, true) {
		c.of.open.Add(-1)
	}
	return c.Conn.Close()
}

// crowdedAnswer is what connections beyond the limit are told.
func crowdedAnswer() []byte {
	body := api.ErrorReply{Error: api.Error{Code: api.CodeOverloaded, Message: "this server has as many connections as it may have; try again later"}}.AppendJSON(nil)
	return fmt.Appendf(nil, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: 1\r\nConnection: close\r\n\r\n%s\n",
		contentJSON, len(body)+1, body)
}
