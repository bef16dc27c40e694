// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestDenseSetsAreNoLargerThanPortable compares dense sets, in both layouts, with the portable
// format in the smallest of its forms: random bits of all densities, runs, and chunks at the
// boundaries between the kinds. A set of a few runs takes up to 2 bytes more, for its envelope.
func TestDenseSetsAreNoLargerThanPortable(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	check := func(what string, b *bitmap.Bitmap) {
		t.Helper()
		portable, err := AppendPortable32(nil, b.View(), RunsIfSmaller)
		if err != nil {
			t.Fatal(err)
		}
		for _, layout := range []bitmap.Layout{bitmap.Fastest, bitmap.Smallest} {
			b.Pack(layout)
			if got := len(b.Bytes()); got > len(portable)+max(2, len(portable)/50) {
				t.Errorf("%s, layout %d: %d values take %d bytes, want at most 2 bytes or 2 %% more than the "+
					"portable %d", what, layout, b.Len(), got, len(portable))
			}
		}
	}
	for range roaringtest.Paced(120, 40) {
		words := make([]uint64, 1+r.IntN(1<<r.IntN(14)))
		for i := range words {
			words[i] = r.Uint64()
		}
		base := r.Uint64N(1 << 31)
		half := bitmap.FromWords(base, words)
		for i := range words {
			words[i] &= r.Uint64() & r.Uint64()
		}
		eighth := bitmap.FromWords(base, words)
		check("half of the values", half)
		check("an eighth of the values", eighth)
		half.Or(eighth.View().Shift(1).View())
		check("more than half of the values", half)
		for i := range words {
			words[i] = uint64(int64(words[i]) >> 63) // runs of 64 and gaps
		}
		check("long runs", bitmap.FromWords(base, words))
	}
	for _, n := range []uint64{1, 2047, 2048, 2049, 4095, 4096, 4097, 65535, 65536} {
		for chunks := range uint64(5) {
			for _, step := range []uint64{1, 2, 15} {
				b := new(bitmap.Bitmap)
				for key := range chunks + 1 {
					b.AddMany(roaringtest.Span(key<<16, key<<16+min(n*step, container.ChunkValues), step)...)
				}
				check("a chunk at a boundary", b)
			}
		}
	}
	whole := new(bitmap.Bitmap)
	whole.AddRange(0, 1<<32-1)
	check("all values", whole)
}
