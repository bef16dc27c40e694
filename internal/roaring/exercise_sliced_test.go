// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"
	"testing"
)

// slicedOperands are what the calls on integers are made with.
type slicedOperands struct {
	v      SlicedView
	filter View
	values []int64
	t      testing.TB
}

// exerciseSliced asks everything of integers, whatever their bytes.
func exerciseSliced(t testing.TB, v SlicedView, filter View) []uint64 {
	t.Helper()
	o := &slicedOperands{v: v, filter: filter, t: t, values: []int64{math.MinInt64, -1, 0, 7, math.MaxInt64, v.base}}
	for _, u := range []uint64{0, v.largest(), v.largest() / 2, v.largest() / 3, 5} {
		o.values = append(o.values, v.value(u))
	}
	lo, _ := v.Min()
	hi, _ := v.Max()
	o.values = append(o.values, lo, hi, lo/2+hi/2)
	records := v.Records()
	most := budgetFor((records.count()+filter.count())*(2+int(v.width)), len(v.bodies)+len(filter.body))
	most.bytes += 32 << 20 // what pools hold for 64 slices
	return run(t, slicedCalls, o, most)
}

// each calls f for every integer.
func (o *slicedOperands) each(f func(x int64) uint64) (sum uint64) {
	for _, x := range o.values {
		sum = sum*31 + f(x)
	}
	return sum
}

// sets calls f, which makes a set, for every integer.
func (o *slicedOperands) sets(f func(x int64) *Bitmap) uint64 {
	o.t.Helper()
	return o.each(func(x int64) uint64 {
		m := f(x)
		if _, err := Open(m.Bytes()); err != nil {
			o.t.Fatalf("a set that was made cannot be opened: %v", err)
		}
		return m.Len() + m.Rank(1<<40)
	})
}

// sumOf reads the pairs that a call appended.
func sumOf(list []Pair) (sum uint64) {
	for i, p := range list {
		sum += uint64(i+1) * (p.ID ^ uint64(p.Value))
	}
	return sum
}

// changed calls f on a copy of the integers, which is valid afterwards, whatever it was made from.
func (o *slicedOperands) changed(f func(s *Sliced) uint64) uint64 {
	o.t.Helper()
	s := o.v.Clone()
	sum := f(s)
	s.Set(1<<30|5, 7)
	if err := s.View().Validate(); err != nil {
		o.t.Fatalf("integers that were changed: %v", err)
	}
	return sum + s.Len()
}

// written opens integers that were serialized.
func (o *slicedOperands) written(b []byte) uint64 {
	o.t.Helper()
	v, err := OpenSliced(b)
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		o.t.Fatalf("integers that were written: %v", err)
	}
	return v.Len() + uint64(len(b))
}

