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
	"github.com/uproar-db/uproar/internal/posting/versions"
)

// reserve takes n IDs of a key space durably and returns the first. They are the next IDs that
// commits would give out. The caller has other merges wait. Commits wait too, for the flush of what
// comes while the deltas are flushed: the log names IDs without gaps, so no entry in it may lie on
// both sides of the reserved ones. Reserved IDs are never given out again. Errors: those of Flush,
// and ErrTooLarge when the IDs would reach limit; it takes none then.
func (fl *flusher) reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error) {
	if err := fl.flushFrozen(ctx); err != nil {
		return 0, err
	}
	defer fl.writer.pause()()
	if err := fl.flushFrozen(ctx); err != nil {
		return 0, err
	}
	base := fl.source.State.Load().Version
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
	out := &merge.PageBatch{Store: fl.source.Store}
	return first, fl.manifests.commitManifest(out, &format.ManifestChange{Flushed: base.Flushed, Next: next}, nil,
		func(v *versions.Version) {
			fl.writer.active.Spaces[space] = delta.EmptyKeys(next[space])
			fl.writer.publish(v, fl.source.State.Load().Frozen)
		})
}
