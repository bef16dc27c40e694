// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

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
