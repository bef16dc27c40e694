// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

func TestShift(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	rounds := roaringtest.Paced(40, 8)
	for _, s := range roaringtest.Samples(r, rounds) {
		v := open(t, s.Body)
		offsets := []int64{0, 1, -1, 63, 64, -64, 65_535, 65_536, -65_535, -65_536, -65_537, 1 << 40, -1 << 40,
			math.MaxInt64, math.MinInt64}
		offsets = offsets[r.IntN(len(offsets)):][:1]
		offsets = append(offsets, int64(r.Uint64()), int64(r.Uint64())>>r.IntN(60))
		if len(s.Values) > 0 {
			x := s.Values[r.IntN(len(s.Values))]
			offsets = append(offsets, -int64(x&math.MaxInt64), int64(min(^x, math.MaxInt64)))
		}
		for _, offset := range offsets {
			var want []uint64
			for _, x := range s.Values {
				if y := x + uint64(offset); (offset >= 0) == (y >= x) {
					want = append(want, y)
				}
			}
			got := Shift(v, offset)
			if err := got.View().Validate(); err != nil {
				t.Fatalf("%s by %d: %v", s.Name, offset, err)
			}
			if !slices.Equal(got.View().AppendTo(nil), want) {
				t.Fatalf("%s of %d values by %d: wrong values", s.Name, len(s.Values), offset)
			}
		}
	}
}
