// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
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

	// lookEvery is how often writers look whether the folder is still there.
	lookEvery = 100 * time.Millisecond

	entryBytes = 16 // what the engine adds to an entry of a batch, at most

	queueLength = 256 // batches that wait; others wait to be in the line
)

// commits is the line of batches that wait to be committed, by one goroutine: those at the front
// together.
type commits struct {
	queue chan *commit
	stop  chan struct{} // closed by Close

	mu     sync.Mutex
	before *pebble.Snapshot // the state before the commit under way; nil while there is none
	failed atomic.Pointer[error]
	broken chan struct{} // closed when failed is set

	frozen atomic.Pointer[pebble.Snapshot] // what readers see after a commit has failed
}

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
	if err := s.writes.failure(); err != nil && (sync || b.Len() > 0) {
		return err
	}
	if b.Len() == 0 {
		return nil
	}
	if err := s.canWrite(int64(b.Size())); err != nil {
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
	case s.writes.queue <- c:
	case <-s.writes.broken:
		return s.writes.failure()
	}
	select {
	case <-c.done:
		return nil
	case <-s.writes.broken:
	}
	select {
	case <-c.done: // it was committed before the failure
		return nil
	default:
		return s.writes.failure()
	}
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(size int64) error {
	want := reserve + 2*s.memTable
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
		err = fmt.Errorf("another folder has its name")
	}
	if err != nil {
		s.fail(fmt.Errorf("the folder was moved or deleted: %w", err))
		return s.writes.failure()
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

// commit commits the batches in the line until the store is closed.
func (s *Store) commit() {
	for {
		var group []*commit
		select {
		case c := <-s.writes.queue:
			group = append(group, c)
		case <-s.writes.stop:
			return
		}
		for size := group[0].batch.Len(); size < groupBytes && len(s.writes.queue) > 0; {
			c := <-s.writes.queue
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
	if !s.writes.begin(before) {
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
	if s.writes.finish(group) {
		for _, c := range group {
			_ = c.batch.Close()
		}
		err = before.Close()
	}
	return err
}

// begin tells whether a commit may begin, and which state is before it.
func (w *commits) begin(before *pebble.Snapshot) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed.Load() != nil {
		return false
	}
	w.before = before
	return true
}

// finish acknowledges batches, unless there was a failure meanwhile.
func (w *commits) finish(group []*commit) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed.Load() != nil {
		return false
	}
	w.before = nil
	for _, c := range group {
		close(c.done)
	}
	return true
}

// fail makes err the failure, unless there is one: nothing is written any more, and readers see
// what was acknowledged.
func (s *Store) fail(err error) {
	w := &s.writes
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed.Load() != nil {
		return
	}
	w.frozen.Store(w.before)
	w.failed.Store(&err)
	close(w.broken)
}

// failure returns the failure, with what to do.
func (w *commits) failure() error {
	err := w.failed.Load()
	if err == nil {
		return nil
	}
	return fmt.Errorf("pebblestore: nothing is written since a write failed. Try: look after the disk and open the "+
		"store again: %w", engineError(*err))
}
