// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/verify"
)

// Verify reads every page and every log entry from the store and checks them. It bypasses the cache
// and checks all that format version 1 promises:
//   - the checksums, every bitmap, and the counts of the manifest
//   - both directions of each relation say the same
//   - value columns agree with the lists
//   - keys and hashes lead to each other
//   - lists hold only records that exist, and these records and all rows have keys
//
// Of dropped fields, whose pages are about to go, it checks only checksums and counts of rows. It
// looks at pages only: writes of the delta were checked when they were replayed or made. progress,
// if not nil, receives how many pages are done, and of how many.
//
// It returns nil when all is well, ctx's error, ErrClosed, or up to some 100 problems, joined. Each
// problem matches ErrCorrupt or is the store's. Cost: a read of every page, and a probe for each
// record, row, and value of a relation or value column. Reads and writes go on meanwhile.
func (ix *Index) Verify(ctx context.Context, progress func(done, total int)) error {
	snap := ix.Snapshot()
	defer snap.Close()
	return verify.All(ctx, snap, func() error { return ix.readAllLog(ctx) }, progress)
}

// readAllLog reads the log that is kept. What a flush trims meanwhile is nobody's loss.
func (ix *Index) readAllLog(ctx context.Context) error {
	for {
		err := ix.Log(ctx, ix.changes.oldest.Load()-1, func(Entry) error { return nil })
		if !errors.Is(err, model.ErrSequenceTrimmed) {
			return err
		}
	}
}
