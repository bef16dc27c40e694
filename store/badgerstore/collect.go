// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import "errors"

// collectFile has Badger rewrite the value-log file with the most garbage, if it is at least ratio
// of it.
//
// When Badger begins to rewrite, it reads the newest timestamp of the memtable without a lock,
// while a commit may be raising it. Either timestamp serves, and a 64-bit processor reads one or
// the other. But where half of each could be read, and where the race detector is watching,
// collecting and committing take turns.
//
// Errors: badger.ErrNoRewrite when there is no such file, store.ErrCorrupt when it is damaged.
func (s *Store) collectFile(ratio float64) error {
	if err := s.canWrite(); err != nil {
		return err
	}
	if err := s.numbers.look(); err != nil {
		return makeRoom(err)
	}
	if takeTurns {
		s.writes.turn.Lock()
		defer s.writes.turn.Unlock()
	}
	return s.rewriteFile(ratio)
}

// errUnread says that protection from damage has come to nothing.
var errUnread = errors.New("the engine has rewritten a file without having said so before, as it does in its " +
	"version 4.9.6: none is rewritten any more. Try: the engine's version that go.mod names")

// rewriteFile has Badger rewrite a file that is whole. Which one Badger takes is known only when it
// says so, in the log, before it begins and while it holds no lock: there the file is read
// (logger.Infof), and if it is damaged a panic takes us back here.
func (s *Store) rewriteFile(ratio float64) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refused:
			err = r.err
		default:
			panic(r)
		}
	}()
	if s.house.unread.Load() {
		return errUnread
	}
	checked := s.log.checked.Load()
	if err := s.db.RunValueLogGC(ratio); err != nil {
		return err
	}
	if s.log.checked.Load() == checked {
		s.house.unread.Store(true)
		return errUnread
	}
	return nil
}
