// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/spelling"
)

// DropIndex removes an index with all its records, for good. It is gone for new calls before its
// room is given back; questions to snapshots of it that are still open fail with ErrClosed. If the
// process ends meanwhile, the next opening removes the rest. An alias has to be taken away or set
// to another index first. Backups that go on from one with the index are not possible any more.
// Errors: ErrUnknownIndex, ErrInvalid (an index that has an alias), ErrReadOnly, ErrClosed, ctx's,
// or the store's.
func (db *DB) DropIndex(ctx context.Context, name string) error {
	var dropped *Index
	var id uint32
	err := db.change(ctx, "dropping index "+name, func(next *schema.Catalog) error {
		if alias, ok := next.AliasOf(name); ok {
			return invalid("dropping index %q: got one that has the alias %q, want one without", name, alias)
		}
		entry := next.Index(name)
		if entry == nil {
			return &UnknownError{What: "index", Name: name, Suggestion: spelling.Suggest(name, db.Indexes())}
		}
		id, dropped = entry.ID, (*db.indexes.Load())[name]
		next.Drop(entry.ID)
		return nil
	})
	if err != nil {
		return err
	}
	if err := dropped.lists.Remove(ctx); err != nil {
		return err
	}
	return db.removed(ctx, id)
}

// removed notes that nothing is left of an index.
func (db *DB) removed(ctx context.Context, id uint32) error {
	return db.change(ctx, "dropping an index", func(next *schema.Catalog) error {
		next.Dropping = slices.DeleteFunc(next.Dropping, func(d uint32) bool { return d == id })
		return nil
	})
}

// finishDropping removes what is left of indexes that were being dropped when the process ended.
func (db *DB) finishDropping(ctx context.Context) error {
	if db.opts.ReadOnly || len(db.catalog.Dropping) == 0 {
		return nil
	}
	for _, id := range db.catalog.Dropping {
		if err := posting.RemoveIndex(ctx, db.store, id); err != nil {
			if errors.Is(err, ErrFull) { // the next opening tries again
				return nil
			}
			return err
		}
	}
	next := db.catalog.Clone()
	next.Dropping = nil
	if err := next.Write(db.store); err != nil && !errors.Is(err, ErrFull) {
		return err
	}
	db.catalog = next
	return nil
}
