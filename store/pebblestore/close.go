// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// patience is how long each of the three steps of Close may take, and what the steps before it have
// left of theirs.
const patience = 1500 * time.Millisecond

// Close implements store.Store. It waits for the calls in progress, ends a Compact among them, and
// writes the newest entries to a table when there is room, so that nothing is to be replayed. When
// the disk does not answer it gives up after some seconds: everything that was acknowledged is in
// the log, and the engine may not touch a file any more.
func (s *Store) Close() error {
	if !s.closing.CompareAndSwap(false, true) {
		return store.ErrClosed
	}
	close(s.ending)
	start := time.Now()
	late := time.AfterFunc(patience, func() { s.fail(errors.New("the disk did not answer in time")) })
	s.gate.Lock()
	s.closed = true
	s.gate.Unlock()
	late.Stop()
	failed := s.writes.failure()
	if failed == nil && !s.readOnly && s.canWrite(0) == nil {
		_ = within(time.Until(start.Add(2*patience)), func() error { // else it is replayed
			flushed, err := s.db.AsyncFlush()
			if err == nil {
				<-flushed
			}
			return err
		})
	}
	close(s.disk.end)
	close(s.writes.stop)
	err := within(time.Until(start.Add(3*patience)), func() error {
		if before := s.writes.frozen.Load(); before != nil {
			_ = before.Close()
		}
		return s.db.Close()
	})
	s.disk.dead.Store(true)
	err = errors.Join(failed, err, s.locked.Close())
	if err != nil {
		return fmt.Errorf("pebblestore: close %s: what was acknowledged is on the disk, but %w", s.dir, err)
	}
	return nil
}

// within calls fn, and returns an error when it takes longer than limit. It is left running then.
func within(limit time.Duration, fn func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer shield(nil, &err)
		err = fn()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return errors.New("the engine did not end in time")
	}
}
