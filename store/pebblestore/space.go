// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"fmt"
	"math"

	"github.com/uproar-db/uproar/store"
)

// leastFiles is how many more files the disk must take: for a log, a manifest, and the tables that
// are written at a time. Without them the engine waits, and a batch with it.
const leastFiles = 16

// Space implements store.Spacer. What the system does not tell is without bound.
func (s *Store) Space() (space store.Space, err error) {
	if err := s.line.Enter(false); err != nil {
		return space, err
	}
	defer s.line.Leave()
	return s.space(0)
}

// space looks at the disk, and fails while a batch of so many bytes would not be taken.
func (s *Store) space(batch uint64) (store.Space, error) {
	space := store.Space{Free: math.MaxUint64, Reserve: reserve + 2*s.memTable(), Files: math.MaxUint64}
	if bytes, files, err := s.disk.Space(s.dir); err == nil {
		space.Free, space.Files = bytes, files
	}
	trouble, want := s.disk.Trouble(), batch+space.Reserve
	switch {
	case s.options.ReadOnly:
		return space, nil
	case space.Free < want:
		return space, fmt.Errorf("pebblestore: %w: %d MB free at %s, want %d MB for the batch and to work in. Try: make "+
			"room on that disk", store.ErrFull, space.Free>>20, s.dir, want>>20)
	case space.Files < leastFiles:
		return space, fmt.Errorf("pebblestore: %w: the disk of %s takes %d more files, want %d. Try: delete files on that "+
			"disk", store.ErrFull, s.dir, space.Files, leastFiles)
	case trouble != nil:
		return space, s.writeError("a table cannot be written, which is tried again", trouble)
	}
	return space, s.look()
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(batch uint64) error {
	_, err := s.space(batch)
	return err
}

var _ store.Spacer = (*Store)(nil)
