// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
func (s *Store) Sync() error {
	pass, ok := s.gate.enter()
	if !ok {
		return store.ErrClosed
	}
	defer s.gate.leave(pass)
	return s.writes.failure()
}

// Close implements store.Store. It takes as long as the calls in progress, a merge of keys that is
// under way, and writing out at most some tens of megabytes of keys.
func (s *Store) Close() error {
	if !s.gate.shut() {
		return store.ErrClosed
	}
	s.scans.Wait()
	var err error
	if s.house.end() {
		err = s.db.Close() // nobody writes any more but the step that is to be given up
		s.house.stop()
		s.writes.stop()
	} else {
		s.house.stop()
		s.writes.stop()
		s.numbers.stop() // before Badger gives its lock back
		err = s.db.Close()
	}
	if err != nil {
		return fmt.Errorf("badgerstore: close %s: %w", s.dir, err)
	}
	return nil
}

// Compact implements store.Compacter: it merges the tree of keys and rewrites value-log files of
// which a seventh is garbage.
func (s *Store) Compact(ctx context.Context) error {
	pass, ok := s.gate.enter()
	if !ok {
		return store.ErrClosed
	}
	s.gate.leave(pass) // the work waits for the gate; Close waits for the work
	if s.readOnly {
		return store.ErrReadOnly
	}
	return s.house.compact(ctx)
}
