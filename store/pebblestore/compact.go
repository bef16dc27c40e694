// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"context"

	"github.com/uproar-db/uproar/store"
)

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
	if err := s.writes.failure(); err != nil {
		return err
	}
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	s.work.Add(1)
	merged := start(func() error { // which may wait where no context is heard
		defer s.work.Done()
		return s.db.Compact(own, nil, bytes.Repeat([]byte{0xff}, store.MaxKey+1), false)
	})
	var err error
	select {
	case err = <-merged:
		if err != nil {
			err = s.writeError("tables cannot be merged", err)
		}
	case <-s.ending:
		err = store.ErrClosed
	case <-s.writes.broken:
		err = s.writes.failure()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Await implements store.Pacer: writers wait while a memtable cannot be flushed, or too many tables
// are to be merged. It does not wait for a store that has failed or is closed, which Apply tells.
func (s *Store) Await(ctx context.Context) error {
	stalled := s.stalled.Load()
	if stalled == nil {
		return ctx.Err()
	}
	select {
	case <-*stalled:
	case <-s.ending:
	case <-s.writes.broken:
	case <-ctx.Done():
	}
	return ctx.Err()
}
