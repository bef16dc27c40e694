// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// operands are what the calls on integers are made with.
type operands struct {
	v      View
	filter bitmap.View
	values []int64
	t      testing.TB
}

// exercise asks everything of integers, whatever their bytes.
func exercise(t testing.TB, v View, filter bitmap.View) []uint64 {
	t.Helper()
	o := &operands{v: v, filter: filter, t: t, values: []int64{math.MinInt64, -1, 0, 7, math.MaxInt64, v.base}}
	for _, u := range []uint64{0, v.largest(), v.largest() / 2, v.largest() / 3, 5} {
		o.values = append(o.values, v.value(u))
	}
	lo, _ := v.Min()
	hi, _ := v.Max()
	o.values = append(o.values, lo, hi, lo/2+hi/2)
	records := v.Records()
	most := roaringtest.BudgetFor((containersOf(records)+containersOf(filter))*(2+int(v.width)),
		len(v.bodies)+len(filter.Body()))
	most.Bytes += 32 << 20 // what pools hold for 64 slices
	return roaringtest.Run(t, calls, o, most)
}

// containersOf returns the number of containers of a set.
func containersOf(v bitmap.View) int {
	k := v.Kinds()
	return int(k.Array.Count + k.Bitset.Count + k.Run.Count + k.Packed.Count)
}

// each calls f for every integer.
func (o *operands) each(f func(x int64) uint64) (sum uint64) {
	for _, x := range o.values {
		sum = sum*31 + f(x)
	}
	return sum
}

