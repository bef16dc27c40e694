// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// mostChanged is how many names of changed keys are kept before all keys are read anew.
const mostChanged = 1 << 16

// keySet is which rows have members, once somebody wants to know how many there are: about a bit
// for each key. A walk finds them; after that only keys are looked at that were written to.
type keySet struct {
	mu   sync.Mutex     // of who reads them
	rows *bitmap.Bitmap // by their numbers
	at   uint64         // the last commit of which nothing is in changed any more
	held int64          // bytes of rows that are counted

	// Under the lock of the Space: names of keys that were written to since rows was right, in
	// commits up to Space.sequence; nil: rows is not right.
	changed map[string]bool
}

// note notes keys that a commit has written to; nil: it may be any. The lock of the Space must be
// held.
func (k *keySet) note(names map[string]bool) {
	if k.changed == nil {
		return
	}
	if names == nil || len(k.changed)+len(names) > mostChanged {
		k.changed = nil
		return
	}
	for name := range names {
		k.changed[name] = true
	}
}

// forget gives back what the rows hold.
func (k *keySet) forget(db *uproar.DB) {
	k.mu.Lock()
	defer k.mu.Unlock()
	db.Hold(-k.held)
	k.rows, k.held = nil, 0
}

// errUnknown says that the rows are not known for a snapshot.
var errUnknown = errors.New("keyspace: which keys there are is not known")

// withKeys calls fn with the numbers of the rows that have members in the snapshot, which fn must
// not keep. Errors: errUnknown, if they would have to be walked over for this snapshot alone.
func (st *State) withKeys(fn func(rows *bitmap.Bitmap) error) error {
	s := st.space
	ix := s.index.Load()
	if ix == nil || s.db.ReadOnly() || st.batch != nil { // what it sees may never be
		return errUnknown
	}
	sequence := st.snap.Sequence()
	s.keys.mu.Lock()
	defer s.keys.mu.Unlock()
	s.mu.Lock()
	known, changed := s.sequence.Load(), s.keys.changed
	if changed == nil && known <= sequence {
		s.keys.changed = make(map[string]bool) // from here on
	}
	names := make([]string, 0, len(changed))
	for name := range changed {
		names = append(names, name)
	}
	s.mu.Unlock()
	switch {
	case known == unread || changed == nil && known > sequence || changed != nil && s.keys.at > sequence:
		return errUnknown
	case changed == nil:
		if err := st.walkKeys(); err != nil {
			s.mu.Lock()
			s.keys.changed = nil
			s.mu.Unlock()
			return err
		}
		s.keys.at = sequence
	case known < sequence: // others have written since
		c, err := changesOf(st.ctx, ix, known, sequence, nil)
		if err != nil || c.any {
			return errUnknown
		}
		for name := range c.names {
			names = append(names, name)
		}
	}
	for _, name := range names {
		id, known, err := st.snap.RowID(memberField, name)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		if has, err := st.hasRecords(id); err != nil {
			return err
		} else if has {
			s.keys.rows.Add(id.Number())
		} else {
			s.keys.rows.Remove(id.Number())
		}
	}
	if changed != nil && known <= sequence {
		s.mu.Lock() // what was written to meanwhile stays
		if s.keys.changed != nil && s.sequence.Load() == known {
			clear(s.keys.changed)
			s.keys.at = sequence
		}
		s.mu.Unlock()
	}
	bytes := int64(len(s.keys.rows.Bytes()))
	s.db.Hold(bytes - s.keys.held)
	s.keys.held = bytes
	return fn(s.keys.rows)
}

// walkKeys reads which rows have members.
func (st *State) walkKeys() error {
	rows := bitmap.Of()
	for row, err := range st.snap.Rows(st.ctx, memberField) {
		if err != nil {
			return err
		}
		id, _, err := st.snap.RowID(memberField, row.Key)
		if err != nil {
			return err
		}
		rows.Add(id.Number())
	}
	st.space.keys.rows = rows
	return nil
}

// Size returns the number of keys. Cost: a walk over all of them the first time, after that a look
// at those that were written to. Errors: ErrLater.
func (st *State) Size() (n int64, err error) {
	if len(st.touched) > 0 && !st.Atomic {
		return 0, ErrLater
	}
	cursor := otherTypes
	if err = errUnknown; len(st.touched) == 0 {
		err = st.withKeys(func(rows *bitmap.Bitmap) error { n = int64(rows.Len()); return nil })
	}
	if errors.Is(err, errUnknown) {
		cursor, err = 0, nil
	}
	for err == nil {
		var keys []Key
		keys, cursor, err = st.ScanKeys(cursor, pageOfMembers)
		if n += int64(len(keys)); cursor == 0 {
			break
		}
	}
	return n, err
}

// RandomKey draws a key, each as likely as any other. ok is false if there is none. Errors:
// ErrLater.
func (st *State) RandomKey() (key []byte, ok bool, err error) {
	if len(st.touched) > 0 && !st.Atomic {
		return nil, false, ErrLater
	}
	row, n, cursor := "", uint64(0), otherTypes
	if err = errUnknown; len(st.touched) == 0 {
		err = st.withKeys(func(rows *bitmap.Bitmap) error {
			if n = rows.Len(); n == 0 {
				return nil
			}
			at, _ := rows.Select(rand.Uint64N(n))
			for x, err := range st.snap.RowsFrom(st.ctx, memberField, at) {
				row = x.Key
				return err
			}
			return nil
		})
	}
	if errors.Is(err, errUnknown) {
		cursor, err = 0, nil
	}
	if n > 0 {
		key, ok = AppendRaw(nil, []byte(row)), true
	}
	for err == nil {
		var keys []Key
		keys, cursor, err = st.ScanKeys(cursor, pageOfMembers)
		for _, other := range keys {
			if n++; rand.Uint64N(n) == 0 {
				key, ok = other.Raw, true
			}
		}
		if cursor == 0 {
			break
		}
	}
	return key, ok, err
}

// Times returns how many keys and members have a time.
func (st *State) Times() (uint64, error) {
	if st.simple {
		return 0, nil
	}
	return st.snap.Count(st.ctx, query.Any{Field: expiresField})
}
