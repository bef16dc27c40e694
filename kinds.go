// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/bitmap"
)

// Kinds counts the containers in the posting lists of each field, as of the last flush. The names
// of the fields are those of Stats. progress, if not nil, receives how many pages are done, and of
// how many. Cost: a read of every page of lists, past the cache. Errors: ctx's, ErrCorrupt,
// ErrClosed, or the store's.
func (ix *Index) Kinds(ctx context.Context, progress func(done, total int)) (map[string]bitmap.Kinds, error) {
	of, err := ix.lists.Kinds(ctx, progress)
	if err != nil {
		return nil, err
	}
	kinds := make(map[string]bitmap.Kinds, len(of))
	for field, k := range of {
		name, _ := ix.schema.Load().Describe(field)
		kinds[name] = bitmap.Kinds{Array: bitmap.Containers(k.Array), Bitset: bitmap.Containers(k.Bitset),
			Run: bitmap.Containers(k.Run), Packed: bitmap.Containers(k.Packed)}
	}
	return kinds, nil
}
