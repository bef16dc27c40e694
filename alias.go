// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/spelling"
)

// SetAlias makes alias another name of an index, in the place of the index that it was a name of,
// durably and at once: a call of Index with the alias returns the one or the other, and never fails
// in between. So an index is replaced by another that was filled meanwhile. An empty index takes
// the alias away. Errors: ErrUnknownIndex, ErrInvalid (an alias that cannot be a name, or is that
// of an index), ErrReadOnly, ErrClosed, ctx's, or the store's.
func (db *DB) SetAlias(ctx context.Context, alias, index string) error {
	return db.change(ctx, "alias "+alias, func(next *catalog) error {
		if index != "" && next.index(index) == nil {
			return &UnknownError{What: "index", Name: index, Suggestion: spelling.Suggest(index, db.Indexes())}
		}
		return next.setAlias(alias, index)
	})
}

// setAlias makes alias another name of an index that there is; of "", it takes the alias away.
func (c *catalog) setAlias(alias, index string) error {
	if err := checkName("alias", alias); err != nil {
		return err
	}
	if c.entry(alias) != nil {
		return invalid("alias: got %q, which is the name of an index", alias)
	}
	if index == "" {
		delete(c.Aliases, alias)
		return nil
	}
	if c.Aliases == nil {
		c.Aliases = make(map[string]string)
	}
	c.Aliases[alias] = index
	return nil
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
	if err := checkNote(note); err != nil {
		return err
	}
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	return db.change(ctx, "note of index "+index, func(next *catalog) error {
		entry := next.index(ix.name)
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
	return db.change(ctx, "checking writes", func(*catalog) error { return nil })
}

const maxNote = 64 << 10

func checkNote(note []byte) error {
	if len(note) > maxNote {
		return invalid("note: got %d bytes, want at most %d", len(note), maxNote)
	}
	return nil
}

// Note returns what SetNote has kept with the index, borrowed; nil: nothing.
func (ix *Index) Note() []byte { return *ix.note.Load() }

// change replaces the catalog by a changed copy, durably, and makes the change visible.
func (db *DB) change(ctx context.Context, what string, fn func(next *catalog) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	if db.opts.ReadOnly {
		return fmt.Errorf("uproar: %s: %w", what, ErrReadOnly)
	}
	next := db.catalog.clone()
	if err := fn(next); err != nil {
		return err
	}
	if err := next.write(db.store); err != nil {
		return err
	}
	db.catalog = next
	db.publish()
	return nil
}

// publish makes indexes, aliases and notes visible as the catalog has them.
func (db *DB) publish() {
	maps.DeleteFunc(db.opened, func(name string, _ *Index) bool { return db.catalog.entry(name) == nil })
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

// clone returns a copy that can be changed: its entries, not their fields.
func (c *catalog) clone() *catalog {
	return &catalog{Version: c.Version, Indexes: slices.Clone(c.Indexes), Aliases: maps.Clone(c.Aliases),
		LastID: c.LastID, Dropping: slices.Clone(c.Dropping)}
}

// index returns the entry of an index, or nil; of one that is being loaded, nil.
func (c *catalog) index(name string) *catalogIndex {
	if entry := c.entry(name); entry != nil && !entry.Loading {
		return entry
	}
	return nil
}

// entry returns the entry of an index, whether it is being loaded or not, or nil.
func (c *catalog) entry(name string) *catalogIndex {
	for i := range c.Indexes {
		if c.Indexes[i].Name == name {
			return &c.Indexes[i]
		}
	}
	return nil
}
