// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// Verify reads every page of every index from the store and checks it against the format. It checks
// checksums, bitmaps, counts, both directions of every relation, value columns against lists, keys
// against hashes, lists against the records that exist, and the log. It has the store check its own
// files as well. Reads and writes go on meanwhile. progress, if not nil, receives how many pages of
// an index are done, and of how many.
//
// It returns nil when all is well, ctx's error, or the problems found, up to 100 an index, joined,
// each once. Each problem names the index, the page, the row and field numbers; the error says
// which field has which number.
func (db *DB) Verify(ctx context.Context, progress func(index string, done, total int)) error {
	var problems error
	if v, ok := db.store.(store.Verifier); ok {
		if err := v.Verify(ctx); err != nil {
			problems = fmt.Errorf("the store: %w", err)
		}
	}
	if err := schema.Verify(db.store); err != nil {
		problems = errors.Join(problems, fmt.Errorf("the catalog: %w", err))
	}
	for _, name := range db.Indexes() {
		ix, err := db.Index(name)
		if err != nil {
			return err
		}
		var tell func(done, total int)
		if progress != nil {
			tell = func(done, total int) { progress(name, done, total) }
		}
		if err := ix.lists.Verify(ctx, tell); err != nil {
			problems = errors.Join(problems, fmt.Errorf("index %q, where field %s: %w", name,
				ix.schema.Load().Numbers(), err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return problems
}

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
	if db.ReadOnly() {
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

// CheckWrites returns why the database takes no writes, nil if it does. Without tried it looks
// whether one has failed, and whether the disk has space for the next; with it writes a few bytes,
// synced, to see. Errors: ErrReadOnly, ErrClosed, ErrFull, ErrFailed, ctx's.
func (db *DB) CheckWrites(ctx context.Context, tried bool) error {
	for _, ix := range *db.indexes.Load() {
		if err := ix.lists.Failure(); err != nil {
			return err
		}
	}
	if _, err := db.Space(); err != nil || !tried {
		return schema.Failed(err)
	}
	return db.change(ctx, "checking writes", func(*schema.Catalog) error { return nil })
}
