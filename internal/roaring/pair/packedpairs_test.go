// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestPackedPairs intersects sets of any density and place, in all four ways. They are packed, and
// also laid out for speed. After changing bytes, it only checks that nothing panics.
func TestPackedPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(171, 1))
	filled := 0
	for i := range 300 {
		span := uint64(1) << (16 + r.IntN(5))
		base := uint64(r.IntN(3)) << (16 + r.IntN(3))
		clustered := i%4 == 0 // with stretches of nothing
		var lists [2][]uint64
		for k := range lists {
			n := 1 + r.IntN(1<<(9+r.IntN(8)))
			for range n {
				x := r.Uint64N(span)
				if clustered && x>>15%3 == uint64(k) {
					continue
				}
				lists[k] = append(lists[k], base*uint64(r.IntN(2)*i%2)+x)
			}
			slices.Sort(lists[k])
			lists[k] = slices.Compact(lists[k])
		}
		var want []uint64
		for _, x := range lists[0] {
			if _, ok := slices.BinarySearch(lists[1], x); ok {
				want = append(want, x)
			}
		}
		var forms [2][2]view.View
		for k, list := range lists {
			forms[k][0] = open(t, pack.AppendBody(nil, list))
			var b pack.Builder
			for _, x := range list {
				b.Append(x)
			}
			forms[k][1] = mutable.NewBitmap(&b, pack.Fastest).View()
		}
		for way := range 4 {
			a, b := forms[0][way&1], forms[1][way>>1]
			for range 2 {
				if got := AndLen(a, b); got != uint64(len(want)) {
					t.Fatalf("%d and %d values of %d, way %d: got %d in common, want %d", len(lists[0]), len(lists[1]),
						span, way, got, len(want))
				}
				both := And(a, b)
				if got := slices.Collect(both.View().All()); !slices.Equal(got, want) {
					t.Fatalf("%d and %d values of %d, way %d: got %d values, want %d", len(lists[0]), len(lists[1]),
						span, way, len(got), len(want))
				}
				if err := both.View().Validate(); err != nil {
					t.Fatal(err)
				}
				a, b = b, a
			}
		}
		filled += len(want)
		harmed := slices.Clone(forms[0][0].Body())
		for range 1 + len(harmed)/64 {
			harmed[r.IntN(len(harmed))] ^= byte(1 << r.IntN(8))
		}
		if v, err := view.OpenBody(harmed); err == nil {
			for _, o := range forms[1] {
				AndLen(v, o)
				And(v, o)
				AndLen(o, v)
			}
		}
	}
	if filled < 30_000 {
		t.Fatalf("%d values in common: this tests too little", filled)
	}
}

// TestPackedPairsOfChunkEnds intersects packed sets whose common values in a chunk end with its
// last one, on all paths.
func TestPackedPairsOfChunkEnds(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for chunks := uint64(1); chunks <= 3; chunks++ {
		var lists [2][]uint64
		for x := uint64(0); x < chunks<<16; x += 53 {
			lists[0], lists[1] = append(lists[0], x), append(lists[1], x+uint64(len(lists[1]))%3)
		}
		for key := range chunks {
			for k := range lists {
				lists[k] = append(lists[k], key<<16|0xFFFF)
			}
		}
		var sets [2]view.View
		for k := range lists {
			slices.Sort(lists[k])
			lists[k] = slices.Compact(lists[k])
			c := roaringtest.Container{Kind: container.Packed, Low: roaringtest.BestLow(lists[k]), Values: lists[k]}
			next := roaringtest.Container{Key: chunks, Values: []uint64{chunks<<16 + uint64(k)}}
			sets[k] = open(t, slices.Clip(roaringtest.CompactBody([]roaringtest.Container{c, next}, 0)))
		}
		want := roaringtest.CombineSorted(lists[0], lists[1], viewOps[0].F)
		for _, path := range cpu.Paths() {
			cpu.Use(path)
			if got := AndLen(sets[0], sets[1]); got != uint64(len(want)) {
				t.Errorf("%v: %d values in common in %d chunks, want %d", path, got, chunks, len(want))
			}
			if got := slices.Collect(And(sets[0], sets[1]).All()); !slices.Equal(got, want) {
				t.Errorf("%v: And has %d values in %d chunks, want %d", path, len(got), chunks, len(want))
			}
		}
	}
}
