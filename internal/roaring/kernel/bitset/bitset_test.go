// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/rand/v2"
	"testing"
)

// TestBitsetClaims gives cardinalities that are wrong: rank and select stay in range.
func TestBitsetClaims(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var w Words
	for _, density := range []int{0, 1, 200, 60000} {
		for range density {
			w[r.IntN(len(w))] |= 1 << r.IntN(8)
		}
		ones := Len(&w)
		for _, n := range []int{0, 1, ones / 2, ones, ones + 1, 65536} {
			for range 100 {
				x := uint16(r.Uint32())
				if rank := Rank(&w, x, n); rank < 0 || rank > 65536 {
					t.Fatalf("rank of %d, %d claimed of %d: %d", x, n, ones, rank)
				}
				i := r.IntN(65537)
				if at, ok := Select(&w, i, n); ok && (i >= n || !Contains(&w, at)) {
					t.Fatalf("select of %d, %d claimed of %d: %d", i, n, ones, at)
				}
			}
		}
	}
}
