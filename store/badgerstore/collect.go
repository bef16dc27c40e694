// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

// collectFile has Badger rewrite the value-log file with the most garbage, if it is at least ratio of it.
//
// When Badger begins to rewrite, it reads the newest timestamp of the memtable without a lock, while a commit may be raising it. Either timestamp
// serves, and a 64-bit processor reads one or the other. But where half of each could be read, and where the race detector is watching, collecting and
// committing take turns.
//
// Errors: badger.ErrNoRewrite when there is no such file, store.ErrCorrupt when it is damaged.
func (s *Store) collectFile(ratio float64) error {
	if err := s.checkDescriptors(); err != nil {
		return err
	}
	if takeTurns {
		s.writes.turn.Lock()
		defer s.writes.turn.Unlock()
	}
	if err := s.checkWhole(ratio); err != nil {
		return err
	}
	return s.db.RunValueLogGC(ratio)
}
