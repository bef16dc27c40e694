// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// kindOf returns the kind of the first container of a set.
func kindOf(b *mutable.Bitmap) uint8 {
	v := b.View()
	return v.KindAt(0)
}

// TestFullBitsets combines full chunks that are bitsets, as Or may make them, with others of all
// kinds.
func TestFullBitsets(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	full := pair.Or(pair.FromSorted(roaringtest.Span(3<<16, 4<<16, 2)).View(),
		pair.FromSorted(roaringtest.Span(3<<16|1, 4<<16,
			2)).View())
	if kindOf(full) != container.Bitset || full.Len() != container.ChunkValues {
		t.Fatalf("got %d values in a container of kind %d: this tests nothing", full.Len(), kindOf(full))
	}
	for _, values := range [][]uint64{roaringtest.Span(3<<16, 4<<16, 1), roaringtest.Span(3<<16, 4<<16, 2),
		roaringtest.Span(3<<16|5, 4<<16, 9),
		roaringtest.Span(3<<16, 4<<16, 20), roaringtest.Span(3<<16|7, 3<<16|40_000, 1), {3 << 16}, {4<<16 - 1},
		{2 << 16, 4 << 16}} {
		var others []view.View
		for kind := range uint8(4) {
			c := roaringtest.Container{Key: values[0] >> 16, Kind: kind, Values: values,
				Low: roaringtest.BestLow(roaringtest.Relative(values, values[0]>>16<<16))}
			if kind == container.Packed || values[len(values)-1]>>16 == c.Key {
				if c.Fits() {
					others = append(others, open(t, roaringtest.CompactBody([]roaringtest.Container{c}, 0)),
						open(t, roaringtest.LooseBody([]roaringtest.Container{c}, r)))
				}
			}
		}
		for _, op := range viewOps {
			all := full.View().AppendTo(nil)
			wants := [][]uint64{roaringtest.CombineSorted(values, all, op.F),
				roaringtest.CombineSorted(all, values, op.F)}
			for _, x := range others {
				for i, pair := range [][2]view.View{{x, full.View()}, {full.View(), x}} {
					got := op.Do(pair[0], pair[1])
					if err := got.View().Validate(); err != nil || !slices.Equal(got.View().AppendTo(nil), wants[i]) ||
						op.N(pair[0], pair[1]) != uint64(len(wants[i])) {
						t.Fatalf("%s with all values, of %d values of kind %d: got %d and %d values, want %d, %v",
							op.Name, len(values), x.KindAt(0), got.Len(), op.N(pair[0], pair[1]), len(wants[i]), err)
					}
				}
			}
		}
	}
}
