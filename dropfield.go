// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/schema"
)

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
