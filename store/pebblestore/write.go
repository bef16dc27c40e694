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
)

// commit is a batch in the line.
type commit struct {
	batch *pebble.Batch
	done  chan struct{} // closed when it is committed
}

// Apply implements store.Store.
func (s *Store) Apply(b *store.Batch, sync bool) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if s.readOnly {
		return store.ErrReadOnly
	}
	if err := b.Check(); err != nil {
		return err
	}
	if err := s.failure(); b.Len() == 0 {
		if sync {
			return err
		}
		return nil
	} else if err != nil {
		return err
	}
	if err := s.canWrite(int64(b.Size())); err != nil {
		return err
	}
	c := &commit{s.db.NewBatchWithSize(b.Size() + b.Len()*entryBytes), make(chan struct{})}
	for op := range b.Ops() {
		if op.Delete {
			_ = c.batch.Delete(op.Key, nil) // only a batch that was committed returns an error
		} else {
			_ = c.batch.Set(op.Key, op.Value, nil)
		}
	}
	select {
	case s.queue <- c:
	case <-s.broken:
		return s.failure()
	}
	select {
	case <-c.done:
	case <-s.broken:
	}
	select {
	case <-c.done: // perhaps before a failure
		return nil
	default:
		return s.failure()
	}
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(size int64) error {
	want := reserve + 2*s.memTable()
	if free := s.room(s.dir); free < size+want {
		return fmt.Errorf(
			"pebblestore: %w: %d MB free at %s, want %d MB for the batch and %d MB to work in. Try: make room on that disk",
			store.ErrFull, free>>20, s.dir, size>>20, want>>20)
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

// writeError is the error of a batch that has changed nothing.
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
		for size := c.batch.Len(); size < groupBytes && len(s.queue) > 0; {
			c := <-s.queue
			group = append(group, c)
			size += c.batch.Len()
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
	defer shield(nil, &err)
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
	end := uint64(all.SeqNum()) + uint64(all.Count())
	if err := s.writeMark(s.disk.synced.Load(), end); err != nil {
		return err
	}
	acknowledged := s.unlessFailed(func() {
		s.before = nil
		for _, c := range group {
			close(c.done)
		}
	})
	if acknowledged {
		for _, c := range group {
			_ = c.batch.Close()
		}
		err = before.Close()
	}
	return err
}

// unlessFailed calls fn, during which nothing fails, unless there was a failure.
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
	err := s.failed.Load()
	if err == nil {
		return nil
	}
	return fmt.Errorf("pebblestore: nothing is written since a write failed. Try: look after the disk and open the "+
		"store again: %w", engineError(*err))
}
