// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
)

const (
	// groupBytes bounds the batches that are merged into one commit. Merging saves syncs, which
	// beyond a megabyte or two are lost in the time of writing.
	groupBytes = 2 << 20

	// reserve is the room on the disk that no batch may use up, beside that of the memtables: for
	// tables that are merged.
	reserve = 64 << 20

	lookEvery   = 100 * time.Millisecond // how often writers look whether the folder is still there
	entryBytes  = 16                     // what the engine adds to an entry of a batch, at most
	queueLength = 256                    // batches that wait; others wait to be in the line

	openPatience = 1000 * time.Millisecond // for an engine that was opened in vain to end

	// How long after its beginning Close waits for the calls in progress, for the newest entries to
	// be written to a table, and for the engine to end.
	callsPatience = 1000 * time.Millisecond
	flushPatience = 1500 * time.Millisecond
	patience      = 4500 * time.Millisecond
)

// commit is a batch in the line.
type commit struct {
	batch        *pebble.Batch
	acknowledged bool
	done         chan struct{} // closed when it is acknowledged
}

// Apply implements store.Store.
func (s *Store) Apply(b *store.Batch, _ bool) error {
	if err := s.enter(true); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if err := b.Check(); err != nil || b.Len() == 0 {
		return err
	}
	if err := s.canWrite(uint64(b.Size())); err != nil {
		return err
	}
	c := &commit{batch: s.db.NewBatchWithSize(b.Size() + b.Len()*entryBytes), done: make(chan struct{})}
	for op := range b.Ops() {
		if op.Delete {
			_ = c.batch.Delete(op.Key, nil) // only a batch that was committed returns an error
		} else {
			_ = c.batch.Set(op.Key, op.Value, nil)
		}
	}
	select {
	case s.queue <- c:
		select {
		case <-c.done:
		case <-s.broken:
		}
	case <-s.broken:
	}
	if c.acknowledged { // perhaps before a failure
		return nil
	}
	return s.failure()
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
func (s *Store) Sync() error {
	err := s.enter(true)
	if err == nil {
		s.gate.RUnlock()
	} else if errors.Is(err, store.ErrReadOnly) {
		return nil
	}
	return err
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(size uint64) error {
	want := size + reserve + 2*s.memTable()
	if disk, err := s.disk.GetDiskUsage(s.dir); err == nil && disk.AvailBytes < want {
		return fmt.Errorf("pebblestore: %w: %d MB free at %s, want %d MB for the batch and to work in. Try: make room on "+
			"that disk", store.ErrFull, disk.AvailBytes>>20, s.dir, want>>20)
	}
	if err := s.trouble.Load(); err != nil {
		return s.writeError("a table cannot be written, which is tried again", *err)
	}
	now := time.Now().UnixNano()
	if now-s.looked.Load() < int64(lookEvery) {
		return nil
	}
	info, err := os.Stat(s.dir)
	if err == nil && !os.SameFile(info, s.folder) {
		err = errors.New("another folder has its name")
	}
	if err != nil {
		s.fail(fmt.Errorf("the folder was moved or deleted: %w", err))
		return s.failure()
	}
	s.looked.Store(now)
	return nil
}

// writeError is the error of a call that has changed nothing.
func (s *Store) writeError(what string, err error) error {
	if isFull(err) {
		return fmt.Errorf("pebblestore: %w: %s: %s: %w. Try: make room on that disk", store.ErrFull, s.dir, what, err)
	}
	return fmt.Errorf("pebblestore: %s: %s: %w. Try: look after the disk", s.dir, what, engineError(err))
}

// commit commits the batches in the line until the store is closed: those at the front together.
func (s *Store) commit() {
	for c := range s.queue {
		group := []*commit{c}
		for size := c.batch.Len(); size < groupBytes && len(s.queue) > 0; size += c.batch.Len() {
			c = <-s.queue
			group = append(group, c)
		}
		if err := s.commitGroup(group); err != nil {
			s.fail(fmt.Errorf("commit of %d batches: %w", len(group), err))
			return
		}
	}
}

// commitGroup commits batches as one. The batches are seen before they are synced; when that fails,
// readers go on with the state before.
func (s *Store) commitGroup(group []*commit) (err error) {
	defer shield(new(bool), &err)
	before := s.db.NewSnapshot()
	if !s.unlessFailed(func() { s.before = before }) {
		return nil
	}
	all := group[0].batch
	for _, c := range group[1:] {
		if err := all.Apply(c.batch, nil); err != nil {
			return err
		}
	}
	if err := s.db.Apply(all, pebble.Sync); err != nil {
		return err
	}
	if err := s.writeMark(s.disk.synced.Load(), uint64(all.SeqNum())+uint64(all.Count())); err != nil {
		return err
	}
	if s.unlessFailed(func() {
		s.before = nil
		for _, c := range group {
			_ = c.batch.Close()
			c.acknowledged = true
			close(c.done)
		}
	}) {
		err = before.Close()
	}
	return err
}

// unlessFailed calls fn, during which nothing fails, unless there was a failure. Fn must not call
// the engine, which tells of failures with its locks held.
func (s *Store) unlessFailed(fn func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed.Load() != nil {
		return false
	}
	fn()
	return true
}

// fail makes err the failure, unless there is one: nothing is written any more, and readers see
// what was acknowledged.
func (s *Store) fail(err error) {
	s.unlessFailed(func() {
		s.frozen.Store(s.before)
		s.failed.Store(&err)
		close(s.broken)
	})
}

// failure returns the failure, with what to do.
func (s *Store) failure() error {
	if err := s.failed.Load(); err != nil {
		return fmt.Errorf("pebblestore: nothing is written since a write failed. Try: look after the disk and open the "+
			"store again: %w", engineError(*err))
	}
	return nil
}

// Close implements store.Store. It waits for the calls in progress, ends a Compact among them, and
// writes the newest entries to a table when there is room, so that nothing is to be replayed. It
// takes at most 5 seconds, whatever the disk does.
//
// After a failure, and when the disk does not answer, the engine is given up: everything that was
// acknowledged is in the log, and the engine does not touch a file any more. What it has in memory
// stays until the process ends.
func (s *Store) Close() error {
	if !s.closing.CompareAndSwap(false, true) {
		return store.ErrClosed
	}
	began := time.Now()
	close(s.ending)
	late := time.AfterFunc(callsPatience, func() { s.fail(errors.New("the disk did not answer in time")) })
	s.gate.Lock()
	s.closed = true
	s.gate.Unlock()
	late.Stop()
	close(s.queue)
	err := s.failure()
	if err == nil {
		select {
		case err = <-start(func() error { return s.closeEngine(began) }):
		case <-s.broken:
			err = s.failure()
		case <-time.After(time.Until(began.Add(patience))):
			err = errors.New("the engine did not end in time")
		}
	}
	s.disk.dead.Store(true)
	if err = errors.Join(err, s.locked.Close()); err != nil {
		return fmt.Errorf("pebblestore: close %s: what was acknowledged is on the disk, but %w", s.dir, err)
	}
	return nil
}

// closeEngine flushes and closes an engine that has not failed. It must not be closed while it is
// about to begin a new log.
func (s *Store) closeEngine(began time.Time) error {
	s.work.Wait()
	whole := false // the tables have all
	if !s.readOnly && s.canWrite(0) == nil {
		flushed, err := s.db.AsyncFlush()
		if err != nil {
			return err
		}
		select {
		case <-flushed:
			whole = true
		case <-time.After(time.Until(began.Add(flushPatience))): // it is replayed
		}
	}
	s.disk.ending.Store(true)
	err := s.db.Close()
	if err == nil && whole {
		err = errors.Join(s.writeMark(0, 0), s.locked.Sync())
	}
	return err
}

// start calls fn on a goroutine of its own, and sends its error.
func start(fn func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer shield(new(bool), &err)
		err = fn()
	}()
	return done
}
