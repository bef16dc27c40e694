// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(123, 124))
	for _, s := range roaringtest.Samples(r, 12) {
		v := open(t, s.Body)
		points := roaringtest.Asked(r, s.Values)
		r.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		for _, base := range points[:8] {
			if r.IntN(2) == 0 {
				base -= r.Uint64N(200_000)
			}
			if r.IntN(2) == 0 {
				base &^= 63
			}
			dst := make([]uint64, r.IntN(1<<r.IntN(13)))
			want := make([]uint64, len(dst))
			for i := range dst {
				dst[i] = r.Uint64()
			}
			at, _ := slices.BinarySearch(s.Values, base)
			var in []uint64
			for _, x := range s.Values[at:] {
				d := x - base
				if d>>6 >= uint64(len(dst)) {
					break
				}
				want[d>>6] |= 1 << (d & 63)
				in = append(in, x)
			}
			Words(v, base, dst)
			if !slices.Equal(dst, want) {
				t.Fatalf("%s: %d words from %d", s.Name, len(dst), base)
			}
			back := FromWords(base, dst)
			if err := back.View().Validate(); err != nil {
				t.Fatalf("%s: from %d words at %d: %v", s.Name, len(dst), base, err)
			}
			if !slices.Equal(back.View().AppendTo(nil), in) {
				t.Fatalf("%s: from %d words at %d: wrong values", s.Name, len(dst), base)
			}
		}
	}
}

// TestWordsAtTheEnd has words that reach beyond the largest uint64.
func TestWordsAtTheEnd(t *testing.T) {
	all := []uint64{^uint64(0), ^uint64(0), ^uint64(0)}
	for _, before := range []uint64{1, 63, 64, 65, 128, 130} {
		base := -before
		b := FromWords(base, all)
		if hi, _ := b.Max(); b.Len() != before || hi != ^uint64(0) {
			t.Fatalf("the last %d values: got %d, up to %d", before, b.Len(), hi)
		}
		dst := slices.Clone(all)
		Words(b.View(), base, dst)
		ones := FromWords(0, dst)
		if hi, _ := ones.Max(); ones.Len() != before || hi != before-1 {
			t.Fatalf("words of the last %d values: got %x", before, dst)
		}
	}
}
