// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"

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

// takeOut takes the members out of a row that it had before, in commits by update.
func takeOut(of largeStore, update func(func(uproar.Snapshot, *uproar.Batch) error) error) error {
	return pages(of.before, pageOfMembers, func(ids []uint64) error {
		return update(func(snap uproar.Snapshot, b *uproar.Batch) error {
			keys, err := snap.KeysOf(ids)
			for _, key := range keys {
				b.Clear(memberField, key, of.name)
			}
			return err
		})
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
