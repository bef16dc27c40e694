// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// some adds up the first values of a loop.
func some(values iter.Seq[uint64]) (sum uint64) {
	n := 0
	for x := range values {
		sum = sum*31 + x
		if n++; n > 100 {
			break
		}
	}
	return sum
}

// someRuns adds up the first runs of a loop.
func (o *operands) someRuns(runs iter.Seq2[uint64, uint64]) (sum uint64) {
	n := 0
	for first, last := range runs {
		if last < first {
			o.t.Fatalf("got a run from %d to %d", first, last)
		}
		sum = sum*31 + first + 7*last
		if n++; n > 100 {
			break
		}
	}
	return sum
}

// read calls f on copies of a, as changed does, for each point.
func (o *operands) read(f func(m *mutable.Bitmap, x uint64) uint64) uint64 {
	o.t.Helper()
	return o.changed(func(m *mutable.Bitmap) uint64 {
		return o.each(func(x uint64) uint64 { return f(m, x) })
	})
}

// rangeCalls are the calls on a set that take or yield ranges.
var rangeCalls = []roaringtest.Call[*operands]{
	{Name: "View.Between", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return some(o.a.Between(x, x+1<<20)) })
	}},
	{Name: "View.RangesFrom", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return o.someRuns(view.RangesFrom(o.a, x)) })
	}},
	{Name: "View.RangesBackward", Do: func(o *operands) uint64 { return o.someRuns(view.RangesBackward(o.a)) }},
	{Name: "View.RangesBackwardFrom", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return o.someRuns(view.RangesBackwardFrom(o.a, x)) })
	}},
	{Name: "View.ContainsRange", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return roaringtest.One(view.ContainsRange(o.a, x, x+99)) })
	}},
	{Name: "View.IntersectsRange", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return roaringtest.One(view.IntersectsRange(o.a, x, x+99)) })
	}},
	{Name: "View.Masked", Do: func(o *operands) uint64 {
		return o.result(Masked(o.a, 1<<40-1)) + o.result(Masked(o.a, ^uint64(7))) + o.result(Masked(o.a, 0xFFFF))
	}},
	{Name: "AtLeast", Do: func(o *operands) uint64 { return o.result(AtLeast(2, o.a, o.b, o.a)) }},
	{Name: "AtLeastLen", Do: func(o *operands) uint64 { return AtLeastLen(2, o.a, o.b, o.b) }},
}

// bitmapReadCalls are the reads of sets that own their bytes, copied from a.
var bitmapReadCalls = []roaringtest.Call[*operands]{
	{Name: "Bitmap.Len", Do: func(o *operands) uint64 { return o.changed((*mutable.Bitmap).Len) }},
	{Name: "Bitmap.IsEmpty", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return roaringtest.One(m.IsEmpty()) })
	}},
	{Name: "Bitmap.Contains", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			return o.each(func(x uint64) uint64 { return roaringtest.One(m.Contains(x)) })
		})
	}},
	{Name: "Bitmap.Min", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return roaringtest.Number(m.Min()) })
	}},
	{Name: "Bitmap.Max", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return roaringtest.Number(m.Max()) })
	}},
	{Name: "Bitmap.Rank", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.each(m.Rank) })
	}},
	{Name: "Bitmap.Select", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			return roaringtest.Number(m.Select(0)) + roaringtest.Number(m.Select(m.Len()-1))
		})
	}},
	{Name: "Bitmap.All", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return some(m.All()) })
	}},
	{Name: "Bitmap.AppendTo", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			if !listable(m.View()) {
				return 0
			}
			return uint64(len(m.AppendTo(nil)))
		})
	}},
	{Name: "Bitmap.From", Do: func(o *operands) uint64 {
		return o.read(func(m *mutable.Bitmap, x uint64) uint64 { return some(m.From(x)) })
	}},
	{Name: "Bitmap.Between", Do: func(o *operands) uint64 {
		return o.read(func(m *mutable.Bitmap, x uint64) uint64 { return some(m.Between(x, x+1<<20)) })
	}},
	{Name: "Bitmap.Backward", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return some(m.Backward()) })
	}},
	{Name: "Bitmap.BackwardFrom", Do: func(o *operands) uint64 {
		return o.read(func(m *mutable.Bitmap, x uint64) uint64 { return some(m.BackwardFrom(x)) })
	}},
	{Name: "Bitmap.Ranges", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.someRuns(m.Ranges()) })
	}},
}
