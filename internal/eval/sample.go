// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Sample returns n records of a set, ascending, or all if it has no more: every choice of n is as
// likely as any other, and the same seed makes the same one (Bentley and Floyd, A sample of
// brilliance, 1987). Cost: a select for each.
func Sample(set view.View, n int, seed uint64) []uint64 {
	size := set.Len()
	if uint64(max(n, 0)) >= size {
		return set.AppendTo(nil)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	chosen := make(map[uint64]bool, n)
	for most := size - uint64(n); most < size; most++ {
		rank := rng.Uint64N(most + 1)
		if chosen[rank] {
			rank = most
		}
		chosen[rank] = true
	}
	ids := make([]uint64, 0, n)
	for rank := range chosen {
		id, _ := set.Select(rank)
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
