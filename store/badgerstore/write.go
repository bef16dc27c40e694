// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// groupBytes bounds the batches that are merged into one transaction. Merging saves syncs, which
// beyond a megabyte or two are lost in the time of writing.
const groupBytes = 2 << 20

// Apply implements store.Store.
func (s *Store) Apply(b *store.Batch, sync bool) error {
	_ = s.house.pace.wait(context.Background())
	pass, ok := s.gate.enter()
	if !ok {
		return store.ErrClosed
	}
	defer s.gate.leave(pass)
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
	c := &commit{batch: b, done: make(chan error, 1)}
	for op := range b.Ops() {
		c.weight += s.threshold.weight(op, false)
	}
	if c.weight > maxWeight-1<<10 {
		c.padded = true
		c.weight = 0
		for op := range b.Ops() {
			c.weight += s.threshold.weight(op, true)
		}
	}
	if err := s.writes.run(c); err != nil {
		return err
	}
	s.house.note(b, c.padded)
	return nil
}

// run puts c into the line and waits until it is committed.
func (w *commits) run(c *commit) error {
	w.mu.Lock()
	w.queue = append(w.queue, c)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return <-c.done
}

// failure returns the error of the first commit that failed, with what to do.
func (w *commits) failure() error {
	if err := w.failed.Load(); err != nil {
		return fmt.Errorf(
			"badgerstore: nothing is written since a commit failed. Try: look after the disk and open the store "+
				"again: %w", *err)
	}
	return nil
}

// fail makes err the failure, unless there is one already.
func (w *commits) fail(err error) { w.failed.CompareAndSwap(nil, &err) }

func (w *commits) start(s *Store) {
	w.wake, w.quit, w.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	w.advice = newAdviser(s.dir, s.db.Opts().ValueLogFileSize, w.quit)
	go func() {
		defer close(w.done)
		for {
			group := w.next()
			if group == nil {
				select {
				case <-w.wake:
					continue
				case <-w.quit:
					return
				}
			}
			start := time.Now()
			err := s.commitGroup(group)
			w.spent.Add(int64(time.Since(start)))
			for _, c := range group {
				each := err
				if len(group) > 1 && errors.Is(err, store.ErrFull) {
					each = s.commitGroup([]*commit{c}) // there may be room for this one
				}
				c.done <- each
			}
		}
	}()
}

// stop ends the goroutine. Nobody may be in the line.
func (w *commits) stop() {
	if w.quit != nil {
		close(w.quit)
		<-w.done
		w.advice.stop()
	}
}

// next takes the batches for the next transaction off the line, nil when there are none.
func (w *commits) next() []*commit {
	w.mu.Lock()
	defer w.mu.Unlock()
	ops, weight, size := 0, 0, 0
	n := 0
	for _, c := range w.queue {
		cOps, cSize := len(c.filler), 0
		if c.batch != nil {
			cOps, cSize = c.batch.Len(), c.batch.Size()
		}
		if n > 0 && (ops+cOps > maxTransaction/2 || weight+c.weight > maxWeight-1<<10 || size+cSize > groupBytes) {
			break
		}
		ops, weight, size = ops+cOps, weight+c.weight, size+cSize
		n++
	}
	if n == 0 {
		return nil
	}
	group := w.queue[:n:n]
	w.queue = w.queue[n:]
	if len(w.queue) == 0 {
		w.queue = nil
	}
	return group
}

// commitGroup commits batches as one transaction, and shows them to readers.
func (s *Store) commitGroup(group []*commit) error {
	if err := s.writes.failure(); err != nil {
		return err
	}
	size := int64(0)
	for _, c := range group {
		size += int64(c.weight)
		if c.batch != nil {
			size += int64(c.batch.Size())
		}
	}
	if err := s.checkRoom(size); err != nil {
		return err // nothing was written, nothing has failed
	}
	if err := s.writes.files.check(s); err != nil {
		return err // nor here
	}
	if err := s.numbers.note(size); err != nil {
		return err
	}
	s.writes.turn.Lock()
	defer s.writes.turn.Unlock()
	s.writes.advice.wrote(size)
	ts := s.committed.Load() + 1
	err := s.commitAt(ts, group)
	if err == nil {
		err = s.log.lost() // a sync that failed is only logged
	}
	if err != nil {
		err = fmt.Errorf("badgerstore: commit of %d batches, %d bytes: %w", len(group), size, err)
		s.writes.fail(err)
		return err
	}
	s.committed.Store(ts)
	return nil
}

func (s *Store) commitAt(ts uint64, group []*commit) error {
	txn := s.db.NewTransactionAt(ts, true)
	defer txn.Discard()
	for _, c := range group {
		for _, key := range c.filler {
			if err := txn.Delete(key); err != nil {
				return err
			}
		}
		if c.batch == nil {
			continue
		}
		for op := range c.batch.Ops() {
			var err error
			if op.Delete {
				err = txn.Delete(engineKey(op.Key))
			} else {
				err = txn.SetEntry(s.threshold.newEntry(op, c.padded))
			}
			if err != nil {
				return err
			}
		}
	}
	return txn.CommitAt(ts, nil)
}
