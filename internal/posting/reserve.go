// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"maps"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// reserve takes the next n IDs of a key space out of those that commits give out, durably, and
// returns the first. The caller has other merges wait. Commits wait as well, for the flush of what
// comes while the deltas are flushed: the log names IDs without gaps, so that nothing in it may lie
// on both sides of the reserved ones. Errors: those of Flush, and ErrTooLarge, when the IDs would
// reach limit: none is taken then, for what is reserved is never given out again.
func (ix *Index) reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error) {
	if err := ix.flushFrozen(ctx); err != nil {
		return 0, err
	}
	defer ix.pause()()
	if err := ix.flushFrozen(ctx); err != nil {
		return 0, err
	}
	origin := ix.State.Load().Version
	next := maps.Clone(origin.Next)
	if next == nil {
		next = make(map[uint32]uint64)
	}
	if first = next[space]; n > limit || first > limit-n {
		return 0, fmt.Errorf("%w: got %d keys for a load, and %d IDs before them, want IDs below %d", model.ErrTooLarge,
			n,
			first, limit)
	}
	next[space] = first + n
	out := &merge.PageBatch{Store: ix.Store}
	return first, ix.commitManifest(out, &format.ManifestChange{Flushed: origin.Flushed, Next: next}, nil,
		func(v *reader.Version) {
			ix.active.Spaces[space] = delta.EmptyKeys(next[space])
			ix.publish(v, ix.State.Load().Frozen)
		})
}
