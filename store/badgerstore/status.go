// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import "github.com/uproar-db/uproar/store"

// Status says what the engine consists of, and what housekeeping has done since the store was
// opened.
type Status struct {
	Levels    []Level // of the tree, from level 0; levels without tables are left out
	Passes    uint64  // passes of housekeeping: each merges the tree and looks for value-log files to rewrite
	Rewritten uint64  // value-log files whose live values were copied, and which were deleted
}

// Level is one level of the tree.
type Level struct {
	Depth  int // 0 is the level that memtables are written to
	Tables int
	Bytes  int64
}

// Status returns the state of the engine. It looks at each table. Errors: store.ErrClosed.
func (s *Store) Status() (Status, error) {
	pass, ok := s.gate.enter()
	if !ok {
		return Status{}, store.ErrClosed
	}
	defer s.gate.leave(pass)
	st := Status{Passes: s.house.passes.Load(), Rewritten: s.house.rewritten.Load()}
	for _, l := range s.db.Levels() {
		if l.NumTables > 0 {
			st.Levels = append(st.Levels, Level{Depth: l.Level, Tables: l.NumTables, Bytes: l.Size})
		}
	}
	return st, nil
}
