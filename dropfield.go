// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/schema"
)

// DropField drops a field of an index, durably and without waiting for its readers and writers: a
// relation together with its inverse. When it returns nil, snapshots that are taken from now on do
// not know it, nor do batches and loads; those that were open keep it until they are closed. Its
// name may be used again, by AddFields, for a field without values. Its pages go with the next
// flush, and the room that they took with what the store does about deleted entries, or by Compact.
// What was written to it stays in the log until that is trimmed.
//
// Errors: ErrUnknownIndex, ErrUnknownField, ErrInvalid (an inverse by itself, or SavedField),
// ErrReadOnly, ErrClosed, ctx's, or the store's. After an error of the first ones nothing has
// changed.
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
