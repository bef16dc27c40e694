// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package groupcommit is what back ends have around an engine that lives in files: the line in
// which the batches of concurrent callers wait to be committed together, the failure that ends
// writing, and the gate that calls pass until the store is closed.
//
// The term is that of Implementation Techniques for Main Memory Database Systems, 1984.
package groupcommit

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

const (
	// groupBytes bounds the batches that are committed together. More of them save syncs, which
	// beyond a megabyte or two are lost in the time of writing.
	groupBytes = 2 << 20

	queueLength = 256                    // batches that wait; others wait to be in the line
	lookEvery   = 100 * time.Millisecond // how often Look looks
)

// ErrLate is the failure of a store whose disk did not answer while it was closed.
var ErrLate = errors.New("the disk did not answer in time")

// Line is the line of a store. B is a batch as its engine takes it. All methods are safe for
// concurrent use; one goroutine calls Run.
type Line[B any] struct {
	name     string
	readOnly bool
	freeze   func()

	gate    sync.RWMutex // held for reading by every call
	closing atomic.Bool
	ending  chan struct{}
	queue   chan *Waiting[B]
	looked  atomic.Int64 // when Look has looked, in nanoseconds

	mu     sync.Mutex
	failed atomic.Pointer[error]
	broken chan struct{}
}

// New returns the line of a back end, with whose name errors begin. freeze is called once, when
// there is a failure, and has readers see what was acknowledged.
func New[B any](name string, readOnly bool, freeze func()) *Line[B] {
	return &Line[B]{name: name, readOnly: readOnly, freeze: freeze, ending: make(chan struct{}),
		queue: make(chan *Waiting[B], queueLength), broken: make(chan struct{})}
}

// Enter lets a call in. If it returns nil the caller must call Leave. Errors: store.ErrClosed; for
// writing also store.ErrReadOnly and the failure.
func (l *Line[B]) Enter(write bool) (err error) {
	if l.closing.Load() { // which may wait for a call that hangs
		return store.ErrClosed
	}
	l.gate.RLock()
	switch {
	case l.closing.Load():
		err = store.ErrClosed
	case write && l.readOnly:
		err = store.ErrReadOnly
	case write:
		err = l.Failure()
	}
	if err != nil {
		l.gate.RUnlock()
	}
	return err
}

// Leave ends a call that was let in.
func (l *Line[B]) Leave() { l.gate.RUnlock() }

// Waiting is a batch in the line.
type Waiting[B any] struct {
	Batch B
	size  int
	err   error
	done  chan struct{}
}

// Finish tells the caller of Commit what it returns. It is to be called under UnlessFailed.
func (w *Waiting[B]) Finish(err error) {
	w.err = err
	close(w.done)
}

// Commit has Run commit a batch of so many bytes and waits for it: until it is finished, or there
// is a failure.
func (l *Line[B]) Commit(batch B, size int) error {
	w := &Waiting[B]{Batch: batch, size: size, done: make(chan struct{})}
	select {
	case l.queue <- w:
	case <-l.broken:
		return l.Failure()
	}
	select {
	case <-w.done:
	case <-l.broken:
		select {
		case <-w.done: // before the failure
		default:
			return l.Failure()
		}
	}
	return w.err
}

// Run has the batches in the line committed until the store is closed: those at the front together.
// After a failure they are passed over.
func (l *Line[B]) Run(commit func(group []*Waiting[B])) {
	for w := range l.queue {
		group := []*Waiting[B]{w}
		for size := w.size; size < groupBytes && len(l.queue) > 0; size += w.size {
			w = <-l.queue
			group = append(group, w)
		}
		if l.failed.Load() == nil {
			commit(group)
		}
	}
}

// UnlessFailed calls fn, during which nothing fails, unless there was a failure. fn must not
// call an engine that tells of failures with its locks held.
func (l *Line[B]) UnlessFailed(fn func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed.Load() != nil {
		return false
	}
	fn()
	return true
}

// Fail makes err the failure, unless there is one: nothing is written any more. It returns err.
func (l *Line[B]) Fail(err error) error {
	l.UnlessFailed(func() {
		l.freeze()
		l.failed.Store(&err)
		close(l.broken)
	})
	return err
}

// Failure returns the failure, with what to do, which the error may say itself; nil: there is none.
func (l *Line[B]) Failure() error {
	err := l.Cause()
	switch {
	case errors.Is(err, store.ErrCorrupt) && strings.Contains(err.Error(), "Try: "): // not to open it again
		return fmt.Errorf("%s: nothing is written any more: %w", l.name, err)
	case err != nil:
		return fmt.Errorf("%s: nothing is written since a write failed. Try: look after the disk and open the store "+
			"again: %w", l.name, err)
	}
	return nil
}

// Cause returns the failure as it was met; nil: there is none.
func (l *Line[B]) Cause() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Broken is closed when there is a failure.
func (l *Line[B]) Broken() <-chan struct{} { return l.broken }

// Ending is closed when the store is about to be closed: what waits is to end.
func (l *Line[B]) Ending() <-chan struct{} { return l.ending }

// End begins to close the store. No call is let in any more. The channel is closed when those in
// progress have ended, and so has the line. If they have not after patience, there is a failure,
// which ends those that wait for the disk to write. Errors: store.ErrClosed when it was called
// before.
func (l *Line[B]) End(patience time.Duration) (ended <-chan struct{}, err error) {
	if !l.closing.CompareAndSwap(false, true) {
		return nil, store.ErrClosed
	}
	close(l.ending)
	late := time.AfterFunc(patience, func() { _ = l.Fail(ErrLate) })
	done := make(chan struct{})
	go func() {
		l.gate.Lock()
		late.Stop()
		close(l.queue)
		l.gate.Unlock()
		close(done)
	}()
	return done, nil
}
