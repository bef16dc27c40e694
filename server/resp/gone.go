// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"crypto/tls"
	"net"
	"syscall"
	"time"
)

// Errors of a command that is not carried on with.
const (
	errGone = replyError("ERR the client has gone")
	errLate = replyError("ERR the command took longer than --timeout allows. Try: a pattern with fewer *")
)

// wanted returns what a long command asks now and then: whether its client waits for it. The
// commands of a transaction have one time together.
func wanted(c *call) func() error {
	began := c.began
	if began.IsZero() {
		began = time.Now()
	}
	return func() error {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if most := c.server.opts.Timeout; most > 0 && time.Since(began) > most {
			return errLate
		}
		if hasGone(c.conn) {
			return errGone
		}
		return nil
	}
}

// hasGone reports whether a client has closed its connection, and nothing of it is left to be read.
func hasGone(conn net.Conn) (gone bool) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	of, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return true
	}
	return raw.Control(func(fd uintptr) { gone = atEnd(fd) }) != nil || gone
}
