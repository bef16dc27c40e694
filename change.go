// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"fmt"
	"maps"

	"github.com/uproar-db/uproar/internal/schema"
)

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
	if db.opts.ReadOnly {
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
