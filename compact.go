// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// Compact flushes every index and has the store free the room of what was deleted or replaced. The
// content does not change. Engines compact by themselves as far as they can. Call Compact when you
// cannot wait, or with bboltstore: nothing else shrinks its file.
//
// Reads go on meanwhile. Writes go on with Pebble and wait with bbolt, which needs room on the disk
// for a second file. progress, if not nil, receives the step that begins and the number of steps:
// the flush of the named index, or last, with an empty name, the work of the store.
//
// After an error, or when ctx is done, the content is as before. Some room may have been freed.
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
