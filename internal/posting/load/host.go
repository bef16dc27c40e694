// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Host is the index that a load goes into, as the load sees it.
type Host interface {
	// AssignKeys gives IDs to keys by a commit.
	AssignKeys(ctx context.Context, keys []model.SpaceKey) (ids []uint64, err error)

	// Begin has other merges wait until release, and flushes what was written before. It returns a
	// driver of merges into the pages that there are then, and the records that were deleted since
	// the load began. With over, the values that commits give from now on go over those of the
	// load.
	Begin(ctx context.Context, over bool) (w *merge.Driver, deleted *mutable.Bitmap, release func(), err error)

	// Reserve takes the next n IDs of a key space, durably, and returns the first. Errors:
	// ErrTooLarge, when the IDs would reach limit.
	Reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error)

	// Pause has commits wait until resume. It returns the keys of a space that they have named
	// since the last flush.
	Pause(space uint32) (named *delta.NewKeys, resume func())

	// CommitManifest makes what a driver has merged durable and visible, and the log entry that
	// goes with it, if there is one. It returns the sequence number.
	CommitManifest(w *merge.Driver, entry *wal.Entry) (sequence uint64, err error)

	// End ends the load. err says what could not be cleaned up.
	End(err error)
}
