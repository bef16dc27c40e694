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

// Space implements store.Spacer.
func (s *Store) Space() (store.Space, error) {
	if err := s.line.Enter(false); err != nil {
		return store.Space{}, err
	}
	defer s.line.Leave()
	space := s.space()
	if s.options.ReadOnly {
		return space, nil
	}
	return space, s.canWrite(0)
}

// space looks at the disk. What the system does not tell is without bound.
func (s *Store) space() store.Space {
	space := store.Space{Free: math.MaxUint64, Reserve: reserve + 2*s.memTable(), Files: math.MaxUint64}
	if bytes, files, err := s.disk.Space(s.dir); err == nil {
		space.Free, space.Files = bytes, files
	}
	return space
}

// hasSpace fails while a batch of so many bytes would use up the reserve.
func (s *Store) hasSpace(size uint64) error {
	space := s.space()
	if want := size + space.Reserve; space.Free < want {
		return fmt.Errorf("pebblestore: %w: %d MB free at %s, want %d MB for the batch and to work in. Try: make room on "+
			"that disk", store.ErrFull, space.Free>>20, s.dir, want>>20)
	}
	if space.Files < leastFiles {
		return fmt.Errorf("pebblestore: %w: the disk of %s takes %d more files, want %d. Try: delete files on that disk",
			store.ErrFull, s.dir, space.Files, leastFiles)
	}
	return nil
}

var _ store.Spacer = (*Store)(nil)
