// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"iter"
	"slices"
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
func (o *operands) read(f func(m *Bitmap, x uint64) uint64) uint64 {
	o.t.Helper()
	return o.changed(func(m *Bitmap) uint64 {
		return o.each(func(x uint64) uint64 { return f(m, x) })
	})
}

// rangeCalls are the calls on a set that take or yield ranges.
var rangeCalls = []call[*operands]{
	{"View.Between", func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return some(o.a.Between(x, x+1<<20)) })
	}},
	{"View.RangesFrom", func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return o.someRuns(o.a.RangesFrom(x)) })
	}},
	{"View.RangesBackward", func(o *operands) uint64 { return o.someRuns(o.a.RangesBackward()) }},
	{"View.RangesBackwardFrom", func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return o.someRuns(o.a.RangesBackwardFrom(x)) })
	}},
	{"View.ContainsRange", func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return one(o.a.ContainsRange(x, x+99)) })
	}},
	{"View.IntersectsRange", func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return one(o.a.IntersectsRange(x, x+99)) })
	}},
	{"View.Masked", func(o *operands) uint64 {
		return o.made(o.a.Masked(1<<40-1)) + o.made(o.a.Masked(^uint64(7))) + o.made(o.a.Masked(0xFFFF))
	}},
	{"AtLeast", func(o *operands) uint64 { return o.made(AtLeast(2, o.a, o.b, o.a)) }},
	{"AtLeastLen", func(o *operands) uint64 { return AtLeastLen(2, o.a, o.b, o.b) }},
}

// bitmapReadCalls are the reads of sets that own their bytes, copied from a.
var bitmapReadCalls = []call[*operands]{
	{"Bitmap.Len", func(o *operands) uint64 { return o.changed((*Bitmap).Len) }},
	{"Bitmap.IsEmpty", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return one(m.IsEmpty()) })
	}},
	{"Bitmap.Contains", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.each(func(x uint64) uint64 { return one(m.Contains(x)) }) })
	}},
	{"Bitmap.Min", func(o *operands) uint64 { return o.changed(func(m *Bitmap) uint64 { return number(m.Min()) }) }},
	{"Bitmap.Max", func(o *operands) uint64 { return o.changed(func(m *Bitmap) uint64 { return number(m.Max()) }) }},
	{"Bitmap.Rank", func(o *operands) uint64 { return o.changed(func(m *Bitmap) uint64 { return o.each(m.Rank) }) }},
	{"Bitmap.Select", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return number(m.Select(0)) + number(m.Select(m.Len()-1)) })
	}},
	{"Bitmap.All", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return some(m.All()) })
	}},
	{"Bitmap.LenRange", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return m.LenRange(x, x+99) })
	}},
	{"Bitmap.ContainsRange", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return one(m.ContainsRange(x, x+99)) })
	}},
	{"Bitmap.IntersectsRange", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return one(m.IntersectsRange(x, x+99)) })
	}},
	{"Bitmap.Among", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return some(slices.Values(m.Among(slices.Clone(o.points)))) })
	}},
	{"Bitmap.Next", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return number(m.Next(x)) })
	}},
	{"Bitmap.Previous", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return number(m.Previous(x)) })
	}},
	{"Bitmap.NextAbsent", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return number(m.NextAbsent(x)) })
	}},
	{"Bitmap.PreviousAbsent", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return number(m.PreviousAbsent(x)) })
	}},
	{"Bitmap.Hash", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { m.Hash(); return 0 })
	}},
	{"Bitmap.AppendTo", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			if !listable(m.View()) {
				return 0
			}
			return uint64(len(m.AppendTo(nil)))
		})
	}},
	{"Bitmap.Words", func(o *operands) uint64 {
		words := make([]uint64, 100)
		return o.read(func(m *Bitmap, x uint64) uint64 { m.Words(x, words); return words[0] })
	}},
	{"Bitmap.Shift", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.made(m.Shift(1000)) })
	}},
	{"Bitmap.Masked", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.made(m.Masked(1<<17 - 1)) })
	}},
	{"Bitmap.Kinds", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return m.Kinds().Packed.Values })
	}},
	{"Bitmap.From", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return some(m.From(x)) })
	}},
	{"Bitmap.Between", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return some(m.Between(x, x+1<<20)) })
	}},
	{"Bitmap.Backward", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return some(m.Backward()) })
	}},
	{"Bitmap.BackwardFrom", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return some(m.BackwardFrom(x)) })
	}},
	{"Bitmap.Ranges", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.someRuns(m.Ranges()) })
	}},
	{"Bitmap.RangesFrom", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return o.someRuns(m.RangesFrom(x)) })
	}},
	{"Bitmap.RangesBackward", func(o *operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.someRuns(m.RangesBackward()) })
	}},
	{"Bitmap.RangesBackwardFrom", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return o.someRuns(m.RangesBackwardFrom(x)) })
	}},
	{"Bitmap.Gaps", func(o *operands) uint64 {
		return o.read(func(m *Bitmap, x uint64) uint64 { return o.someRuns(m.Gaps(x, x+1<<30)) })
	}},
}
