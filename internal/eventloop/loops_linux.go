// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Loops serve connections until they are stopped. Safe for concurrent use; nil has none, and takes none.
type Loops struct {
	all  []*loop
	next atomic.Uint32 // the loop of the next connection
}

// New starts loops. Each has three open files. Errors: those of the system, as that there can be no more open files.
func New(opts *Options) (*Loops, error) {
	ls := new(Loops)
	for range max(opts.Loops, 1) {
		l, err := newLoop(opts)
		if err != nil {
			for _, l := range ls.all {
				l.closeFiles()
			}
			return nil, fmt.Errorf("eventloop: %w", err)
		}
		ls.all = append(ls.all, l)
	}
	for _, l := range ls.all {
		go l.run()
	}
	return ls, nil
}

// errStopped is why a connection is not taken.
var errStopped = errors.New("eventloop: stopped")

// Add has a loop serve a connection from now on. conn is closed: the loop has a file of its own for it. After an error nothing has happened: conn is of another type than those that a net.Listener of the system gives (one around them may do what a loop does not
// know of), there can be no more open files, or the loops were stopped.
func (ls *Loops) Add(conn net.Conn, owner Owner) error {
	var raw syscall.RawConn
	var err error
	switch conn := conn.(type) {
	case *net.TCPConn:
		raw, err = conn.SyscallConn()
	case *net.UnixConn:
		raw, err = conn.SyscallConn()
	default:
		return fmt.Errorf("eventloop: a %T: %w", conn, errors.ErrUnsupported)
	}
	if err != nil {
		return fmt.Errorf("eventloop: %w", err)
	}
	file := -1
	if failed := raw.Control(func(fd uintptr) { file, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); failed != nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("eventloop: %w", err)
	}
	l := ls.all[int(ls.next.Add(1))%len(ls.all)]
	c := &connection{file: file, remote: conn.RemoteAddr(), owner: owner, until: time.Now().Add(l.opts.First)}
	// Before a loop may say that it was closed.
	if err := l.add(c, func() { _ = conn.Close() }); err != nil {
		_ = unix.Close(file)
		return err
	}
	return nil
}

// Stop ends the loops. It returns when all requests that have come are answered or being answered, or their connections left, and all other connections are closed; what was said behind a request that is not answered yet is not answered. Wait waits for the answers that are being made, or taken.
func (ls *Loops) Stop() {
	if ls == nil {
		return
	}
	for _, l := range ls.all {
		l.stop()
	}
	for _, l := range ls.all {
		<-l.quiet
	}
}

// Wait returns when all answers were made and taken after Stop. When ctx is done before, it cuts the others off, and returns its error.
func (ls *Loops) Wait(ctx context.Context) error {
	if ls == nil {
		return nil
	}
	var cut error
	for _, l := range ls.all {
		select {
		case <-l.ended:
			continue
		case <-ctx.Done():
		}
		select {
		case <-l.ended: // at the same time
			continue
		default:
		}
		l.cut()
		<-l.ended
		cut = ctx.Err()
	}
	return cut
}
