// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestMoreReadsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(101, 102))
	cs, values := roaringtest.RandomContainers(r, 12)
	for i := range cs {
		if cs[i].Kind == roaringtest.Absent { // which takes memory to be decoded
			cs[i].Kind = container.Bitset
		}
	}
	few := values[:300]
	other := open(t, roaringtest.LooseBody(cs[1:], r))
	middle := values[len(values)/2]
	var scratch container.Scratch
	var sink uint64
	for name, body := range map[string][]byte{
		"compact": roaringtest.CompactBody(cs, 0),
		"loose":   roaringtest.LooseBody(cs, r),
		"list":    roaringtest.ListBody(few, roaringtest.BestLow(few)),
		"single":  roaringtest.SingleBody(77, 1),
		"empty":   nil,
	} {
		for _, c := range []struct {
			what string
			f    func(v view.View)
		}{
			{"Next", func(v view.View) { x, _ := v.Next(middle); sink += x }},
			{"Previous", func(v view.View) { x, _ := v.Previous(middle); sink += x }},
			{"LenRange", func(v view.View) { sink += view.LenRange(v, middle/2, middle) }},
			{"Hash", func(v view.View) { sink += view.Hash(v) }},
			{"Kinds", func(v view.View) { sink += view.KindsOf(v).Packed.Bytes }},
			{"NextAbsent", func(v view.View) { x, _ := view.NextAbsent(v, middle); sink += x }},
			{"PreviousAbsent", func(v view.View) { x, _ := view.PreviousAbsent(v, middle); sink += x }},
			{"Gaps", func(v view.View) {
				for first, last := range view.Gaps(v, middle/2, 2*middle) {
					sink += last - first
				}
			}},
			{"Ranges", func(v view.View) {
				for first, last := range v.Ranges() {
					sink += last - first
				}
			}},
			{"Iterator", func(v view.View) {
				var dst [200]uint64
				it := v.Iterator(middle)
				for n := it.Read(dst[:]); n > 0; n = it.Read(dst[:]) {
					sink += dst[n-1]
				}
			}},
			{"ReverseIterator", func(v view.View) {
				var dst [200]uint64
				it := v.ReverseIterator(middle)
				for n := it.Read(dst[:]); n > 0; n = it.Read(dst[:]) {
					sink += dst[n-1]
				}
			}},
			{"BackwardFrom", func(v view.View) {
				for x := range v.BackwardFrom(middle) {
					sink += x
				}
			}},
			{"Cursor.Seek", func(v view.View) {
				c := v.Cursor(&scratch)
				for key := uint64(0); c.Seek(key); key = c.Key() + 1 {
					sink += uint64(c.Block().Len())
				}
			}},
			{"Words", func(v view.View) {
				var dst [200]uint64
				Words(v, middle-5000, dst[:])
				sink += dst[7]
			}},
			{"Jaccard", func(v view.View) { sink += uint64(Jaccard(v, other)) }},
		} {
			v := open(t, body)
			if got := roaringtest.Allocations(30, func() { c.f(v) }); got != 0 {
				t.Errorf("%s of the %s form: got %v allocations, want 0", c.what, name, got)
			}
		}
		// The Bitmap, and its bytes.
		v := open(t, body)
		if got := roaringtest.Allocations(30, func() { Shift(v, 1000) }); got > 2 {
			t.Errorf("Shift of the %s form: got %v allocations, want at most 2", name, got)
		}
		words := make([]uint64, 3000)
		Words(v, middle, words)
		if got := roaringtest.Allocations(30, func() { FromWords(middle, words) }); got > 2 {
			t.Errorf("FromWords: got %v allocations, want at most 2", got)
		}
	}
}
