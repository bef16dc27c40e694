// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// eventsAtOnce is how many connections are asked for that have said something.
const eventsAtOnce = 256

// loop serves its connections in one goroutine. Others only change its state, and what stands behind mu.
type loop struct {
	opts   *Options
	answer Answer
	epoll  int
	wake   int // an eventfd that ends a wait
	share  *share

	state atomic.Int32  // only goes on
	quiet chan struct{} // closed when only those are left who have not taken their answer
	ended chan struct{}

	mu      sync.Mutex
	conns   map[int32]*connection // by file
	shut    bool                  // there are no more
	brought []late                // answers that goroutines have made since the loop looked

	events []unix.EpollEvent
	ready  []*connection // those that have said something, or can take more
	met    []late
	said   []byte // what was read last
	reply  []byte // answers that are not sent yet
	sends  []send
	swept  time.Time // when was looked whose time is over

	longUntil time.Time // until when no answer is tried for which others would wait
}

// send is an answer in loop.reply.
type send struct {
	to          *connection
	from, until int
}

// States of a loop.
const (
	serving = iota
	stopping
	cutting
)

func newLoop(opts *Options) (*loop, error) {
	l := &loop{opts: opts, answer: opts.Answer(), epoll: -1, wake: -1, quiet: make(chan struct{}), ended: make(chan struct{}), conns: make(map[int32]*connection),
		events: make([]unix.EpollEvent, eventsAtOnce), said: make([]byte, roomy)}
	err := l.openFiles()
	if err != nil {
		l.closeFiles()
		return nil, err
	}
	return l, nil
}

func (l *loop) openFiles() (err error) {
	if l.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if l.wake, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	if l.share, err = newShare(); err != nil {
		return err
	}
	return l.watch(unix.EPOLL_CTL_ADD, l.wake, unix.EPOLLIN)
}

// closeFiles is called once nobody serves. A file that is closed may be another's at the next moment, so mu is held.
func (l *loop) closeFiles() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, file := range []*int{&l.epoll, &l.wake} {
		if *file >= 0 {
			_ = unix.Close(*file)
		}
		*file = -1
	}
	if l.share != nil {
		l.share.close()
	}
	for _, a := range l.brought {
		a.done()
	}
}

// watch has the system tell of a file, or changes of what.
func (l *loop) watch(change, file int, events uint32) error {
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(l.epoll, change, file, &unix.EpollEvent{Events: events, Fd: int32(file)}))
}

// add takes a connection, unless the loop is being stopped.
func (l *loop) add(c *connection, taken func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut {
		return errStopped
	}
	if err := l.watch(unix.EPOLL_CTL_ADD, c.file, unix.EPOLLIN); err != nil {
		return err
	}
	taken()
	l.conns[int32(c.file)] = c
	return nil
}

func (l *loop) stop() { l.advance(stopping) }
func (l *loop) cut()  { l.advance(cutting) }

// advance goes on to a later state.
func (l *loop) advance(state int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Load() >= state {
		return
	}
	l.state.Store(state)
	l.rouse()
}

// rouse ends a wait. mu is held.
func (l *loop) rouse() {
	if l.wake >= 0 {
		_, _ = unix.Write(l.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}
}

// run serves until the last connection is closed after stop.
func (l *loop) run() {
	defer close(l.ended)
	defer l.closeFiles()
	l.swept = time.Now()
	shared := l.swept
	for {
		waited := l.wait()
		now := time.Now()
		if waited > retakeTime {
			shared = now
		}
		l.serve(now)
		if state := l.state.Load(); state != serving && !l.drain(state) { // after wait, which what changes it has ended
			return
		}
		if now.Sub(l.swept) >= l.opts.sweepTime() {
			l.sweep(now)
		}
		if now.Sub(shared) >= shareTime {
			l.share.processor()
			shared = now
		} else {
			runtime.Gosched()
		}
	}
}

// wait finds what can be gone on with, and returns how long it waited. To yield the processor before it sleeps, so that clients need not wake it, would bring 2 % more answers, and leave a ninth of them beside a process that computes without end.
func (l *loop) wait() time.Duration {
	if l.look(0) {
		return 0
	}
	start := time.Now()
	l.look(l.opts.sweepTime())
	return time.Since(start)
}

// look finds the connections and the answers that can be gone on with. It returns whether something has happened.
func (l *loop) look(wait time.Duration) bool {
	var n int // an error is that a signal came
	if wait == 0 {
		n, _ = poll(l.epoll, l.events)
	} else {
		n, _ = unix.EpollWait(l.epoll, l.events, int(wait.Milliseconds()))
	}
	l.ready = l.ready[:0]
	if n <= 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events[:n] {
		if c := l.conns[e.Fd]; c != nil {
			l.ready = append(l.ready, c)
		} else if int(e.Fd) == l.wake {
			var count [8]byte
			_, _ = unix.Read(l.wake, count[:])
			l.met, l.brought = l.brought, nil
		}
	}
	return true
}

// serve answers those that have said something, and sends more to those that can take it.
func (l *loop) serve(now time.Time) {
	l.meet(now)
	began := now
	for _, c := range l.ready {
		if len(l.reply) > gathered || now.Sub(began) > gatherTime {
			l.send(now)
			began = now
		}
		start := now
		if len(c.rest) > 0 {
			l.sendRest(c, start)
			now = time.Now()
			continue
		}
		l.hear(c, start)
		now = time.Now()
		took := now.Sub(start)
		if !c.away {
			c.long = took > l.opts.Brief
		}
		if took > l.opts.Brief {
			l.longUntil = now.Add(longPause * took)
		}
	}
	l.send(now)
}

// drain closes those that have nothing to take any more, and returns whether there are others. What they said before is answered first.
func (l *loop) drain(state int32) bool {
	if !l.isShut() {
		for range 1 + l.shutDown()/len(l.events) {
			l.look(0)
			l.serve(time.Now())
		}
		defer close(l.quiet)
	}
	l.closeThose(func(c *connection) bool { return !c.away && len(c.rest) == 0 || state == cutting })
	return len(l.conns) > 0
}

func (l *loop) isShut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shut
}

// shutDown lets no more connections come, and returns how many there are.
func (l *loop) shutDown() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut = true
	return len(l.conns)
}

// sweep closes those whose time is over.
func (l *loop) sweep(now time.Time) {
	l.swept = now
	l.closeThose(func(c *connection) bool { return !c.away && now.After(c.until) })
}

func (l *loop) closeThose(of func(*connection) bool) {
	var those []*connection
	l.mu.Lock()
	for _, c := range l.conns {
		if of(c) {
			those = append(those, c)
		}
	}
	l.mu.Unlock()
	for _, c := range those {
		l.close(c)
	}
}

// keepReply lets go of answers that were sent, and of their memory if it is large.
func (l *loop) keepReply() {
	l.reply = l.reply[:0]
	if cap(l.reply) > keptReply {
		l.reply = nil
	}
	clear(l.sends) // which forgets the connections
	l.sends = l.sends[:0]
}
