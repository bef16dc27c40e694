// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package badgerengine

import (
	"encoding/binary"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

const (
	groupOps     = 2048
	groupBytes   = 2 << 20
	maxWeight    = memTable*15/100 - 1<<10 // of a transaction, without the value log
	collectAfter = 64 << 20
	quiet        = 5 * time.Second // after which less is collected, and files with less garbage
)

// commit is a batch in the line.
type commit struct {
	batch  *store.Batch
	weight int
	done   bool
	err    error
}

// Apply implements store.Store. Whoever has the turn commits the batches at the front of the line.
func (s *Store) Apply(b *store.Batch, _ bool) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if err := b.Check(); err != nil || b.Len() == 0 {
		return err
	}
	c := &commit{batch: b}
	for op := range b.Ops() {
		c.weight += len(op.Key) + 25
		if len(op.Value) < threshold {
			c.weight += len(op.Value)
		}
	}
	s.mu.Lock()
	s.queue = append(s.queue, c)
	s.mu.Unlock()
	s.turn.Lock()
	defer s.turn.Unlock()
	for !c.done {
		group := s.next()
		if s.err == nil {
			s.err = s.commitGroup(group)
		}
		for _, c := range group {
			c.done, c.err = true, s.err
		}
	}
	return c.err
}

// next takes the batches of the next transaction off the line.
func (s *Store) next() []*commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ops, weight, size := 0, 0, 0, 0
	for ; n < len(s.queue); n++ {
		c := s.queue[n]
		ops, weight, size = ops+c.batch.Len(), weight+c.weight, size+c.batch.Size()
		if n > 0 && (ops > groupOps || weight > maxWeight || size > groupBytes) {
			break
		}
	}
	group := s.queue[:n:n]
	s.queue = s.queue[n:]
	return group
}

func (s *Store) commitGroup(group []*commit) error {
	ts := s.committed.Load() + 1
	txn := s.db.NewTransactionAt(ts, true)
	defer txn.Discard()
	size := 0
	for _, c := range group {
		size += c.batch.Size()
		for op := range c.batch.Ops() {
			if err := s.put(txn, op, c.weight > maxWeight); err != nil {
				return err
			}
		}
	}
	if err := txn.CommitAt(ts, nil); err != nil {
		return err
	}
	s.committed.Store(ts)
	if s.written.Add(int64(size)) > collectAfter {
		select {
		case s.collect <- struct{}{}:
			s.written.Store(0)
		default:
		}
	}
	return nil
}

// put adds an operation to a transaction. Values of a heavy batch are padded, so that they go to
// the value log and weigh nothing.
func (s *Store) put(txn *badger.Txn, op store.Op, heavy bool) error {
	if op.Delete {
		return txn.Delete(engineKey(op.Key))
	}
	if !heavy || len(op.Value) < s.pad || len(op.Value) >= threshold {
		return txn.Set(engineKey(op.Key), op.Value)
	}
	value := append(make([]byte, 0, threshold+2), op.Value...)[:threshold+2]
	binary.LittleEndian.PutUint16(value[threshold:], uint16(len(op.Value)))
	return txn.SetEntry(badger.NewEntry(engineKey(op.Key), value).WithMeta(1))
}

// collectOn reclaims room whenever enough was written. Badger learns of garbage when it merges
// tables, and keys of pages fill no memtable: deletions of keys that are not there push it out.
func (s *Store) collectOn() {
	for {
		ratio := 0.4
		select {
		case _, open := <-s.collect:
			if !open {
				return
			}
		case <-time.After(quiet):
			if ratio = 0.15; s.written.Swap(0) == 0 {
				continue
			}
		}
		// Nobody reads while the gate is closed: all later reads are of what is committed now.
		s.gate.Lock()
		s.db.SetDiscardTs(s.committed.Load())
		s.gate.Unlock()
		s.turn.Lock()
		for pushed := 0; pushed < memTable && s.err == nil; {
			ts := s.committed.Load() + 1
			txn := s.db.NewTransactionAt(ts, true)
			key := make([]byte, store.MaxKey+8)
			for i := range 512 {
				key := append([]byte(nil), key...)
				key[0] = 0xff
				binary.BigEndian.PutUint64(key[store.MaxKey:], uint64(i))
				if s.err == nil {
					s.err = txn.Delete(key)
				}
				pushed += len(key) + 32
			}
			if s.err == nil {
				s.err = txn.CommitAt(ts, nil)
			}
			s.committed.Store(ts)
		}
		s.turn.Unlock()
		_ = s.db.Flatten(1)
		for s.db.RunValueLogGC(ratio) == nil {
		}
	}
}
