// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/spelling"
	"github.com/uproar-db/uproar/store"
)

// CreateIndex makes a new index with its fields, durably. Errors: ErrIndexExists, ErrInvalid,
// ErrReadOnly, ErrClosed, ctx's, or the store's.
func (db *DB) CreateIndex(ctx context.Context, name string, fields ...Field) (*Index, error) {
	return db.createIndex(ctx, schema.Index{Name: name}, fields)
}

// createIndex makes a new index of an entry without ID, secret and fields.
func (db *DB) createIndex(ctx context.Context, entry schema.Index, fields []Field) (*Index, error) {
	name := entry.Name
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, ErrClosed
	}
	if db.ReadOnly() {
		return nil, fmt.Errorf("uproar: new index %q: %w", name, ErrReadOnly)
	}
	if _, err := db.Index(name); err == nil {
		return nil, fmt.Errorf("%w: %q; want another name, or drop that one first", ErrIndexExists, name)
	}
	if db.catalog.Entry(name) != nil {
		return nil, fmt.Errorf("%w: index %q is new, and not loaded to the end", ErrLoading, name)
	}
	if err := schema.CheckName("index", name); err != nil {
		return nil, err
	}
	if err := schema.CheckNote(entry.Note); err != nil {
		return nil, err
	}
	secret := format.NewSecret()
	entry.ID, entry.Secret = db.catalog.NextID(), hex.EncodeToString(secret[:])
	last := uint64(0)
	for _, ix := range *db.aliases.Load() { // an alias may be moved
		last = max(last, ix.lists.Sequence())
	}
	entry.Above = db.catalog.Above(last)
	var err error
	if entry.Fields, err = schema.Declare(nil, declared(fields)); err != nil {
		return nil, err
	}
	next := db.catalog.Clone()
	next.Indexes = append(next.Indexes, entry)
	// The catalog is written last: an index that could not be opened must not be in it.
	if err := manifest.Begin(db.store, entry.ID, entry.Above); err != nil {
		return nil, err
	}
	ix, err := db.openIndex(&entry)
	if err != nil {
		return nil, err
	}
	if err := next.Write(db.store); err != nil {
		return nil, errors.Join(err, ix.lists.Close())
	}
	db.catalog = next
	db.opened[name] = ix
	db.publish()
	return ix, nil
}

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

// Note returns what SetNote has kept with the index, borrowed; nil: nothing.
func (ix *Index) Note() []byte { return *ix.note.Load() }

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
			return invalid("dropping index %q: got one with the alias %q; drop that, or set it to another index", name, alias)
		}
		entry := next.Index(name)
		if of := db.Aliases()[name]; entry == nil && of != "" {
			return invalid("dropping index %q: got an alias of index %q, want the name of an index", name, of)
		}
		if entry == nil {
			return &UnknownError{What: "index", Name: name, Suggestion: spelling.Suggest(name, db.Indexes())}
		}
		id, dropped = entry.ID, (*db.indexes.Load())[name]
		next.Drop(entry.ID)
		next.Last = max(next.Last, dropped.lists.Sequence())
		return nil
	})
	if err != nil {
		return err
	}
	err = dropped.lists.Remove(ctx)
	if err == nil {
		err = db.removed(ctx, id)
	}
	if errors.Is(err, store.ErrFenced) || errors.Is(err, ErrReadOnly) {
		return nil // the index is dropped, and the copy that leads now removes the rest
	}
	return err
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
	if db.ReadOnly() || len(db.catalog.Dropping) == 0 {
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

// change replaces the catalog by a changed copy, durably, and makes the change visible.
func (db *DB) change(ctx context.Context, what string, fn func(next *schema.Catalog) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	if db.ReadOnly() {
		return fmt.Errorf("uproar: %s: %w", what, ErrReadOnly)
	}
	next := db.catalog.Clone()
	if err := fn(next); err != nil {
		return err
	}
	if err := next.Write(db.store); err != nil {
		return err
	}
	db.catalog = next
	db.publish()
	return nil
}

// publish makes indexes, aliases and notes visible as the catalog has them.
func (db *DB) publish() {
	maps.DeleteFunc(db.opened, func(name string, _ *Index) bool { return db.catalog.Entry(name) == nil })
	indexes := make(map[string]*Index, len(db.opened))
	for i := range db.catalog.Indexes {
		entry := &db.catalog.Indexes[i]
		ix := db.opened[entry.Name]
		ix.note.Store(&entry.Note)
		if !entry.Loading {
			indexes[entry.Name] = ix
		}
	}
	db.indexes.Store(&indexes)
	aliases := make(map[string]*Index, len(db.catalog.Aliases))
	for alias, name := range db.catalog.Aliases {
		aliases[alias] = indexes[name]
	}
	db.aliases.Store(&aliases)
}