// slicedCalls are the calls on integers.
var slicedCalls = []call[*slicedOperands]{
	{"SlicedView.Validate", func(o *slicedOperands) uint64 { return one(o.v.Validate() == nil) }},
	{"SlicedView.Len", func(o *slicedOperands) uint64 { return o.v.Len() }},
	{"SlicedView.Records", func(o *slicedOperands) uint64 { return o.v.Records().Len() }},
	{"SlicedView.Within", func(o *slicedOperands) uint64 {
		return o.v.Within(o.filter).Len() + o.v.Within(o.v.Records()).EqualLen(7) + o.v.Within(o.filter).Clone().Len()
	}},
	{"SlicedView.Value", func(o *slicedOperands) (sum uint64) {
		n := 0
		for id := range o.v.Records().All() {
			x, ok := o.v.Value(id)
			sum += number(uint64(x), ok)
			if n++; n == 100 {
				break
			}
		}
		return sum
	}},
	{"SlicedView.All", func(o *slicedOperands) (sum uint64) {
		n := 0
		for id, x := range o.v.All() {
			sum = sum*31 + id ^ uint64(x)
			if n++; n > 100_000 {
				break
			}
		}
		return sum
	}},
	{"SlicedView.Min", func(o *slicedOperands) uint64 {
		x, ok := o.v.Min()
		return number(uint64(x), ok)
	}},
	{"SlicedView.Max", func(o *slicedOperands) uint64 {
		x, ok := o.v.Max()
		return number(uint64(x), ok)
	}},
	{"SlicedView.Nth", func(o *slicedOperands) (sum uint64) {
		for _, i := range []uint64{0, 1, o.v.Len() / 2, o.v.Len() - 1, o.v.Len(), math.MaxUint64} {
			x, ok := o.v.Nth(i)
			sum += number(uint64(x), ok)
		}
		return sum
	}},
	{"SlicedView.Quantile", func(o *slicedOperands) (sum uint64) {
		for _, p := range []float64{-1, 0, 0.01, 0.5, 0.999, 1, 2, math.NaN()} {
			x, ok := o.v.Quantile(p)
			sum += number(uint64(x), ok)
		}
		return sum
	}},
	{"SlicedView.TopK", func(o *slicedOperands) uint64 {
		return sumOf(o.v.TopK(nil, 1)) + sumOf(o.v.TopK(nil, 5000)) + sumOf(o.v.TopK(nil, -1))
	}},
	{"SlicedView.BottomK", func(o *slicedOperands) uint64 {
		return sumOf(o.v.BottomK(nil, 3)) + sumOf(o.v.BottomK(nil, 5000)) + sumOf(o.v.BottomK(nil, 0))
	}},
	{"SlicedView.EqualLen", func(o *slicedOperands) uint64 { return o.each(o.v.EqualLen) }},
	{"SlicedView.LessLen", func(o *slicedOperands) uint64 { return o.each(o.v.LessLen) }},
	{"SlicedView.LessEqualLen", func(o *slicedOperands) uint64 { return o.each(o.v.LessEqualLen) }},
	{"SlicedView.GreaterLen", func(o *slicedOperands) uint64 { return o.each(o.v.GreaterLen) }},
	{"SlicedView.GreaterEqualLen", func(o *slicedOperands) uint64 { return o.each(o.v.GreaterEqualLen) }},
	{"SlicedView.BetweenLen", func(o *slicedOperands) uint64 {
		return o.each(func(x int64) uint64 { return o.v.BetweenLen(x, x/2+100) })
	}},
	{"SlicedView.Equal", func(o *slicedOperands) uint64 { return o.sets(o.v.Equal) }},
	{"SlicedView.Less", func(o *slicedOperands) uint64 { return o.sets(o.v.Less) }},
	{"SlicedView.LessEqual", func(o *slicedOperands) uint64 { return o.sets(o.v.LessEqual) }},
	{"SlicedView.Greater", func(o *slicedOperands) uint64 { return o.sets(o.v.Greater) }},
	{"SlicedView.GreaterEqual", func(o *slicedOperands) uint64 { return o.sets(o.v.GreaterEqual) }},
	{"SlicedView.Between", func(o *slicedOperands) uint64 {
		return o.sets(func(x int64) *Bitmap { return o.v.Between(x, x/2+100) })
	}},
	{"SlicedView.Sum", func(o *slicedOperands) uint64 {
		s := o.v.Sum()
		return uint64(s.Hi) ^ s.Lo ^ s.Len
	}},
	{"Sum.Int64", func(o *slicedOperands) uint64 {
		x, ok := o.v.Sum().Int64()
		return number(uint64(x), ok)
	}},
	{"Sum.Big", func(o *slicedOperands) uint64 { return o.v.Sum().Big().Uint64() }},
	{"Sum.Float64", func(o *slicedOperands) uint64 { return math.Float64bits(o.v.Sum().Float64()) }},
	{"Sum.Mean", func(o *slicedOperands) uint64 { return math.Float64bits(o.v.Sum().Mean()) }},
	{"SlicedView.Append", func(o *slicedOperands) uint64 { return o.written(o.v.Append(nil, Fastest)) }},
	{"SlicedView.AppendChecked", func(o *slicedOperands) uint64 { return o.written(o.v.AppendChecked(nil, Smallest)) }},
	{"SlicedView.Clone", func(o *slicedOperands) uint64 { return o.v.Clone().Len() + o.changed((*Sliced).Len) }},
	{"Sliced.Clone", func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 { return s.Clone().Len() })
	}},
	{"Sliced.Len", func(o *slicedOperands) uint64 { return o.v.Clone().Len() }},
	{"Sliced.View", func(o *slicedOperands) uint64 {
		v := o.v.Clone().View()
		return v.GreaterLen(3) + sumOf(v.TopK(nil, 3))
	}},
	{"Sliced.Set", func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			return o.each(func(x int64) uint64 {
				s.Set(uint64(x), x)
				return s.Len()
			})
		})
	}},
	{"Sliced.Clear", func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			return o.each(func(x int64) uint64 { return one(s.Clear(uint64(x))) + one(s.Clear(uint64(x)+1)) })
		})
	}},
	{"Sliced.Value", func(o *slicedOperands) uint64 {
		s := o.v.Clone()
		return o.each(func(x int64) uint64 {
			y, ok := s.Value(uint64(x))
			return number(uint64(y), ok)
		})
	}},
	{"Sliced.Pack", func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			s.Pack(Smallest)
			return s.Len()
		})
	}},
	{"SlicedOf", func(o *slicedOperands) uint64 {
		var list []Pair
		for id, x := range o.v.All() {
			if list = append(list, Pair{id, x}); len(list) == 1000 {
				break
			}
		}
		return SlicedOf(list).Len()
	}},
}
