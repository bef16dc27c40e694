// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"context"

	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/spelling"
)

// SetAlias points alias at an index, replacing what it pointed at. The change is durable and
// atomic: a concurrent call of Index with the alias returns the old index or the new one and never
// fails. Fill a new index first, then move the alias to it. An empty index removes the alias.
//
// Errors: ErrUnknownIndex, ErrInvalid (a bad name, or the name of an index), ErrReadOnly,
// ErrClosed, ctx's, or the store's.
func (db *DB) SetAlias(ctx context.Context, alias, index string) error {
	return db.change(ctx, "alias "+alias, func(next *schema.Catalog) error {
		if index != "" && next.Index(index) == nil {
			return &UnknownError{What: "index", Name: index, Suggestion: spelling.Suggest(index, db.Indexes())}
		}
		return next.SetAlias(alias, index)
	})
}

// Aliases returns which aliases there are, each with the name of its index. The map belongs to the
// caller.
func (db *DB) Aliases() map[string]string {
	aliases := make(map[string]string)
	for alias, ix := range *db.aliases.Load() {
		aliases[alias] = ix.name
	}
	return aliases
}

// SetNote keeps some bytes with an index, durably, in the place of those before: whatever a program
// has to know of it. At most 64 KiB. Errors: ErrUnknownIndex, ErrInvalid, ErrReadOnly, ErrClosed,
// ctx's, or the store's.
func (db *DB) SetNote(ctx context.Context, index string, note []byte) error {
	if err := schema.CheckNote(note); err != nil {
		return err
	}
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	return db.change(ctx, "note of index "+index, func(next *schema.Catalog) error {
		entry := next.Index(ix.name)
		if entry == nil {
			return &UnknownError{What: "index", Name: index}
		}
		entry.Note = bytes.Clone(note)
		return nil
	})
}

// CheckWrites returns why the database takes no writes, nil if it does. Without tried it looks
// whether one has failed; with it writes a few bytes, synced, to see. Errors: ErrReadOnly,
// ErrClosed, ErrFull, ErrFailed, ctx's.
func (db *DB) CheckWrites(ctx context.Context, tried bool) error {
	for _, ix := range *db.indexes.Load() {
		if err := ix.lists.Failure(); err != nil {
			return err
		}
	}
	if !tried {
		return nil
	}
	return db.change(ctx, "checking writes", func(*schema.Catalog) error { return nil })
}

// Note returns what SetNote has kept with the index, borrowed; nil: nothing.
func (ix *Index) Note() []byte { return *ix.note.Load() }
