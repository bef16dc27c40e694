// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop

import (
	"bytes"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// connection is one of a loop, and only used by its goroutine.
type connection struct {
	file   int
	remote net.Addr
	owner  Owner
	until  time.Time // when it is closed, if nothing comes or is taken

	long bool   // see Asked
	away bool   // a goroutine makes its answer
	gone bool   // it is closed, or was left
	rest []byte // of an answer that the other side has not taken yet
	done func() // is called when it has, if not nil

	// What follows: the end, or leaving, because something was said that is not for this loop.
	last  bool
	later []byte
}

// longShare is which part of Options.Brief an answer may take that was made by a goroutine, for the next one to be tried without: what takes about that time would be begun in vain again and again.
const longShare = 4

// longPause is how many times as long as an answer took that was too long, whoever asked, none is tried for which others wait: where that is so often, as when pages must be read from the disk, they wait for a fifth of the
// time at most.
const longPause = 4

// late is an answer that a goroutine has made.
type late struct {
	to     *connection
	answer []byte
	done   func()
	took   time.Duration
}

// hear reads what a connection says, and answers it.
func (l *loop) hear(c *connection, now time.Time) {
	n, err := read(c.file, l.said)
	if err == unix.EAGAIN || err == unix.EINTR {
		return
	}
	if err != nil || n == 0 {
		l.close(c)
		return
	}
	said := l.said[:n]
	ending := l.state.Load() != serving
	a := l.answer(l.reply, Asked{Said: said, Remote: c.remote, At: now, Long: c.long || ending || now.Before(l.longUntil), Ending: ending})
	l.reply = a.Memory
	if a.Used == 0 {
		l.leave(c, bytes.Clone(said))
		return
	}
	if c.last = a.Last; !a.Last && a.Used < n {
		c.later = bytes.Clone(said[a.Used:])
	}
	if a.Later != nil {
		l.part(c, a.Later)
		return
	}
	l.sends = append(l.sends, send{c, a.From, len(a.Memory)})
}

// part has a goroutine make an answer. The connection is not listened to until meet.
func (l *loop) part(c *connection, later func() ([]byte, func())) {
	if l.watch(unix.EPOLL_CTL_DEL, c.file, 0) != nil {
		l.close(c)
		return
	}
	c.away = true
	go func() {
		start := time.Now()
		answer, done := later()
		if !l.bring(late{c, answer, done, time.Since(start)}) {
			done()
		}
	}()
}

// bring leaves an answer for the loop, if it has not ended.
func (l *loop) bring(a late) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wake < 0 {
		return false
	}
	l.brought = append(l.brought, a)
	l.rouse()
	return true
}

// meet sends the answers that goroutines have made.
func (l *loop) meet(now time.Time) {
	for _, a := range l.met {
		c := a.to
		if c.gone {
			a.done()
			continue
		}
		c.away, c.rest, c.done = false, a.answer, a.done
		c.long = a.took > l.opts.Brief/longShare
		if l.watch(unix.EPOLL_CTL_ADD, c.file, unix.EPOLLOUT) != nil {
			l.close(c)
			continue
		}
		c.until = now.Add(l.opts.Taking)
		l.sendRest(c, now)
	}
	l.met = nil
}

// send sends the answers that were gathered.
func (l *loop) send(now time.Time) {
	for _, s := range l.sends {
		c := s.to
		taken, err := write(c.file, l.reply[s.from:s.until])
		switch {
		case err != nil:
			l.close(c)
		case s.from+taken == s.until:
			l.sent(c, now)
		default:
			c.rest = bytes.Clone(l.reply[s.from+taken : s.until])
			c.until = now.Add(l.opts.Taking)
			if l.watch(unix.EPOLL_CTL_MOD, c.file, unix.EPOLLOUT) != nil {
				l.close(c)
			}
		}
	}
	l.keepReply()
}

// sendRest sends more of an answer that was not taken at once.
func (l *loop) sendRest(c *connection, now time.Time) {
	taken, err := write(c.file, c.rest)
	if err != nil {
		l.close(c)
		return
	}
	if c.rest = c.rest[taken:]; len(c.rest) > 0 {
		return
	}
	c.forget()
	if l.watch(unix.EPOLL_CTL_MOD, c.file, unix.EPOLLIN) != nil {
		l.close(c)
		return
	}
	l.sent(c, now)
}

// forget lets go of an answer.
func (c *connection) forget() {
	if c.done != nil {
		c.done()
	}
	c.rest, c.done = nil, nil
}

// sent goes on after an answer.
func (l *loop) sent(c *connection, now time.Time) {
	switch {
	case c.last:
		l.close(c)
	case c.later != nil && l.state.Load() != serving: // nobody may be there to take it
		l.close(c)
	case c.later != nil:
		l.leave(c, c.later)
	default:
		c.until = now.Add(l.opts.Idle)
	}
}

// write writes as much as the other side takes at present.
func write(file int, b []byte) (n int, err error) {
	for n < len(b) {
		some, err := writeSome(file, b[n:min(len(b), n+atOnce)])
		if err == unix.EAGAIN {
			return n, nil
		}
		if err != nil && err != unix.EINTR {
			return n, err
		}
		n += max(some, 0)
	}
	return n, nil
}

// leave gives a connection back to its owner.
func (l *loop) leave(c *connection, said []byte) {
	_ = l.watch(unix.EPOLL_CTL_DEL, c.file, 0) // closing would not do: the owner's file is the same one
	f := os.NewFile(uintptr(c.file), "connection")
	conn, err := net.FileConn(f)
	l.remove(c)
	if err != nil { // no more files can be opened
		_, _ = write(c.file, l.opts.Sorry)
		_ = f.Close()
		c.owner.Closed()
		return
	}
	_ = f.Close()
	c.owner.Left(conn, said)
}

func (l *loop) close(c *connection) {
	l.remove(c)
	_ = unix.Close(c.file)
	c.owner.Closed()
}

// remove takes a connection off the list, before its file is closed: the next one may have the same.
func (l *loop) remove(c *connection) {
	c.gone = true
	c.forget()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, int32(c.file))
}
