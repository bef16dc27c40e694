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
// writes the newest entries to a table when there is room, so that nothing is to be replayed.
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
	late := time.AfterFunc(patience, func() { s.fail(errors.New("the disk did not answer in time")) })
	s.gate.Lock()
	s.closed = true
	s.gate.Unlock()
	late.Stop()
	err := s.writes.failure()
	if err == nil {
		err = s.closeEngine(began)
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
	close(s.writes.stop)
	flush := !s.readOnly && s.canWrite(0) == nil
	var flushed <-chan struct{}
	err := within(time.Until(began.Add(2*patience)), func() (err error) {
		s.work.Wait()
		if flush {
			flushed, err = s.db.AsyncFlush()
		}
		return err
	})
	if err == nil && flush {
		select {
		case <-flushed:
		case <-time.After(time.Until(began.Add(2 * patience))): // it is replayed
		}
	}
	s.disk.ending.Store(true)
	if err != nil {
		return err
	}
	return within(time.Until(began.Add(3*patience)), s.db.Close)
}

// within calls fn, and returns an error when it takes longer than limit. It is left running then.
func within(limit time.Duration, fn func() error) error {
	select {
	case err := <-start(fn):
		return err
	case <-time.After(limit):
		return errors.New("the engine did not end in time")
	}
}

// start calls fn on a goroutine of its own, and sends its error.
func start(fn func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer shield(nil, &err)
		err = fn()
	}()
	return done
}
