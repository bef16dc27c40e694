// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// Bounds of closing a connection whose client may still be sending.
const (
	lingerTime  = 5 * time.Second // altogether
	lingerQuiet = 2 * time.Second // without a byte
)

// leastRead is how much room a head that comes in pieces has for the next one.
const leastRead = 512

// A Conn is a connection that lets through only requests that are whole and valid. Read
// returns a head when it has come as a whole, so that no reader behind it sees a part.
// One goroutine reads it at a time, and one writes. Deadlines and closing are safe for
// concurrent use.
type Conn struct {
	net.Conn // the bytes of requests: a socket, or TLS on one
	socket   *socket
	headTime time.Duration // a head may take so long

	framer  framer
	held    []byte // bytes that were received, and not yet read
	good    int    // bytes of held that are checked
	timed   bool   // the head at hand has its deadline
	failure error  // what Read returns when nothing good is left
	told    bool   // a reader has seen a byte of the request that failed

	ended  atomic.Bool // the client sends no more
	closed atomic.Bool // by who had it from Accept
}

// Read returns checked bytes. When the next request is refused, it returns one byte more
// and then the *Error: a parser must see that a request has begun to answer it.
func (c *Conn) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if c.good > 0 {
			n := copy(p, c.held[:c.good])
			c.good -= n
			if c.held = c.held[n:]; len(c.held) == 0 {
				c.held = nil
			}
			return n, nil
		}
		if c.failure != nil {
			if _, ok := c.failure.(*Error); ok && c.framer.between() && !c.told {
				c.told = true
				c.socket.set(receiving) // the answer to it must not get lost
				p[0] = '!'
				return 1, nil
			}
			return 0, c.failure
		}
		n, err := c.receive(p)
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// receive takes what comes next from the connection. What is good of it is in p, or held
// if something was held before.
func (c *Conn) receive(p []byte) (n int, err error) {
	if len(c.held) == 0 {
		n, err = c.Conn.Read(p)
		good := c.check(p[:n])
		if c.failure == nil {
			c.held = append(c.held, p[good:n]...)
		}
		n = good
	} else {
		c.boundHead()
		c.held = slices.Grow(c.held, leastRead)
		var more int
		more, err = c.Conn.Read(c.held[len(c.held):cap(c.held)])
		c.held = c.held[:len(c.held)+more]
		c.good = c.check(c.held)
	}
	if err != nil && c.failure == nil {
		err = c.broken(err)
	}
	if n > 0 || c.good > 0 || c.failure != nil {
		return n, nil // a failure is for the next call
	}
	return 0, err
}

// check has the framer look at bytes, and returns how many are good.
func (c *Conn) check(b []byte) int {
	waited := c.framer.between()
	good, err := c.framer.scan(b)
	if err != nil {
		c.failure = err
	}
	if good > 0 || err != nil {
		c.timed = false
		if waited && c.socket.state() == waiting { // otherwise an earlier request is being answered
			c.socket.set(receiving)
		}
	}
	return good
}

// boundHead sets the deadline of a head that comes in pieces.
func (c *Conn) boundHead() {
	if c.framer.between() && !c.timed && !c.blank() {
		c.timed = true
		_ = c.Conn.SetReadDeadline(time.Now().Add(c.headTime)) // an error comes with the next Read
	}
}

// blank reports whether what is held is nothing but the empty line that may stand before
// a request.
func (c *Conn) blank() bool { return len(c.held) <= 2 && c.held[0] == '\r' }

// broken says what an error of the connection means for the request at hand. What it
// returns is for this call of Read alone; what ends the connection is its failure.
func (c *Conn) broken(err error) error {
	timeout := errors.Is(err, os.ErrDeadlineExceeded)
	if !timeout {
		c.ended.Store(true)
	}
	switch {
	case c.framer.between() && len(c.held) > 0 && !c.blank():
		if timeout {
			c.failure = refuse(408, "the head of the request did not come within %v", c.headTime)
		} else {
			c.failure = bad("the connection ended in the head of a request")
		}
		c.socket.set(receiving)
		return nil
	case timeout:
		return err
	case err == io.EOF && !c.framer.between():
		err = io.ErrUnexpectedEOF
	}
	c.failure = err
	return nil
}

// BeginAnswer notes that a request is being answered. The connection keeps its place until
// Waiting.
func (c *Conn) BeginAnswer() { c.socket.set(inAnswer) }

// Waiting notes that the next request is waited for. The connection may be closed for
// another one from now on.
func (c *Conn) Waiting() { c.socket.set(waiting) }

// Close closes the connection. If its client may still be sending a request, which was
// refused or answered early, Close reads on for a moment: otherwise the system would
// reset the connection, and the client would lose the answer.
func (c *Conn) Close() error {
	if !c.ended.Load() && c.socket.state() != waiting {
		c.linger()
	}
	err := c.Conn.Close()
	if !c.closed.Swap(true) {
		c.socket.of.inUse.Add(-1)
	}
	return err
}

// Abort closes the connection at once, also while Close reads on.
func (c *Conn) Abort() { _ = c.socket.Close() }

// halfCloser is a connection that can close one direction.
type halfCloser interface{ CloseWrite() error }

// linger ends what is sent, and reads until the client has ended, too.
func (c *Conn) linger() {
	if secured, ok := c.Conn.(halfCloser); ok {
		_ = secured.CloseWrite() // TLS says that it is the end
	}
	c.socket.set(leaving)
	below := c.socket.Conn
	if half, ok := below.(halfCloser); !ok || half.CloseWrite() != nil {
		return
	}
	rest := make([]byte, 16<<10)
	for end := time.Now().Add(lingerTime); ; {
		now := time.Now()
		until := now.Add(lingerQuiet)
		if until.After(end) {
			until = end
		}
		if !now.Before(end) || below.SetReadDeadline(until) != nil {
			return
		}
		if _, err := below.Read(rest); err != nil {
			return
		}
	}
}
