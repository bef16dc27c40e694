// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// Compact writes what is new in every index to its pages, and has the store give back the room of
// what was deleted or replaced, if it can. The content does not change. It happens by itself as far
// as the engine goes; Compact is for those who cannot wait, and for bboltstore, whose file shrinks
// by nothing else. Reads go on meanwhile; writes do too on Badger, and wait on bbolt, which needs
// room on the disk for a second file. progress, if not nil, is told which of how many steps begins:
// the flush of an index, by its name, or, at last and with an empty name, the work of the store.
//
// When ctx is done, or an error met, the database is as it was, perhaps with some of the room given
// back.
//
// Errors: ErrReadOnly, ErrClosed, ErrFull, ErrFailed, ErrCorrupt, ctx's, or the store's.
func (db *DB) Compact(ctx context.Context, progress func(index string, step, steps int)) error {
	if db.opts.ReadOnly {
		return fmt.Errorf("uproar: compact: %w", ErrReadOnly)
	}
	names := db.Indexes()
	tell := func(index string, step int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(index, step, len(names)+1)
		}
		return nil
	}
	for i, name := range names {
		if err := tell(name, i+1); err != nil {
			return err
		}
		ix, err := db.Index(name)
		if err != nil {
			return err
		}
		if err := ix.Flush(ctx); err != nil {
			return fmt.Errorf("compact: index %q: %w", name, err)
		}
	}
	if err := tell("", len(names)+1); err != nil {
		return err
	}
	compacter, ok := db.store.(store.Compacter)
	if !ok {
		return nil
	}
	err := compacter.Compact(ctx)
	if errors.Is(err, store.ErrClosed) { // Close came in between
		return ErrClosed
	}
	return err
}
