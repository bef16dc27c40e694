// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// Commit makes a batch durable and visible, all of it or nothing, and returns its sequence number.
// When it returns nil, every later snapshot has it, and it is on the disk (with NoSync: handed to
// the operating system; with SyncEvery: on its way there). Commits that come together share a sync.
// While writers outrun the disk, Commit waits. The batch is not changed and may be used again.
//
// ctx ends the waiting before the commit has begun, with its error and no effect; a commit that has
// begun is carried through. On a store of several machines that does not answer, ctx's end ends the
// waiting for it, too: the error matches store.ErrUnavailable, and the commit may come to be there.
//
// Errors: ErrInvalid, ErrTooLarge, ErrDeleted, ErrReadOnly, ErrClosed, ErrFailed, ErrCorrupt,
// store.ErrFull, or the store's.
func (ix *Index) Commit(ctx context.Context, b *Batch) (sequence uint64, err error) {
	_, sequence, err = ix.committer.commit(ctx, b)
	return sequence, err
}

// CommitFrom is Commit for a batch whose IDs were looked up in a snapshot. The snapshot must stay
// open until CommitFrom returns. Commit refuses the IDs of records that were deleted since the last
// flush. CommitFrom also refuses when records were deleted after the snapshot was taken and a flush
// has forgotten which. The error is then ErrDeleted: make the batch anew from a newer snapshot.
// Other errors as of Commit.
func (ix *Index) CommitFrom(ctx context.Context, s reader.Snapshot, b *Batch) (sequence uint64, err error) {
	if err := b.check(ix.source); err != nil {
		return 0, err
	}
	_, sequence, err = ix.committer.tryCommit(ctx, s, b, b.absent)
	return sequence, err
}

// Failure returns why the index takes no more writes, or nil if it takes them. The error matches
// ErrFailed. It matches store.ErrFull if the index soon will take none, because a flush had no
// room.
func (ix *Index) Failure() error {
	for _, why := range [...]*error{ix.writer.stopped.Load(), ix.writer.full.Load()} {
		if why != nil {
			return *why
		}
	}
	return nil
}

// Flush merges everything committed before the call into pages. Readers and writers go on
// meanwhile. Flushes happen by themselves; a caller needs one only to have nothing left to replay,
// or before measuring. When ctx ends, nothing has changed. Errors: ctx's, ErrReadOnly, ErrClosed,
// ErrFailed, ErrCorrupt, the store's.
func (ix *Index) Flush(ctx context.Context) error {
	if ix.readOnly() {
		return model.ErrReadOnly
	}
	return ix.flusher.flushNow(ctx)
}
