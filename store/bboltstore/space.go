// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"math"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
)

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

var _ store.Spacer = (*Store)(nil)
