// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	var theirs, called bool
	var result error // of fn, which is returned as it is
	e := s.acquire()
	defer e.use.RUnlock()
	err := e.view(&theirs, func(t *tree) error {
		if t.root == 0 || len(key) > store.MaxKey {
			return store.ErrNotFound
		}
		var room [store.MaxKey + 1]byte
		wanted := storedKey(room[:0], key)
		stored, err := t.find(wanted, false)
		if stored == nil {
			return cmp.Or(err, store.ErrNotFound)
		}
		value, err := t.value(wanted, stored)
		if err != nil {
			return err
		}
		called, theirs = true, true
		result = fn(value)
		theirs = false
		return nil
	})
	switch {
	case err == nil && called:
		return result
	case err == store.ErrNotFound:
		return store.ErrNotFound
	}
	return fmt.Errorf("bboltstore: get %.64q: %w", key, err)
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.walk(prefix, start, func(t *tree, key, stored []byte, theirs *bool) error {
		value, err := t.value(key, stored)
		if err != nil {
			return err
		}
		*theirs = true
		return fn(key[1:], value)
	})
}

// Keys implements store.Store. Values lie in the mapping and are not touched.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.walk(prefix, start, func(_ *tree, key, _ []byte, theirs *bool) error {
		*theirs = true
		return fn(key[1:])
	})
}

// walk calls fn for the entries that Scan and Keys show, as they are stored. What fn returns when
// it has set theirs is returned as it is.
func (s *Store) walk(prefix, start []byte, fn func(t *tree, key, stored []byte, theirs *bool) error) error {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	e := s.acquire()
	defer e.use.RUnlock()
	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	var theirs bool
	var result error
	err := e.view(&theirs, func(t *tree) error {
		return t.walk(storedKey(nil, start), func(key, stored []byte) (bool, error) {
			if !bytes.HasPrefix(key[1:], prefix) {
				return false, nil
			}
			err := fn(t, key, stored, &theirs)
			if theirs {
				result, err = err, nil
			}
			theirs = false
			return err == nil && result == nil, err
		})
	})
	if err != nil {
		return fmt.Errorf("bboltstore: scan of %.64q: %w", prefix, err)
	}
	if errors.Is(result, store.ErrStop) {
		return nil
	}
	return result
}

// Verify implements store.Verifier. It reads what opening reads, while writers wait, and then all
// entries, whose number and content it compares with a sum that every commit keeps. Of each part it
// tells the first damage.
func (s *Store) Verify(ctx context.Context) error {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	damage := s.verifyFile()
	e := s.acquire()
	defer e.use.RUnlock()
	err := e.verify(func(_, _ []byte) error { return s.interrupted(ctx) })
	if err == nil || errors.Is(err, store.ErrCorrupt) {
		err = errors.Join(damage, err)
	}
	if err != nil && !errors.Is(err, store.ErrClosed) && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		err = fmt.Errorf("bboltstore: verify %s: %w", s.dir, err)
	}
	return err
}

// verifyFile checks the roots, the list of free pages, the branches, and the mark.
func (s *Store) verifyFile() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	e := s.engine.Load()
	if err := e.stopped(); err != nil {
		return err
	}
	roots, err := inspect(e.file, true)
	if err != nil {
		return fmt.Errorf("%s: %w", FileName, err)
	}
	if len(roots) == 1 && !s.readOnly { // else it is perhaps what a kill has left
		return corrupt("%s: root %d is not whole; the other one is", FileName, 1-roots[0].slot)
	}
	known, err := s.acknowledged()
	if err == nil && known > roots[0].txid {
		err = corrupt("%s: it has commit %d, and commit %d was acknowledged", FileName, roots[0].txid, known)
	}
	return err
}

// verify calls fn for all entries, as they are stored, and fails when one is damaged or missing.
func (e *engine) verify(fn func(key, stored []byte) error) error {
	return e.view(nil, func(t *tree) error {
		t.known = new(known) // everything is checked again
		sum, count := uint64(0), 0
		err := t.walk([]byte(firstKey), func(key, stored []byte) (bool, error) {
			sum += weight(stored)
			count++
			_, err := unseal(key, stored)
			if err == nil {
				err = fn(key, stored)
			}
			return err == nil, err
		})
		if err == nil && sum != t.sum {
			err = corrupt("%d entries are there, and their sum is %x, want %x", count, sum, t.sum)
		}
		return err
	})
}
