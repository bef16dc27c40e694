// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
)

// A set of more members than a commit takes comes to its key in steps, of which none takes away
// what the next ones need: the commit of its command, which drops what was known of the key; a load
// of the members; commits that take out those of the set before; and at last one that deletes the
// key that was renamed. A process that is killed between them leaves members too many, and none too
// few.

// largeStore is a set that is stored after the commit of its command.
type largeStore struct {
	name   string
	set    *bitmap.Bitmap
	before *bitmap.Bitmap // members that the key had, and the set has not
	source string         // name of the key that the set was renamed from; "": of none
}

// large reports whether there are too many members for the commit of a command.
func (m *Members) large() bool { return m.set != nil && m.set.Len() > storedAtOnce }

// storeLarge has a large set put in the place of a key. Errors: ErrLater, when the same commit
// writes to it or to the source.
func (st *State) storeLarge(name string, set *bitmap.Bitmap, source string) error {
	if st.touched[name] || source != "" && st.touched[source] {
		return ErrLater
	}
	r, err := st.row(name)
	if err != nil {
		return err
	}
	before, err := st.snap.Bitmap(st.ctx, r.base())
	if err != nil {
		return err
	}
	a, err := st.attributesOf(name)
	if err != nil {
		return err
	}
	st.setAttributes(name, a, attributes{})
	st.dropTimes(name)
	st.touched[name] = true
	if source != "" {
		st.touched[source] = true
	}
	st.stores = append(st.stores, largeStore{name, set, bitmap.AndNot(before.View(), set.View()), source})
	*r = Row{st: st, name: r.name, id: r.id, emptied: true, stored: set}
	return nil
}

// finish carries out what a commit has left to be done.
func (s *Space) finish(ctx context.Context, ix *uproar.Index, st *State) error {
	if len(st.stores) == 0 {
		return nil
	}
	if err := s.load(ctx, ix, st.stores); err != nil {
		return err
	}
	for _, of := range st.stores {
		if err := takeOut(ctx, ix, of); err != nil {
			return err
		}
		if of.source == "" {
			continue
		}
		if _, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
			return newState(ctx, s, snap, b, time.Now().UnixMilli()).delete(of.source)
		}); err != nil {
			return err
		}
	}
	snap := ix.Snapshot()
	defer snap.Close()
	return s.refresh(ctx, snap) // others may have written meanwhile
}

// load adds the members of large sets to their rows.
func (s *Space) load(ctx context.Context, ix *uproar.Index, stores []largeStore) error {
	load, err := ix.Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	snap := ix.Snapshot()
	defer snap.Close()
	for _, of := range stores {
		if err := pages(of.set, pageOfMembers, func(ids []uint64) error {
			keys, err := snap.KeysOf(ids)
			for i := 0; i < len(keys) && err == nil; i++ {
				err = load.Set(memberField, keys[i], of.name)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return load.Commit()
}

// takeOut takes the members out of a row that it had before.
func takeOut(ctx context.Context, ix *uproar.Index, of largeStore) error {
	return pages(of.before, pageOfMembers, func(ids []uint64) error {
		_, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
			keys, err := snap.KeysOf(ids)
			for _, key := range keys {
				b.Clear(memberField, key, of.name)
			}
			return err
		})
		return err
	})
}

// pages calls fn with some values of a set after the other.
func pages(set *bitmap.Bitmap, most int, fn func(ids []uint64) error) error {
	var ids []uint64
	for id := range set.All() {
		if ids = append(ids, id); len(ids) == most {
			if err := fn(ids); err != nil {
				return err
			}
			ids = ids[:0]
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return fn(ids)
}
