// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	pass, ok := s.gate.enter()
	if !ok {
		return store.ErrClosed
	}
	defer s.gate.leave(pass)
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	stored := engineKey(key)
	for range 3 {
		txn := s.db.NewTransactionAt(s.committed.Load(), false)
		item, err := txn.Get(stored)
		switch {
		case errors.Is(err, badger.ErrKeyNotFound):
			return store.ErrNotFound
		case err != nil:
			return fmt.Errorf("badgerstore: get %.64q: %w", key, err)
		}
		if err = show(item, fn); err != errUnreadable {
			return err
		}
		// Garbage collection writes a value to its new place before it deletes the old one: a
		// second look finds it.
	}
	return fmt.Errorf("badgerstore: get %.64q: %w: the engine cannot read the value", key, store.ErrCorrupt)
}

// show calls fn with the value of item.
func show(item *badger.Item, fn func(value []byte) error) error {
	return item.Value(func(value []byte) error {
		value, err := callerValue(item, value)
		if err != nil {
			return err
		}
		return fn(value)
	})
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.walk(prefix, start, func(key []byte, item *badger.Item) error {
		err := show(item, func(value []byte) error { return fn(key, value) })
		if err == errUnreadable {
			return fmt.Errorf("badgerstore: scan at %.64q: %w: the engine cannot read the value", key, store.ErrCorrupt)
		}
		return err
	})
}

// Keys implements store.Store. The keys are in the tree: no value-log file is touched.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.walk(prefix, start, func(key []byte, _ *badger.Item) error { return fn(key) })
}

// walk calls fn for the entries that Scan and Keys show.
func (s *Store) walk(prefix, start []byte, fn func(key []byte, item *badger.Item) error) error {
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
	// An iterator holds on to the tables and files that it began with, so that what is discarded
	// from now on does not concern it.
	s.gate.leave(pass)

	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	for it.Seek(engineKey(start)); it.Valid(); it.Next() {
		item := it.Item()
		key, ours := callerKey(item.Key())
		if !ours {
			continue
		}
		if err := fn(key, item); errors.Is(err, store.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// openIterator returns an iterator over the keys with the prefix, and the function that closes it.
//
// While an iterator is open, Badger deletes no value-log file; but it counts a new iterator only
// after having looked up the memtables in which garbage collection may be noting new places. So a
// first iterator, which is never moved, makes the count, and the second one does the work.
func openIterator(txn *badger.Txn, prefix []byte) (*badger.Iterator, func()) {
	guard := txn.NewKeyIterator([]byte{escape}, badger.IteratorOptions{})
	it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
	return it, func() {
		it.Close()
		guard.Close()
	}
}
