// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/verify"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Kinds returns which containers the lists of each field have, as of the last flush. progress, if
// not nil, is told how many pages of how many are done. Cost: a read of every page of lists, past
// the cache, in the memory of one. Errors: ctx's, ErrCorrupt, ErrClosed, or the store's.
func (ix *Index) Kinds(ctx context.Context, progress func(done, total int)) (map[uint32]view.Kinds, error) {
	snap := ix.Snapshot()
	defer snap.Close()
	return verify.Kinds(ctx, snap, progress)
}
