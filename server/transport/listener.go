// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Options sets up a Listener.
type Options struct {
	Most       int // connections at a time
	PerAddress int // connections of one address outside of this machine; 0: as many as there may be
	Refusals   int // refused connections at a time that may take their answer

	TLS      *tls.Config   // nil: connections are not encrypted
	HeadTime time.Duration // a head may take so long, from its first byte on
	MaxHead  int           // bytes of a head
	MaxBody  int64         // bytes of a body whose length is known
	Slack    time.Duration // deadlines may come so much too early
	Refusal  []byte        // what refused connections are told, unless they speak TLS

	// AnyBody reports whether the body of a request may be longer than MaxBody. Nil: none may.
	AnyBody func(method, target []byte) bool

	Refused  func()      // is called for each connection that is refused
	GaveWay  func()      // is called for each connection that was closed for another one
	Troubled func(error) // is told why no connection is accepted for a while
}

// A Listener has a bounded number of connections. A new connection beyond that takes the place of
// the one that has waited longest for a request. If none waits, the new one gets an answer that
// says so, and is closed. The same happens once the listener has closed as many connections as it
// may have, and the server has not noticed yet.
type Listener struct {
	net.Listener
	opts  Options
	began time.Time

	closing sync.Once
	closed  error // what closing has said
	leaving atomic.Int64
	inUse   atomic.Int64 // what Accept has returned and nobody has closed, open or not

	mu        sync.Mutex
	open      map[*socket]*Conn
	addresses map[netip.Prefix]int // open connections
}

const (
	// refusalTime is how long a refused connection may take to leave.
	refusalTime = time.Second

	// firstTime is how long a new connection may take to send its first request when the server
	// stops.
	firstTime = 500 * time.Millisecond

	// slowTime is how long a request may have been coming before its connection gives way.
	slowTime = time.Second

	// leastUnnoticed is how many connections may always have given way without notice of who serves
	// them.
	leastUnnoticed = 64

	// shortestPause and longestPause are how long connections are left waiting after an
	// error of accepting that passes, at first and at most.
	shortestPause = 5 * time.Millisecond
	longestPause  = 100 * time.Millisecond
)

// NewListener returns a Listener of the connections of ln, which it closes.
func NewListener(ln net.Listener, opts Options) *Listener {
	return &Listener{
		Listener: ln, opts: opts, began: time.Now(),
		open: make(map[*socket]*Conn), addresses: make(map[netip.Prefix]int),
	}
}

// Accept returns the next connection for which there is room: a *Conn. It waits for the
// end of errors that pass, such as too many open files.
func (l *Listener) Accept() (net.Conn, error) {
	for pause := shortestPause; ; {
		conn, err := l.Listener.Accept()
		if isPassing(err) {
			if pause == shortestPause {
				l.opts.Troubled(err)
			}
			time.Sleep(pause)
			pause = min(2*pause, longestPause)
			continue
		}
		if err != nil {
			return nil, err
		}
		pause = shortestPause
		if c := l.admit(conn); c != nil {
			return c, nil
		}
		l.opts.Refused()
		l.reject(conn)
	}
}

// Close closes the listener, but none of its connections. Later calls say what the first
// one said.
func (l *Listener) Close() error {
	l.closing.Do(func() { l.closed = l.Listener.Close() })
	return l.closed
}

// Open returns how many connections are open.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// CloseWaiting closes the connections that wait for a request. Those that have had none yet have
// firstTime for it: who has just connected may have sent it, and would not ask again.
func (l *Listener) CloseWaiting() {
	wait := func(s *socket) bool { return s.state() == waiting }
	l.closeEach(func(s *socket) bool { return wait(s) && s.asked.Load() })
	fresh := func(s *socket) bool { return wait(s) && !s.asked.Load() }
	for end := time.Now().Add(firstTime); time.Now().Before(end) && l.any(fresh); {
		time.Sleep(time.Millisecond)
	}
	l.closeEach(wait)
}

// any reports whether there is a connection of some kind.
func (l *Listener) any(which func(*socket) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.open {
		if which(s) {
			return true
		}
	}
	return false
}

