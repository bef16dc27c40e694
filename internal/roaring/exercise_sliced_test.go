// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
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
	most := roaringtest.BudgetFor((records.count()+filter.count())*(2+int(v.width)), len(v.bodies)+len(filter.body))
	most.Bytes += 32 << 20 // what pools hold for 64 slices
	return roaringtest.Run(t, slicedCalls, o, most)
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
var slicedCalls = []roaringtest.Call[*slicedOperands]{
	{Name: "SlicedView.Validate", Do: func(o *slicedOperands) uint64 { return roaringtest.One(o.v.Validate() == nil) }},
	{Name: "SlicedView.Len", Do: func(o *slicedOperands) uint64 { return o.v.Len() }},
	{Name: "SlicedView.Records", Do: func(o *slicedOperands) uint64 { return o.v.Records().Len() }},
	{Name: "SlicedView.Within", Do: func(o *slicedOperands) uint64 {
		return o.v.Within(o.filter).Len() + o.v.Within(o.v.Records()).EqualLen(7) + o.v.Within(o.filter).Clone().Len()
	}},
	{Name: "SlicedView.Value", Do: func(o *slicedOperands) (sum uint64) {
		n := 0
		for id := range o.v.Records().All() {
			x, ok := o.v.Value(id)
			sum += roaringtest.Number(uint64(x), ok)
			if n++; n == 100 {
				break
			}
		}
		return sum
	}},
	{Name: "SlicedView.All", Do: func(o *slicedOperands) (sum uint64) {
		n := 0
		for id, x := range o.v.All() {
			sum = sum*31 + id ^ uint64(x)
			if n++; n > 100_000 {
				break
			}
		}
		return sum
	}},
	{Name: "SlicedView.Min", Do: func(o *slicedOperands) uint64 {
		x, ok := o.v.Min()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "SlicedView.Max", Do: func(o *slicedOperands) uint64 {
		x, ok := o.v.Max()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "SlicedView.Nth", Do: func(o *slicedOperands) (sum uint64) {
		for _, i := range []uint64{0, 1, o.v.Len() / 2, o.v.Len() - 1, o.v.Len(), math.MaxUint64} {
			x, ok := o.v.Nth(i)
			sum += roaringtest.Number(uint64(x), ok)
		}
		return sum
	}},
	{Name: "SlicedView.Quantile", Do: func(o *slicedOperands) (sum uint64) {
		for _, p := range []float64{-1, 0, 0.01, 0.5, 0.999, 1, 2, math.NaN()} {
			x, ok := o.v.Quantile(p)
			sum += roaringtest.Number(uint64(x), ok)
		}
		return sum
	}},
	{Name: "SlicedView.TopK", Do: func(o *slicedOperands) uint64 {
		return sumOf(o.v.TopK(nil, 1)) + sumOf(o.v.TopK(nil, 5000)) + sumOf(o.v.TopK(nil, -1))
	}},
	{Name: "SlicedView.BottomK", Do: func(o *slicedOperands) uint64 {
		return sumOf(o.v.BottomK(nil, 3)) + sumOf(o.v.BottomK(nil, 5000)) + sumOf(o.v.BottomK(nil, 0))
	}},
	{Name: "SlicedView.EqualLen", Do: func(o *slicedOperands) uint64 { return o.each(o.v.EqualLen) }},
	{Name: "SlicedView.LessLen", Do: func(o *slicedOperands) uint64 { return o.each(o.v.LessLen) }},
	{Name: "SlicedView.LessEqualLen", Do: func(o *slicedOperands) uint64 { return o.each(o.v.LessEqualLen) }},
	{Name: "SlicedView.GreaterLen", Do: func(o *slicedOperands) uint64 { return o.each(o.v.GreaterLen) }},
	{Name: "SlicedView.GreaterEqualLen", Do: func(o *slicedOperands) uint64 { return o.each(o.v.GreaterEqualLen) }},
	{Name: "SlicedView.BetweenLen", Do: func(o *slicedOperands) uint64 {
		return o.each(func(x int64) uint64 { return o.v.BetweenLen(x, x/2+100) })
	}},
	{Name: "SlicedView.Equal", Do: func(o *slicedOperands) uint64 { return o.sets(o.v.Equal) }},
	{Name: "SlicedView.Less", Do: func(o *slicedOperands) uint64 { return o.sets(o.v.Less) }},
	{Name: "SlicedView.LessEqual", Do: func(o *slicedOperands) uint64 { return o.sets(o.v.LessEqual) }},
	{Name: "SlicedView.Greater", Do: func(o *slicedOperands) uint64 { return o.sets(o.v.Greater) }},
	{Name: "SlicedView.GreaterEqual", Do: func(o *slicedOperands) uint64 { return o.sets(o.v.GreaterEqual) }},
	{Name: "SlicedView.Between", Do: func(o *slicedOperands) uint64 {
		return o.sets(func(x int64) *Bitmap { return o.v.Between(x, x/2+100) })
	}},
	{Name: "SlicedView.Sum", Do: func(o *slicedOperands) uint64 {
		s := o.v.Sum()
		return uint64(s.Hi) ^ s.Lo ^ s.Len
	}},
	{Name: "Sum.Int64", Do: func(o *slicedOperands) uint64 {
		x, ok := o.v.Sum().Int64()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "Sum.Big", Do: func(o *slicedOperands) uint64 { return o.v.Sum().Big().Uint64() }},
	{Name: "Sum.Float64", Do: func(o *slicedOperands) uint64 { return math.Float64bits(o.v.Sum().Float64()) }},
	{Name: "Sum.Mean", Do: func(o *slicedOperands) uint64 { return math.Float64bits(o.v.Sum().Mean()) }},
	{Name: "SlicedView.Append", Do: func(o *slicedOperands) uint64 { return o.written(o.v.Append(nil, Fastest)) }},
	{Name: "SlicedView.AppendChecked", Do: func(o *slicedOperands) uint64 {
		return o.written(o.v.AppendChecked(nil, Smallest))
	}},
	{Name: "SlicedView.Clone", Do: func(o *slicedOperands) uint64 {
		return o.v.Clone().Len() + o.changed((*Sliced).Len)
	}},
	{Name: "Sliced.Clone", Do: func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 { return s.Clone().Len() })
	}},
	{Name: "Sliced.Len", Do: func(o *slicedOperands) uint64 { return o.v.Clone().Len() }},
	{Name: "Sliced.View", Do: func(o *slicedOperands) uint64 {
		v := o.v.Clone().View()
		return v.GreaterLen(3) + sumOf(v.TopK(nil, 3))
	}},
	{Name: "Sliced.Set", Do: func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			return o.each(func(x int64) uint64 {
				s.Set(uint64(x), x)
				return s.Len()
			})
		})
	}},
	{Name: "Sliced.Clear", Do: func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			return o.each(func(x int64) uint64 {
				return roaringtest.One(s.Clear(uint64(x))) + roaringtest.One(s.Clear(uint64(x)+1))
			})
		})
	}},
	{Name: "Sliced.Value", Do: func(o *slicedOperands) uint64 {
		s := o.v.Clone()
		return o.each(func(x int64) uint64 {
			y, ok := s.Value(uint64(x))
			return roaringtest.Number(uint64(y), ok)
		})
	}},
	{Name: "Sliced.Pack", Do: func(o *slicedOperands) uint64 {
		return o.changed(func(s *Sliced) uint64 {
			s.Pack(Smallest)
			return s.Len()
		})
	}},
	{Name: "SlicedOf", Do: func(o *slicedOperands) uint64 {
		var list []Pair
		for id, x := range o.v.All() {
			if list = append(list, Pair{id, x}); len(list) == 1000 {
				break
			}
		}
		return SlicedOf(list).Len()
	}},
}
