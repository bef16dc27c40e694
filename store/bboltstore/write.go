// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/store"
)

const (
	// groupBytes bounds the batches that are merged into one commit. Merging saves syncs, which
	// beyond a megabyte or two are lost in the time of writing.
	groupBytes = 2 << 20
	groupOps   = 4 * store.MaxOps

	// fill is how full the pages are made when nodes are split. bbolt's half is meant for random
	// insertion, most of our bytes are written in order.
	fill = 0.9

	// reserve is the room on the disk that no batch may use up: the file grows by steps of 16 MB,
	// and a commit copies neighbours of what it writes.
	reserve = 64 << 20
)

// commits is the line of batches that wait to be committed. Whoever has the turn commits those at
// the front, his own among them sooner or later.
type commits struct {
	mu     sync.Mutex
	queue  []*commit
	turn   sync.Mutex
	failed atomic.Pointer[error] // the first failure; nothing is written after it
}

// commit is a batch in the line. Done and err belong to who has the turn.
type commit struct {
	batch *store.Batch
	done  bool
	err   error
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
	if b.Len() == 0 {
		if sync {
			return s.writes.failure()
		}
		return nil
	}
	c := &commit{batch: b}
	w := &s.writes
	w.mu.Lock()
	w.queue = append(w.queue, c)
	w.mu.Unlock()
	w.turn.Lock()
	defer w.turn.Unlock()
	for !c.done { // else another has done it
		group := w.next()
		err := s.commitGroup(group)
		for _, c := range group {
			c.done, c.err = true, err
		}
	}
	return c.err
}

// next takes the batches for the next commit off the line, at least one.
func (w *commits) next() []*commit {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ops, size := 0, 0, 0
	for _, c := range w.queue {
		ops, size = ops+c.batch.Len(), size+c.batch.Size()
		if n > 0 && (ops > groupOps || size > groupBytes) {
			break
		}
		n++
	}
	group := w.queue[:n:n]
	w.queue = w.queue[n:]
	if len(w.queue) == 0 {
		w.queue = nil
	}
	return group
}

// failure returns the error of the first commit that failed, with what to do.
func (w *commits) failure() error {
	if err := w.failed.Load(); err != nil {
		return fmt.Errorf(
			"bboltstore: nothing is written since a commit failed. Try: look after the disk and open the store "+
				"again: %w", *err)
	}
	return nil
}

// commitGroup commits batches as one transaction.
func (s *Store) commitGroup(group []*commit) error {
	if err := s.writes.failure(); err != nil {
		return err
	}
	e := s.engine.Load() // whoever has the turn may rely on it
	size := int64(0)
	for _, c := range group {
		size += int64(c.batch.Size())
	}
	if free := s.room(s.dir); free < size+reserve {
		return fmt.Errorf(
			"bboltstore: %w: %d MB free at %s, want %d MB for the batch and %d MB to work in. Try: make room on "+
				"that disk",
			store.ErrFull, free>>20, s.dir, size>>20, reserve>>20)
	}
	tx, err := e.begin(true)
	if err != nil {
		return s.fail(fmt.Errorf("bboltstore: commit: %w", err), nil)
	}
	state := tx.ID() - 1
	var before *bbolt.Tx
	// The mapping must not be moved while this goroutine reads. A commit allocates no more than all
	// pages that there are, once more and half empty.
	if 4*(tx.Size()+size+reserve) < e.mapped {
		if before, err = e.begin(false); err != nil {
			return s.fail(fmt.Errorf("bboltstore: commit: %w", err), nil)
		}
	}
	err = shield(nil, func() error { return write(tx, group) })
	if err == nil {
		if before != nil {
			return before.Rollback()
		}
		return nil
	}
	_ = shield(nil, tx.Rollback) // of a transaction that did not come to its end, or else an error
	if errors.Is(err, syscall.ENOSPC) && e.state() == state {
		// The root is as it was: what there was no room for is reachable from nowhere.
		if before != nil {
			_ = before.Rollback()
		}
		return fmt.Errorf("bboltstore: %w: commit of %d bytes at %s: %w", store.ErrFull, size, s.dir, err)
	}
	return s.fail(fmt.Errorf("bboltstore: commit of %d batches, %d bytes: %w", len(group), size, err), before)
}

// fail makes err the failure, and before, if it is known, what readers see from now on: the root of
// a commit whose last sync failed is in the mapping already. The caller has the turn.
func (s *Store) fail(err error, before *bbolt.Tx) error {
	s.engine.Load().frozen.Store(before)
	s.writes.failed.Store(&err)
	return err
}

// write writes batches and commits.
func write(tx *bbolt.Tx, group []*commit) error {
	bucket := tx.Bucket(entries)
	if bucket == nil {
		return fmt.Errorf("%w: the bucket of entries is gone", store.ErrCorrupt)
	}
	bucket.FillPercent = fill
	for _, c := range group {
		for op := range c.batch.Ops() {
			var err error
			if op.Delete {
				err = bucket.Delete(op.Key)
			} else {
				err = bucket.Put(op.Key, op.Value)
			}
			if err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}
