// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"

	"github.com/uproar-db/uproar/store"
)

// Keys walks over the keys with a prefix; see store.Store. The keys are in the LSM tree: no value is read from the value log.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	pass, ok := s.gate.enter()
	if !ok {
		return store.ErrClosed
	}
	s.scans.Add(1)
	defer s.scans.Done()
	txn := s.db.NewTransactionAt(s.committed.Load(), false)
	defer txn.Discard()
	it, release := openIterator(txn, engineKey(prefix))
	defer release()
	s.gate.leave(pass)

	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	for it.Seek(engineKey(start)); it.Valid(); it.Next() {
		key, ours := callerKey(it.Item().Key())
		if !ours {
			continue
		}
		if err := fn(key); errors.Is(err, store.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}
