// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

const (
	// fill is how full the pages are made when nodes are split. bbolt's half is meant for random
	// insertion, most of our bytes are written in order.
	fill = 0.9

	// reserve is the room on the disk that no batch may use up: the file grows by steps of 16 MB,
	// and a commit copies neighbours of what it writes.
	reserve = 64 << 20

	// opBytes is how many bytes of a batch are as much work as an operation.
	opBytes = 512
)

// change is what a batch stores under a key.
type change struct {
	key   string // as it is stored, like the value
	value []byte // nil: nothing
}

// Apply implements store.Store.
func (s *Store) Apply(b *store.Batch, _ bool) error {
	if err := s.line.Enter(true); err != nil {
		return err
	}
	defer s.line.Leave()
	if err := b.Check(); err != nil || b.Len() == 0 {
		return err
	}
	changes := make([]change, 0, b.Len()) // copies: a commit that hangs outlives this call
	for op := range b.Ops() {
		key := storedKey(make([]byte, 0, len(op.Key)+1), op.Key)
		c := change{key: string(key)}
		if !op.Delete {
			c.value = sealed(key, op.Value)
		}
		changes = append(changes, c)
	}
	return s.line.Commit(changes, b.Size()+b.Len()*opBytes)
}

// group is batches that are committed together.
type group = []*groupcommit.Waiting[[]change]

// commit commits batches.
func (s *Store) commit(g group) {
	s.turn.Lock()
	defer s.turn.Unlock()
	err := s.commitGroup(g)
	if errors.Is(err, errDamaged) && len(g) > 1 { // it costs the batches that come upon it
		for i := range g {
			s.finish(g[i:i+1], s.commitGroup(g[i:i+1]))
		}
	} else {
		s.finish(g, err)
	}
}

// finish tells batches their end, unless there was a failure before.
func (s *Store) finish(g group, err error) {
	s.line.UnlessFailed(func() {
		for _, w := range g {
			w.Finish(err)
		}
	})
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(size int64) error {
	if err := s.line.Failure(); err != nil {
		return err
	}
	if err := s.line.Look(map[string]*os.File{s.path: s.engine.Load().file, s.path + markSuffix: s.mark}); err != nil {
		return err
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
func (s *Store) commitGroup(g group) error {
	e := s.engine.Load() // whoever has the turn may rely on it
	size := int64(0)
	for _, w := range g {
		for _, c := range w.Batch {
			size += int64(len(c.key) + len(c.value))
		}
	}
	if err := s.canWrite(size); err != nil {
		return err
	}
	tx, err := e.begin(true)
	if err != nil {
		return s.line.Fail(fmt.Errorf("bboltstore: commit: %w", err))
	}
	number := uint64(tx.ID())
	var before *bbolt.Tx
	// The mapping must not be moved while this goroutine reads. A commit allocates no more than all
	// pages that there are, once more and half empty.
	if 4*(tx.Size()+size+reserve) < e.mapped {
		if before, err = e.begin(false); err != nil {
			return s.line.Fail(fmt.Errorf("bboltstore: commit: %w", err))
		}
	}
	s.line.UnlessFailed(func() { s.before = before })
	err = shield(nil, func() error {
		if err := e.write(tx, g); err != nil {
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
	harmless := errors.Is(err, errDamaged) || err != nil && groupcommit.IsFull(err) && uint64(e.state()) == number-1
	if err != nil && !harmless {
		return s.line.Fail(fmt.Errorf("bboltstore: commit of %d batches, %d bytes: %w", len(g), size, err))
	}
	if s.line.UnlessFailed(func() { s.before = nil }) && before != nil {
		if err := before.Rollback(); err != nil {
			return s.line.Fail(err)
		}
	}
	switch {
	case errors.Is(err, errDamaged):
		return fmt.Errorf("bboltstore: commit: nothing is written: %w", err)
	case err != nil:
		return fmt.Errorf("bboltstore: commit of %d bytes at %s: %w", size, s.dir, groupcommit.Full(err))
	}
	return nil
}

// errDamaged is met before anything is changed.
var errDamaged = fmt.Errorf("%w: a page that is to be changed", store.ErrCorrupt)

// write changes the tree, in memory. The pages on the way to each entry are checked first: bbolt
// would write damaged ones anew, as if they were whole.
func (e *engine) write(tx *bbolt.Tx, g group) error {
	old, err := e.treeOf(tx)
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	type weighed struct {
		weight uint64 // of the entry that is there
		value  []byte
	}
	changes := map[string]weighed{}
	for _, w := range g {
		for _, c := range w.Batch {
			now, known := changes[c.key]
			if !known {
				stored, err := old.find([]byte(c.key), c.value == nil)
				if err != nil {
					return fmt.Errorf("%w: %w", errDamaged, err)
				}
				if stored != nil {
					now.weight = weight(stored)
				}
			}
			now.value = c.value
			changes[c.key] = now
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

// Space implements store.Spacer. No file is made after opening, so that their number does not
// matter.
func (s *Store) Space() (store.Space, error) {
	if err := s.line.Enter(false); err != nil {
		return store.Space{}, err
	}
	defer s.line.Leave()
	space := store.Space{Free: uint64(s.room(s.dir)), Reserve: reserve, Files: math.MaxUint64}
	if s.readOnly {
		return space, nil
	}
	return space, s.canWrite(0)
}

// diskRoom returns the bytes that are free on the disk of dir, or math.MaxInt64 if unknown.
func diskRoom(dir string) int64 {
	bytes, _, err := descriptor.Space(dir)
	if err != nil {
		return math.MaxInt64
	}
	return int64(min(bytes, math.MaxInt64))
}
