// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPageIndex compares page indexes with a binary search: of pages that begin evenly, in
// clusters, in pieces of one row, and at the ends of all rows.
func TestPageIndex(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, step := range map[string]func() uint64{
		"evenly":   func() uint64 { return 1000 },
		"spread":   func() uint64 { return 1 + rng.Uint64N(1<<50) },
		"clusters": func() uint64 { return rng.Uint64N(2)*rng.Uint64N(1<<30) + 1 },
		"pieces":   func() uint64 { return uint64(max(0, rng.IntN(40)-30)) },
		"one row":  func() uint64 { return 0 },
	} {
		for _, pages := range []int{0, 1, indexedFrom - 1, indexedFrom, 100, 3000} {
			refs := make([]Ref, pages)
			for i, first := 0, step(); i < pages; i++ {
				refs[i].First = first
				first += step()
			}
			g := newPageIndex(refs)
			if (g != nil) != (pages >= indexedFrom) || g != nil && 4*len(g.At) > IndexBytes*pages+8 {
				t.Fatalf("seed %d, %s: got index %v of %d pages", seed, name, g, pages)
			}
			rows := []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1}
			for range 2000 {
				row := rng.Uint64() >> rng.IntN(64)
				if pages > 0 && rng.IntN(2) == 0 {
					row = refs[rng.IntN(pages)].First + rng.Uint64N(3) - 1
				}
				rows = append(rows, row)
			}
			for _, row := range rows {
				if got, want := g.FindRef(refs, row), FindRef(refs, row); got != want {
					t.Fatalf("seed %d, %s: %d pages, row %d: got page %d, want %d", seed, name, pages, row, got, want)
				}
			}
		}
	}
}