// Abort closes all connections at once.
func (l *Listener) Abort() { l.closeEach(func(*socket) bool { return true }) }

func (l *Listener) closeEach(which func(*socket) bool) {
	l.mu.Lock()
	var chosen []*Conn
	for s, c := range l.open {
		if which(s) {
			chosen = append(chosen, c)
		}
	}
	l.mu.Unlock()
	for _, c := range chosen {
		c.Abort()
	}
}

// admit gives a connection a place, its own or that of one that waits. It returns nil if
// there is none.
func (l *Listener) admit(conn net.Conn) *Conn {
	s := newSocket(conn, l)
	c := &Conn{Conn: s, socket: s, headTime: l.opts.HeadTime, framer: framer{maxHead: l.opts.MaxHead,
		maxBody: l.opts.MaxBody, anyBody: l.opts.AnyBody}}
	if l.opts.TLS != nil {
		c.Conn = tls.Server(s, l.opts.TLS)
	}
	s.set(waiting)
	if l.inUse.Load() >= int64(l.opts.Most+max(l.opts.Most, leastUnnoticed)) {
		return nil
	}
	l.mu.Lock()
	var victim *socket
	crowdedAddress := l.opts.PerAddress > 0 && s.address.IsValid() && l.addresses[s.address] >= l.opts.PerAddress
	crowded := len(l.open) >= l.opts.Most
	if crowdedAddress || crowded {
		victim = l.longestWaiting(func(other *socket) bool { return !crowdedAddress || other.address == s.address })
		if victim == nil {
			l.mu.Unlock()
			return nil
		}
		l.remove(victim)
	}
	l.open[s] = c
	if s.address.IsValid() {
		l.addresses[s.address]++
	}
	l.mu.Unlock()
	l.inUse.Add(1)
	if victim != nil {
		l.opts.GaveWay()
		_ = victim.Close()
	}
	return c
}

// longestWaiting returns the connection that has waited longest for its client, of those
// that may be closed: one that waits for a request, or if none does, one whose request has
// been coming for slowTime. Any other request may be complete, and its client would not
// know whether it was answered. It returns nil if there is none.
func (l *Listener) longestWaiting(may func(*socket) bool) *socket {
	var idle, slow *socket
	slowSince := int64(time.Since(l.began) - slowTime)
	for s := range l.open {
		if !may(s) {
			continue
		}
		since := s.since.Load()
		switch state := s.state(); {
		case (state == waiting || state == leaving) && (idle == nil || since < idle.since.Load()):
			idle = s
		case state == receiving && since <= slowSince && (slow == nil || since < slow.since.Load()):
			slow = s
		}
	}
	if idle == nil {
		return slow
	}
	return idle
}

// forget gives back the place of a connection. It does nothing the second time.
func (l *Listener) forget(s *socket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(s)
}

func (l *Listener) remove(s *socket) {
	if _, ok := l.open[s]; !ok {
		return
	}
	delete(l.open, s)
	if l.addresses[s.address]--; l.addresses[s.address] <= 0 {
		delete(l.addresses, s.address)
	}
}

// reject answers a connection without reading its request, and closes it. With TLS, or if too many
// refused connections still take their answer, it only closes it.
func (l *Listener) reject(conn net.Conn) {
	if l.opts.TLS != nil || l.leaving.Add(1) > int64(l.opts.Refusals) {
		if l.opts.TLS == nil {
			l.leaving.Add(-1)
		}
		_ = conn.Close()
		return
	}
	go func() {
		defer l.leaving.Add(-1)
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(refusalTime))
		// What the client sends is read: closing before that could take the answer back.
		if _, err := conn.Write(l.opts.Refusal); err != nil {
			return
		}
		if half, ok := conn.(halfCloser); ok && half.CloseWrite() == nil {
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, int64(l.opts.MaxHead)))
		}
	}()
}

// passing are the errors of accepting that say nothing of the listener: others have what
// it takes, or a client has left.
var passing = []error{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.ECONNRESET,
	syscall.EINTR,
}

// isPassing reports whether accepting may succeed later.
func isPassing(err error) bool {
	return slices.ContainsFunc(passing, func(target error) bool { return errors.Is(err, target) })
}
