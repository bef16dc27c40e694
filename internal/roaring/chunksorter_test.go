// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestSorted compares sorting by digits with sorting by comparison.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var c chunkSorter
	for _, n := range []int{0, 1, 63, 64, 1000, 5000} {
		for _, bits := range []int{1, 9, 20, 47, 64} {
			x := make([]uint64, n)
			for i := range x {
				x[i] = r.Uint64() >> (64 - bits)
			}
			want := slices.Sorted(slices.Values(x))
			if got := c.sorted(slices.Clone(x), 0); !slices.Equal(got, want) {
				t.Errorf("%d numbers of %d bits are not sorted", n, bits)
			}
		}
	}
}

// TestChunkSorterOverflows combines more containers, and more values of short lists, than are
// sorted: sets beyond are walked by cursors, beside the others.
func TestChunkSorterOverflows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const keys = 600
	var views []view.View
	counts := map[uint64]int{}
	add := func(values []uint64, layout pack.Layout) {
		slices.Sort(values)
		values = slices.Compact(values)
		for _, x := range values {
			counts[x]++
		}
		b := pair.FromSorted(values)
		b.Pack(layout)
		views = append(views, b.View())
	}
	for range maxSorted/keys + 20 {
		var values []uint64
		for key := range uint64(keys) {
			for range tinyArray + 2 {
				values = append(values, key<<16|r.Uint64N(400))
			}
		}
		add(values, pack.Fastest)
	}
	for range maxSorted/container.MaxPacked + 4 {
		values := make([]uint64, 2000)
		for i := range values {
			values[i] = r.Uint64N(keys << 20)
		}
		add(values, pack.Fastest)
	}
	for range 3 {
		add(append(roaringtest.Span(1<<16, 2<<16, 1), roaringtest.Span(5<<16, keys<<16, 9000)...), pack.Smallest)
		add(roaringtest.Span(3<<16, 4<<16, 1+uint64(r.IntN(3))), pack.Fastest)
	}
	or, xor := 0, 0
	for _, n := range counts {
		or++
		xor += n & 1
	}
	for name, set := range map[string]*mutable.Bitmap{"OrAll": OrAll(views...),
		"ParallelOrAll": ParallelOrAll(3, views...),
		"XorAll":        XorAll(views...)} {
		want := or
		if name == "XorAll" {
			want = xor
		}
		if set.Len() != uint64(want) {
			t.Errorf("%s: got %d values, want %d", name, set.Len(), want)
		}
		if err := set.View().Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for x := range set.All() {
			if n := counts[x]; n == 0 || name == "XorAll" && n&1 == 0 {
				t.Fatalf("%s: got %d, which %d sets have", name, x, n)
			}
		}
	}
}

// TestChunkSorterTakesRangeOfList takes the values of a list that have keys in a range. They
// include the first and last possible value of a chunk.
func TestChunkSorterTakesRangeOfList(t *testing.T) {
	var values []uint64
	for key := range uint64(300) {
		values = append(values, key<<16, key<<16|0xFFFF)
	}
	list := open(t, roaringtest.ListBody(values, roaringtest.BestLow(values)))
	for _, keys := range []keyRange{allKeys, {0, 1}, {7, 9}, {299, 300}, {299, container.MaxKey + 1}, {300, 400}} {
		var want []uint64
		for _, x := range values {
			if key := x >> 16; key >= keys.lo && key < keys.hi {
				want = append(want, x)
			}
		}
		var c chunkSorter
		if !c.take(&list, keys) || !slices.Equal(c.values, want) {
			t.Errorf("keys from %d below %d: got %d, want %d", keys.lo, keys.hi, c.values, want)
		}
	}
}
