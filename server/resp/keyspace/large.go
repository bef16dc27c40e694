// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
)

// pageOfMembers is how many members are read together.
const pageOfMembers = 4096

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

// loadLarge adds the members of large sets to their rows.
func loadLarge(ctx context.Context, ix *uproar.Index, stores []largeStore) error {
	load, err := ix.Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for _, of := range stores {
		if err := load.SetIDs(memberField, of.name, of.set); err != nil {
			return err
		}
	}
	return load.Commit()
}

// takeOut takes the members out of a row that it had before.
func (s *Space) takeOut(ctx context.Context, ix *uproar.Index, of largeStore) error {
	return pages(of.before, pageOfMembers, func(ids []uint64) error {
		return s.update(ctx, ix, func(snap uproar.Snapshot, b *uproar.Batch) error {
			keys, err := snap.KeysOf(ids)
			for _, key := range keys {
				b.Clear(memberField, key, of.name)
			}
			return err
		})
	})
}

// update commits what a function writes as a commit of the space, which is not followed.
func (s *Space) update(ctx context.Context, ix *uproar.Index, fn func(uproar.Snapshot, *uproar.Batch) error) error {
	var seen uint64
	sequence, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		seen = snap.Sequence()
		return fn(snap, b)
	})
	if err == nil && sequence != seen {
		s.own[sequence] = true
	}
	return err
}

// finish carries out what a commit has left to be done.
func (s *Space) finish(ctx context.Context, ix *uproar.Index, st *State) error {
	if len(st.stores) == 0 {
		return nil
	}
	if err := loadLarge(ctx, ix, st.stores); err != nil {
		return err
	}
	for _, of := range st.stores {
		if err := s.takeOut(ctx, ix, of); err != nil {
			return err
		}
		if of.source == "" {
			continue
		}
		if err := s.deleteSource(ctx, ix, of.source); err != nil {
			return err
		}
	}
	return s.followStores(ctx, ix, st.stores)
}

// deleteSource deletes a key that was renamed.
func (s *Space) deleteSource(ctx context.Context, ix *uproar.Index, name string) error {
	var st *State
	err := s.update(ctx, ix, func(snap uproar.Snapshot, b *uproar.Batch) error {
		st = newState(ctx, s, snap, b, time.Now().UnixMilli())
		return st.delete(name)
	})
	if err != nil {
		return err
	}
	for record, at := range st.timed {
		s.timers.set(timer{at, record})
	}
	s.sweeper.note(st.removed, func(tell func(name string)) { revived(st, tell) })
	return nil
}

// followStores brings what is known up to the last commit: large sets were stored, and others may
// have written meanwhile.
func (s *Space) followStores(ctx context.Context, ix *uproar.Index, stores []largeStore) error {
	snap := ix.Snapshot()
	defer snap.Close()
	c, err := changesOf(ctx, ix, s.sequence.Load(), snap.Sequence(), s.own, 1)
	if err != nil || s.schema != snap.SchemaVersion() {
		return s.refresh(ctx, snap)
	}
	for _, of := range stores {
		c.names[of.name] = true
		if of.source != "" {
			c.names[of.source] = true
		}
		s.sweeper.keep(of.set)
	}
	s.apply(c, snap.Sequence())
	return nil
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
