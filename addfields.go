// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/schema"
)

// AddFields adds fields to an index, durably and without waiting for its readers and writers, and
// returns the index. Fields that it has already, exactly as they are given, stay; when it has all
// of them nothing is done. No record has a value in the others yet: when AddFields returns nil they
// may be written and asked about, also in snapshots that are open.
//
// Errors: ErrUnknownIndex, ErrInvalid (a field that cannot be), *FieldConflictError (one that is
// there otherwise), ErrReadOnly, ErrClosed, ctx's, or the store's. After an error nothing has
// changed.
func (db *DB) AddFields(ctx context.Context, name string, fields ...Field) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, ErrClosed
	}
	ix, err := db.Index(name)
	if err != nil {
		return nil, err
	}
	missing, err := ix.lacks(fields)
	if err != nil || len(missing) == 0 {
		return ix, err
	}
	if db.opts.ReadOnly {
		return nil, fmt.Errorf("uproar: new fields of index %q: %w", name, ErrReadOnly)
	}
	next := db.catalog.Clone()
	entry := next.Index(ix.name)
	added, err := schema.Declare(entry.Fields, declared(missing))
	if err != nil {
		return nil, err
	}
	kept, err := schema.PostingFields(added)
	if err != nil {
		return nil, err
	}
	// First the catalog: a write to a field must never be in a log whose catalog does not know the
	// field.
	entry.Fields = append(slices.Clone(entry.Fields), added...)
	if err := next.Write(db.store); err != nil {
		return nil, err
	}
	db.catalog = next
	if err := ix.lists.AddFields(kept...); err != nil {
		return nil, err
	}
	ix.schema.Store(schema.New(entry.Fields))
	return ix, nil
}

// lacks returns the fields that the index has not.
func (ix *Index) lacks(fields []Field) (missing []Field, err error) {
	for _, f := range fields {
		have := ix.schema.Load().Named(f.Name)
		switch {
		case have == nil || f.Name == SavedField: // which cannot be declared
			missing = append(missing, f)
		case fieldOf(have.Field) != f:
			return nil, &FieldConflictError{Index: ix.name, Has: fieldOf(have.Field), Want: f}
		}
	}
	return missing, nil
}
