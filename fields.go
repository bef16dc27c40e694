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

// DropField drops a field of an index; a relation goes together with its inverse. The drop is
// durable and does not wait for readers and writers. Once it returns nil, new snapshots, batches
// and loads do not know the field. Open ones keep it until they are closed. A batch that is written
// meanwhile is refused with ErrUnknownField, or written without values of the field. AddFields may
// use the name again, for a field without values.
//
// The next flush deletes the pages of the field. Their room is freed as the store handles deleted
// entries, or by Compact. Writes to the field stay in the log until it is trimmed.
//
// Errors: ErrUnknownIndex, ErrUnknownField, ErrInvalid (an inverse by itself, or SavedField),
// ErrReadOnly, ErrClosed, ctx's, or the store's. Nothing has changed after one of the first four.
func (db *DB) DropField(ctx context.Context, index, field string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	f, err := ix.field(field)
	switch {
	case err != nil:
		return err
	case f.ID == schema.SavedID:
		return invalid("drop: got %q, which every index has", field)
	case f.Derived:
		return invalid("drop: got %q, the inverse of %q, which is dropped with it", field, f.Inverse)
	case db.opts.ReadOnly:
		return fmt.Errorf("uproar: dropping field %q of index %q: %w", field, index, ErrReadOnly)
	}
	next := db.catalog.Clone()
	entry := next.Index(ix.name)
	numbers := []uint32{f.ID}
	if f.InverseID != 0 {
		numbers = append(numbers, f.InverseID)
	}
	entry.DropFields(numbers...)
	// First the catalog: pages may go only when no opening knows the field any more, and snapshots
	// that begin with them gone must not know it either.
	if err := next.Write(db.store); err != nil {
		return err
	}
	db.catalog = next
	ix.schema.Store(schema.New(entry.Fields))
	return ix.lists.DropFields(numbers...)
}
