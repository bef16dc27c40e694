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
func (fl *flusher) reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error) {
	if err := fl.flushFrozen(ctx); err != nil {
		return 0, err
	}
	defer fl.writer.pause()()
	if err := fl.flushFrozen(ctx); err != nil {
		return 0, err
	}
	base := fl.State.Load().Version
	next := maps.Clone(base.Next)
	if next == nil {
		next = make(map[uint32]uint64)
	}
	if first = next[space]; n > limit || first > limit-n {
		return 0, fmt.Errorf("%w: got %d keys for a load, and %d IDs before them, want IDs below %d", model.ErrTooLarge,
			n,
			first, limit)
	}
	next[space] = first + n
	out := &merge.PageBatch{Store: fl.Store}
	return first, fl.manifests.commitManifest(out, &format.ManifestChange{Flushed: base.Flushed, Next: next}, nil,
		func(v *reader.Version) {
			fl.writer.active.Spaces[space] = delta.EmptyKeys(next[space])
			fl.writer.publish(v, fl.State.Load().Frozen)
		})
}