// sets calls f, which makes a set, for every integer.
func (o *operands) sets(f func(x int64) *bitmap.Bitmap) uint64 {
	o.t.Helper()
	return o.each(func(x int64) uint64 {
		m := f(x)
		if _, err := bitmap.Open(m.Bytes()); err != nil {
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
func (o *operands) changed(f func(s *Integers) uint64) uint64 {
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
func (o *operands) written(b []byte) uint64 {
	o.t.Helper()
	v, err := Open(b)
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		o.t.Fatalf("integers that were written: %v", err)
	}
	return v.Len() + uint64(len(b))
}

// calls are the calls on integers.
var calls = []roaringtest.Call[*operands]{
	{Name: "View.Validate", Do: func(o *operands) uint64 { return roaringtest.One(o.v.Validate() == nil) }},
	{Name: "View.Len", Do: func(o *operands) uint64 { return o.v.Len() }},
	{Name: "View.Records", Do: func(o *operands) uint64 { return o.v.Records().Len() }},
	{Name: "View.Within", Do: func(o *operands) uint64 {
		return o.v.Within(o.filter).Len() + o.v.Within(o.v.Records()).EqualLen(7) + o.v.Within(o.filter).Clone().Len()
	}},
	{Name: "View.Value", Do: func(o *operands) (sum uint64) {
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
	{Name: "View.All", Do: func(o *operands) (sum uint64) {
		n := 0
		for id, x := range o.v.All() {
			sum = sum*31 + id ^ uint64(x)
			if n++; n > 100_000 {
				break
			}
		}
		return sum
	}},
	{Name: "View.Min", Do: func(o *operands) uint64 {
		x, ok := o.v.Min()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "View.Max", Do: func(o *operands) uint64 {
		x, ok := o.v.Max()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "View.Nth", Do: func(o *operands) (sum uint64) {
		for _, i := range []uint64{0, 1, o.v.Len() / 2, o.v.Len() - 1, o.v.Len(), math.MaxUint64} {
			x, ok := o.v.Nth(i)
			sum += roaringtest.Number(uint64(x), ok)
		}
		return sum
	}},
	{Name: "View.Quantile", Do: func(o *operands) (sum uint64) {
		for _, p := range []float64{-1, 0, 0.01, 0.5, 0.999, 1, 2, math.NaN()} {
			x, ok := o.v.Quantile(p)
			sum += roaringtest.Number(uint64(x), ok)
		}
		return sum
	}},
	{Name: "View.TopK", Do: func(o *operands) uint64 {
		return sumOf(o.v.TopK(nil, 1)) + sumOf(o.v.TopK(nil, 5000)) + sumOf(o.v.TopK(nil, -1))
	}},
	{Name: "View.BottomK", Do: func(o *operands) uint64 {
		return sumOf(o.v.BottomK(nil, 3)) + sumOf(o.v.BottomK(nil, 5000)) + sumOf(o.v.BottomK(nil, 0))
	}},
	{Name: "View.EqualLen", Do: func(o *operands) uint64 { return o.each(o.v.EqualLen) }},
	{Name: "View.LessLen", Do: func(o *operands) uint64 { return o.each(o.v.LessLen) }},
	{Name: "View.LessEqualLen", Do: func(o *operands) uint64 { return o.each(o.v.LessEqualLen) }},
	{Name: "View.GreaterLen", Do: func(o *operands) uint64 { return o.each(o.v.GreaterLen) }},
	{Name: "View.GreaterEqualLen", Do: func(o *operands) uint64 { return o.each(o.v.GreaterEqualLen) }},
	{Name: "View.BetweenLen", Do: func(o *operands) uint64 {
		return o.each(func(x int64) uint64 { return o.v.BetweenLen(x, x/2+100) })
	}},
	{Name: "View.Equal", Do: func(o *operands) uint64 { return o.sets(o.v.Equal) }},
	{Name: "View.Less", Do: func(o *operands) uint64 { return o.sets(o.v.Less) }},
	{Name: "View.LessEqual", Do: func(o *operands) uint64 { return o.sets(o.v.LessEqual) }},
	{Name: "View.Greater", Do: func(o *operands) uint64 { return o.sets(o.v.Greater) }},
	{Name: "View.GreaterEqual", Do: func(o *operands) uint64 { return o.sets(o.v.GreaterEqual) }},
	{Name: "View.Between", Do: func(o *operands) uint64 {
		return o.sets(func(x int64) *bitmap.Bitmap { return o.v.Between(x, x/2+100) })
	}},
	{Name: "View.Sum", Do: func(o *operands) uint64 {
		s := o.v.Sum()
		return uint64(s.Hi) ^ s.Lo ^ s.Len
	}},
	{Name: "Sum.Int64", Do: func(o *operands) uint64 {
		x, ok := o.v.Sum().Int64()
		return roaringtest.Number(uint64(x), ok)
	}},
	{Name: "Sum.Big", Do: func(o *operands) uint64 { return o.v.Sum().Big().Uint64() }},
	{Name: "Sum.Float64", Do: func(o *operands) uint64 { return math.Float64bits(o.v.Sum().Float64()) }},
	{Name: "Sum.Mean", Do: func(o *operands) uint64 { return math.Float64bits(o.v.Sum().Mean()) }},
	{Name: "View.Append", Do: func(o *operands) uint64 { return o.written(o.v.Append(nil, bitmap.Fastest)) }},
	{Name: "View.AppendChecked", Do: func(o *operands) uint64 {
		return o.written(o.v.AppendChecked(nil, bitmap.Smallest))
	}},
	{Name: "View.Clone", Do: func(o *operands) uint64 {
		return o.v.Clone().Len() + o.changed((*Integers).Len)
	}},
	{Name: "Integers.Clone", Do: func(o *operands) uint64 {
		return o.changed(func(s *Integers) uint64 { return s.Clone().Len() })
	}},
	{Name: "Integers.Len", Do: func(o *operands) uint64 { return o.v.Clone().Len() }},
	{Name: "Integers.View", Do: func(o *operands) uint64 {
		v := o.v.Clone().View()
		return v.GreaterLen(3) + sumOf(v.TopK(nil, 3))
	}},
	{Name: "Integers.Set", Do: func(o *operands) uint64 {
		return o.changed(func(s *Integers) uint64 {
			return o.each(func(x int64) uint64 {
				s.Set(uint64(x), x)
				return s.Len()
			})
		})
	}},
	{Name: "Integers.Clear", Do: func(o *operands) uint64 {
		return o.changed(func(s *Integers) uint64 {
			return o.each(func(x int64) uint64 {
				return roaringtest.One(s.Clear(uint64(x))) + roaringtest.One(s.Clear(uint64(x)+1))
			})
		})
	}},
	{Name: "Integers.Value", Do: func(o *operands) uint64 {
		s := o.v.Clone()
		return o.each(func(x int64) uint64 {
			y, ok := s.Value(uint64(x))
			return roaringtest.Number(uint64(y), ok)
		})
	}},
	{Name: "Integers.Pack", Do: func(o *operands) uint64 {
		return o.changed(func(s *Integers) uint64 {
			s.Pack(bitmap.Smallest)
			return s.Len()
		})
	}},
	{Name: "Open", Do: func(o *operands) uint64 {
		v, err := Open(o.v.Append(nil, bitmap.Smallest))
		return roaringtest.One(err == nil) + v.Len()
	}},
	{Name: "Of", Do: func(o *operands) uint64 {
		var list []Pair
		for id, x := range o.v.All() {
			if list = append(list, Pair{id, x}); len(list) == 1000 {
				break
			}
		}
		return Of(list).Len()
	}},
}
