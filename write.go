// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Write commits a batch, all of it or nothing, and returns its sequence number. When it returns
// nil, the batch is on the disk (see Options.NoSync) and every snapshot taken afterwards sees it.
// Records and values that are new get IDs. Writes that come together share a sync; when they outrun
// the disk, Write waits. An empty batch is no commit.
//
// ctx ends the waiting before the commit has begun, without effect; a commit that has begun is
// carried through.
//
// Errors: ErrUnknownField, ErrInvalid, ErrReadOnly, ErrTooLarge, ErrClosed, ErrFailed, ErrCorrupt,
// ctx's, or the store's.
func (ix *Index) Write(ctx context.Context, b *Batch) (sequence uint64, err error) {
	for {
		sequence, err = ix.write(ctx, b)
		if !errors.Is(err, model.ErrDeleted) {
			return sequence, err
		}
		// A record of the batch was deleted after it was looked up: the write makes it anew.
	}
}

func (ix *Index) write(ctx context.Context, b *Batch) (sequence uint64, err error) {
	snap := ix.Snapshot()
	defer snap.Close()
	if b.Len() == 0 {
		return snap.Sequence(), nil
	}
	n := binding.New()
	defer n.Done()
	bound, err := n.Bind(ctx, b.writes, snap.lists, snap.schema, unknownField)
	if err != nil {
		return 0, err
	}
	if bound.Len() == 0 {
		return snap.Sequence(), nil
	}
	return ix.lists.CommitFrom(ctx, snap.lists, bound)
}

// Flush merges all that was written before the call into pages. It happens by itself; a caller
// needs it only to leave nothing to be replayed, or before measuring. Errors: ctx's, ErrFailed,
// ErrCorrupt, or the store's.
func (ix *Index) Flush(ctx context.Context) error { return ix.lists.Flush(ctx) }
