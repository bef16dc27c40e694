// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// state is what a connection does, as far as it matters for whether it may be closed.
type state int64

const (
	waiting   state = iota // for a request
	receiving              // a request whose head has come
	inAnswer               // a request
	leaving                // answered for the last time, until the client ends, too
)

// A socket is a connection that a Listener counts. Its deadlines are set when somebody
// waits for them.
type socket struct {
	net.Conn
	of      *Listener
	address netip.Prefix // of the client, if it is counted

	asked atomic.Bool  // at least once
	doing atomic.Int64 // state
	since atomic.Int64 // when that began, in nanoseconds since the Listener began

	reading, writing connDeadline
}

func newSocket(conn net.Conn, of *Listener) *socket {
	return &socket{
		Conn: conn, of: of, address: addressOf(conn.RemoteAddr()),
		reading: connDeadline{set: conn.SetReadDeadline, slack: of.opts.Slack},
		writing: connDeadline{set: conn.SetWriteDeadline, slack: of.opts.Slack},
	}
}

// set notes what the connection does from now on.
func (s *socket) set(to state) {
	s.doing.Store(int64(to))
	if to == receiving || to == inAnswer {
		s.asked.Store(true)
	}
	if to != inAnswer {
		s.since.Store(int64(time.Since(s.of.began)))
	}
}

func (s *socket) state() state { return state(s.doing.Load()) }

// Read reads from the connection.
func (s *socket) Read(p []byte) (int, error) {
	if err := s.reading.begin(); err != nil {
		return 0, err
	}
	defer s.reading.end()
	return s.Conn.Read(p)
}

// Write writes to the connection.
func (s *socket) Write(p []byte) (int, error) {
	if err := s.writing.begin(); err != nil {
		return 0, err
	}
	defer s.writing.end()
	return s.Conn.Write(p)
}

// SetReadDeadline says until when may be read. It may come a little early.
func (s *socket) SetReadDeadline(t time.Time) error { return s.reading.until(t) }

// SetWriteDeadline says until when may be written. It may come a little early.
func (s *socket) SetWriteDeadline(t time.Time) error { return s.writing.until(t) }

// SetDeadline sets both.
func (s *socket) SetDeadline(t time.Time) error {
	return errors.Join(s.reading.until(t), s.writing.until(t))
}

// Close closes the connection, and gives its place back.
func (s *socket) Close() error {
	s.of.forget(s)
	return s.Conn.Close()
}

// addressOf returns the address that connections of one client share. For IPv6 it is the network of
// 64 bits, because a client has as many addresses in it as it likes. It is zero if there is no
// address. It is also zero for this machine: its programs are trusted, and its proxies speak for
// many clients.
func addressOf(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	if !ip.IsValid() || ip.IsLoopback() {
		return netip.Prefix{}
	}
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	prefix, _ := ip.Prefix(bits) // fits both
	return prefix
}
