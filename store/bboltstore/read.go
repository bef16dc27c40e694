// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/store"
)

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	var theirs, called bool
	var result error // of fn, which is returned as it is
	e := s.acquire()
	defer e.use.RUnlock()
	err := e.view(&theirs, func(bucket *bbolt.Bucket) error {
		value := bucket.Get(key)
		if value == nil {
			return store.ErrNotFound
		}
		if len(value) > store.MaxValue {
			return fmt.Errorf("%w: a value of %d bytes", store.ErrCorrupt, len(value))
		}
		called, theirs = true, true
		result = fn(value)
		theirs = false
		return nil
	})
	switch {
	case err == nil && called:
		return result
	case err == nil || err == store.ErrNotFound: // a store without a bucket has no entries
		return store.ErrNotFound
	}
	return fmt.Errorf("bboltstore: get %.64q: %w", key, err)
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.walk(prefix, start, fn)
}

// Keys implements store.Store. Values lie in the mapping and are not touched.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.walk(prefix, start, func(key, _ []byte) error { return fn(key) })
}

func (s *Store) walk(prefix, start []byte, fn func(key, value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	e := s.acquire()
	defer e.use.RUnlock()
	return e.walk(prefix, start, fn)
}

// walk calls fn for the entries that Scan and Keys show.
func (e *engine) walk(prefix, start []byte, fn func(key, value []byte) error) error {
	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	var theirs bool
	var result error // of fn, which is returned as it is
	err := e.view(&theirs, func(bucket *bbolt.Bucket) error {
		c := bucket.Cursor()
		var last []byte
		for key, value := c.Seek(start); key != nil && bytes.HasPrefix(key, prefix); key, value = c.Next() {
			if len(key) == 0 || len(key) > store.MaxKey || len(value) > store.MaxValue {
				return fmt.Errorf("%w: after %.64q: an entry of %d and %d bytes", store.ErrCorrupt, last, len(key),
					len(value))
			}
			if last != nil && bytes.Compare(key, last) <= 0 { // or a damaged tree might lead round in circles
				return fmt.Errorf("%w: after %.64q: got key %.64q, want a greater one", store.ErrCorrupt, last, key)
			}
			last = key
			theirs = true
			result = fn(key, value)
			theirs = false
			if result != nil {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("bboltstore: scan of %.64q: %w", prefix, err)
	}
	if errors.Is(result, store.ErrStop) {
		return nil
	}
	return result
}
