// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// How long after its beginning Close waits for the calls in progress, for the newest entries to be
// written to a table, and for the engine to end.
const (
	callsPatience = 1000 * time.Millisecond
	flushPatience = 1500 * time.Millisecond
	patience      = 4500 * time.Millisecond
)

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
		err = within(time.Until(began.Add(patience)), func() error { return s.closeEngine(began) })
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

// Compact implements store.Compacter: it merges all tables. The disk needs room for what a merge
// writes beside what it reads.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if s.readOnly {
		return store.ErrReadOnly
	}
	if err := s.failure(); err != nil {
		return err
	}
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	s.work.Add(1)
	merged := start(func() error { // which may wait where no context is heard
		defer s.work.Done()
		return s.db.Compact(own, nil, bytes.Repeat([]byte{0xff}, store.MaxKey+1), false)
	})
	select {
	case err := <-merged:
		if err != nil && ctx.Err() == nil {
			return s.writeError("tables cannot be merged", err)
		}
	case <-s.ending:
		return store.ErrClosed
	case <-s.broken:
		return s.failure()
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Await implements store.Pacer: writers wait while a memtable cannot be flushed, or too many tables
// are to be merged. It does not wait for a store that has failed or is closed, which Apply tells.
func (s *Store) Await(ctx context.Context) error {
	if stalled := s.stalled.Load(); stalled != nil {
		select {
		case <-*stalled:
		case <-s.ending:
		case <-s.broken:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}
