// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFindHash looks for present and absent hashes in small and large pages. They are spread evenly
// or not at all.
func TestFindHash(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, draw := range []func() uint64{
		rng.Uint64,
		func() uint64 { return rng.Uint64N(50) },
		func() uint64 { return 1<<64 - 1 - rng.Uint64N(50) },
		func() uint64 { return rng.Uint64N(2) * (1<<64 - 1) },
		func() uint64 { return rng.Uint64() >> rng.IntN(64) },
		func() uint64 { return 0 },
	} {
		for _, n := range []int{0, 1, 2, 3, 17, 1000} {
			var hashes []uint64
			for range n {
				hashes = append(hashes, draw())
			}
			slices.Sort(hashes)
			var entries []HashEntry
			for i, h := range hashes {
				entries = append(entries, HashEntry{Hash: h, ID: uint64(i)})
			}
			p := &Page{Kind: Hashes, Count: n, Data: AppendHashPage(entries, 0, 1<<64-1)}
			if err := p.checkHashes(&Ref{Field: 2}); err != nil {
				t.Fatal(err)
			}
			shift := p.Shift
			for range 200 {
				want := draw() >> shift
				if n > 0 && rng.IntN(2) == 0 {
					want = hashes[rng.IntN(n)]>>shift + uint64(rng.IntN(3)) - 1
				}
				at := 0
				for at < n && hashes[at]>>shift < want {
					at++
				}
				if got := p.FindHash(want); got != at {
					t.Fatalf("%x in %x: got %d, want %d", want, hashes, got, at)
				}
			}
		}
	}
}
