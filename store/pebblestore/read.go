// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
)

// state returns what readers see: the latest state, or after a failed commit the one before it.
func (s *Store) state() pebble.Reader {
	if before := s.frozen.Load(); before != nil {
		return before
	}
	return s.db
}

// shield makes an error of a panic of the engine. Those of the caller's own function, which is
// running while theirs, are passed on.
func shield(theirs *bool, err *error) {
	if theirs != nil && *theirs {
		return
	}
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%w: the engine stopped: %s", store.ErrCorrupt, firstLine(fmt.Sprint(cause)))
	}
}

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	value, done, err := s.find(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return store.ErrNotFound
	case err != nil:
		return fmt.Errorf("pebblestore: get %.64q: %w", key, engineError(err))
	}
	defer done()
	return fn(value)
}

// find returns the value under a key. Done must be called when it is not needed any more.
func (s *Store) find(key []byte) (value []byte, done func(), err error) {
	defer shield(nil, &err)
	value, closer, err := s.state().Get(key)
	if err != nil {
		return nil, nil, err
	}
	return value, func() { _ = closer.Close() }, nil
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.walk(prefix, start, fn)
}

// Keys implements store.Store. The blocks that it passes are read with the values in them.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.walk(prefix, start, func(key, _ []byte) error { return fn(key) })
}

func (s *Store) walk(prefix, start []byte, fn func(key, value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	if len(start) == 0 {
		start = nil // the engine's checks in builds with -race take no empty bound
	}
	end := after(prefix)
	if end != nil && bytes.Compare(start, end) >= 0 {
		return nil
	}
	result, err := s.each(&pebble.IterOptions{LowerBound: start, UpperBound: end}, fn)
	if err != nil {
		return fmt.Errorf("pebblestore: scan of %.64q: %w", prefix, engineError(err))
	}
	if errors.Is(result, store.ErrStop) {
		return nil
	}
	return result
}

// each calls fn for the entries within bounds, and returns its error as result.
func (s *Store) each(bounds *pebble.IterOptions, fn func(key, value []byte) error) (result, err error) {
	var theirs bool
	defer shield(&theirs, &err)
	it, err := s.state().NewIter(bounds)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := it.Close(); err == nil { // with the error that it has met
			err = closing
		}
	}()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return nil, err
		}
		theirs = true
		result = fn(it.Key(), value)
		theirs = false
		if result != nil {
			return result, nil
		}
	}
	return nil, nil
}

// after returns the least key behind all that have a prefix, nil when there is none.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}
