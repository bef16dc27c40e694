// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

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

	lookEvery   = 100 * time.Millisecond // how often writers look whether the file is still there
	queueLength = 256                    // batches that wait; others wait to be in the line
)

// commit is a batch in the line.
type commit struct {
	batch *store.Batch
	err   error
	done  chan struct{} // closed when err is what Apply returns
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
			return s.failure()
		}
		return nil
	}
	c := &commit{batch: b, done: make(chan struct{})}
	select {
	case s.queue <- c:
	case <-s.broken:
		return s.failure()
	}
	select {
	case <-c.done:
	case <-s.broken:
		select {
		case <-c.done: // before the failure
		default:
			return s.failure()
		}
	}
	return c.err
}

// commitAll commits the batches in the line until the store is closed: those at the front together.
func (s *Store) commitAll() {
	for c := range s.queue {
		group := []*commit{c}
		for ops, size := 0, 0; len(s.queue) > 0; {
			ops, size = ops+c.batch.Len(), size+c.batch.Size()
			if ops >= groupOps || size >= groupBytes {
				break
			}
			c = <-s.queue
			group = append(group, c)
		}
		s.turn.Lock()
		err := s.commitGroup(group)
		if errors.Is(err, errDamaged) && len(group) > 1 { // it costs the batches that come upon it
			for i := range group {
				s.finish(group[i:i+1], s.commitGroup(group[i:i+1]))
			}
		} else {
			s.finish(group, err)
		}
		s.turn.Unlock()
	}
}

// finish tells batches their end, unless there was a failure before.
func (s *Store) finish(group []*commit, err error) {
	s.unlessFailed(func() {
		for _, c := range group {
			c.err = err
			close(c.done)
		}
	})
}

// unlessFailed calls fn, during which nothing fails, unless there was a failure.
func (s *Store) unlessFailed(fn func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return false
	}
	fn()
	return true
}

// fail makes err the failure, unless there is one: nothing is written any more. Readers see what
// was acknowledged: the root of a commit whose last sync failed is in the mapping already.
func (s *Store) fail(err error) error {
	s.unlessFailed(func() {
		s.engine.Load().frozen.Store(s.before)
		s.failed = err
		close(s.broken)
	})
	return err
}

// failure returns the first failure, with what to do.
func (s *Store) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return fmt.Errorf(
			"bboltstore: nothing is written since a commit failed. Try: look after the disk and open the store "+
				"again: %w", s.failed)
	}
	return nil
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(size int64) error {
	if err := s.failure(); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(s.looked) >= lookEvery {
		there, err := isAt(s.engine.Load().file, s.path)
		if err == nil && !there {
			err = errors.New("another file has its name")
		}
		if err != nil {
			_ = s.fail(fmt.Errorf("the folder or its file was moved or deleted: %w", err))
			return s.failure()
		}
		s.looked = now
	}
	if free := s.room(s.dir); free < size+reserve {
		return fmt.Errorf(
			"bboltstore: %w: %d MB free at %s, want %d MB for the batch and %d MB to work in. Try: make room on "+
				"that disk",
			store.ErrFull, free>>20, s.dir, size>>20, reserve>>20)
	}
	return nil
}

// commitGroup commits batches as one transaction.
func (s *Store) commitGroup(group []*commit) error {
	e := s.engine.Load() // whoever has the turn may rely on it
	size := int64(0)
	for _, c := range group {
		size += int64(c.batch.Size())
	}
	if err := s.canWrite(size); err != nil {
		return err
	}
	tx, err := e.begin(true)
	if err != nil {
		return s.fail(fmt.Errorf("bboltstore: commit: %w", err))
	}
	number := uint64(tx.ID())
	var before *bbolt.Tx
	// The mapping must not be moved while this goroutine reads. A commit allocates no more than all
	// pages that there are, once more and half empty.
	if 4*(tx.Size()+size+reserve) < e.mapped {
		if before, err = e.begin(false); err != nil {
			return s.fail(fmt.Errorf("bboltstore: commit: %w", err))
		}
	}
	s.unlessFailed(func() { s.before = before })
	err = shield(nil, func() error {
		if err := e.write(tx, group); err != nil {
			return err
		}
		if err := s.reached(commitBegun); err != nil {
			return err
		}
		return tx.Commit()
	})
	if err == nil {
		if err = s.reached(commitSynced); err == nil {
			err = s.acknowledge(number)
		}
	} else {
		_ = shield(nil, tx.Rollback) // of a transaction that did not come to its end, or else an error
	}
	// When there was no room, or a damaged page was met, the root is as it was: what is written is
	// reachable from nowhere.
	harmless := errors.Is(err, errDamaged) || err != nil && isFull(err) && uint64(e.state()) == number-1
	if err != nil && !harmless {
		return s.fail(fmt.Errorf("bboltstore: commit of %d batches, %d bytes: %w", len(group), size, err))
	}
	if s.unlessFailed(func() { s.before = nil }) && before != nil {
		if err := before.Rollback(); err != nil {
			return s.fail(err)
		}
	}
	switch {
	case errors.Is(err, errDamaged):
		return fmt.Errorf("bboltstore: commit: nothing is written: %w", err)
	case err != nil:
		return fmt.Errorf("bboltstore: %w: commit of %d bytes at %s: %w", store.ErrFull, size, s.dir, err)
	}
	return nil
}

// errDamaged is met before anything is changed.
var errDamaged = fmt.Errorf("%w: a page that is to be changed", store.ErrCorrupt)

// write changes the tree, in memory. The pages on the way to each entry are checked first: bbolt
// would write damaged ones anew, as if they were whole.
func (e *engine) write(tx *bbolt.Tx, group []*commit) error {
	old, err := e.treeOf(tx)
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	type change struct {
		weight uint64 // of the entry that is there
		value  []byte // what is stored from now on; nil: nothing
	}
	changes := map[string]change{}
	for _, c := range group {
		for op := range c.batch.Ops() {
			key := storedKey(make([]byte, 0, len(op.Key)+1), op.Key)
			now, known := changes[string(key)]
			if !known {
				stored, err := old.find(key, op.Delete)
				if err != nil {
					return fmt.Errorf("%w: %w", errDamaged, err)
				}
				if stored != nil {
					now.weight = weight(stored)
				}
			}
			if now.value = nil; !op.Delete {
				now.value = sealed(key, op.Value)
			}
			changes[string(key)] = now
		}
	}
	bucket := tx.Bucket(entries)
	bucket.FillPercent = fill
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		c := changes[key]
		if old.sum -= c.weight; c.value == nil {
			err = bucket.Delete([]byte(key))
		} else {
			err = bucket.Put([]byte(key), c.value)
			old.sum += weight(c.value)
		}
		if err != nil {
			return err
		}
	}
	return bucket.SetSequence(old.sum)
}
