// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"testing"
)

// TestAndLenOfListsAndDenseSets counts lists within dense sets: bitsets of consecutive chunks, from
// chunk 0 or a later one. Some sets are only nearly dense.
func TestAndLenOfListsAndDenseSets(t *testing.T) {
	r := rand.New(rand.NewPCG(117, 1))
	dense := 0
	for round := range 40 {
		base := uint64(r.IntN(3)*r.IntN(1000)) << 16
		chunks := 1 + r.IntN(12)
		in := map[uint64]bool{}
		var large, list []uint64
		for x := base; x < base+uint64(chunks)<<16; x += 1 + r.Uint64N(6) {
			if round%4 == 3 && x>>16&3 == 1 && x&0xFFF > 0 {
				continue // an array in between
			}
			large = append(large, x)
			in[x] = true
		}
		step, want := 1+uint64(chunks)<<17/uint64(40+r.IntN(2000)), uint64(0)
		for x := base - min(base, 3<<16) + r.Uint64N(step); x < base+uint64(chunks+2)<<16; x += 1 + r.Uint64N(step) {
			list = append(list, x)
			if in[x] {
				want++
			}
		}
		a, b := FromSorted(large).View(), FromSorted(list).View()
		if bits, _ := denseSpan(&a); bits != nil {
			dense++
		}
		if n := AndLen(a, b); n != want {
			t.Fatalf("round %d: %d values within %d chunks from %d on: got %d, want %d", round, len(list), chunks,
				base>>16, n, want)
		}
		var p Prober
		p.Open(&a)
		if n := p.count(list); n != want {
			t.Fatalf("round %d: a prober counts %d of %d values, want %d", round, n, len(list), want)
		}
	}
	if dense < 20 {
		t.Fatalf("%d sets were flat, want 20 at least", dense)
	}
}
