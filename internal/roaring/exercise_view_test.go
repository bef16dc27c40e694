// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// atMost is how many values are listed of a set that may have very many.
const atMost = 2000

// each calls f for every point.
func (o *operands) each(f func(x uint64) uint64) (sum uint64) {
	for _, x := range o.points {
		sum = sum*31 + f(x)
	}
	return sum
}

// viewCalls are the calls on one set.
var viewCalls = []roaringtest.Call[*operands]{
	{Name: "View.Validate", Do: func(o *operands) uint64 { return roaringtest.One(o.a.Validate() == nil) }},
	{Name: "View.Body", Do: func(o *operands) uint64 { return uint64(len(o.a.Body())) }},
	{Name: "View.IsEmpty", Do: func(o *operands) uint64 { return roaringtest.One(o.a.IsEmpty()) }},
	{Name: "View.Len", Do: func(o *operands) uint64 { return o.a.Len() }},
	{Name: "View.Min", Do: func(o *operands) uint64 { return roaringtest.Number(o.a.Min()) }},
	{Name: "View.Max", Do: func(o *operands) uint64 { return roaringtest.Number(o.a.Max()) }},
	{Name: "View.Contains", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 { return roaringtest.One(o.a.Contains(x)) })
	}},
	{Name: "View.Among", Do: func(o *operands) (sum uint64) {
		asked := slices.Clone(o.points)
		Among(o.a, asked) // they do not ascend, which is allowed to leave some out
		asked = append(asked[:0], o.points...)
		slices.Sort(asked)
		for _, x := range Among(o.a, asked) {
			sum = sum*31 + x
		}
		return sum
	}},
	{Name: "View.Rank", Do: func(o *operands) uint64 { return o.each(o.a.Rank) }},
	{Name: "View.Select", Do: func(o *operands) (sum uint64) {
		for i := range uint64(150) {
			sum += roaringtest.Number(o.a.Select(i * i))
		}
		return sum + o.each(func(x uint64) uint64 { return roaringtest.Number(o.a.Select(x)) })
	}},
	{Name: "View.Next", Do: func(o *operands) (sum uint64) {
		x, ok := o.a.Next(0)
		for n := 0; ok && x < math.MaxUint64 && n < 100; n++ {
			y, more := o.a.Next(x + 1)
			if more && y <= x {
				o.t.Fatalf("Next(%d): got %d", x+1, y)
			}
			x, ok = y, more
			sum += x
		}
		return sum + o.each(func(x uint64) uint64 { return roaringtest.Number(o.a.Next(x)) })
	}},
	{Name: "View.Previous", Do: func(o *operands) (sum uint64) {
		x, ok := o.a.Previous(math.MaxUint64)
		for n := 0; ok && x > 0 && n < 100; n++ {
			y, more := o.a.Previous(x - 1)
			if more && y >= x {
				o.t.Fatalf("Previous(%d): got %d", x-1, y)
			}
			x, ok = y, more
			sum += x
		}
		return sum + o.each(func(x uint64) uint64 { return roaringtest.Number(o.a.Previous(x)) })
	}},
	{Name: "View.LenRange", Do: func(o *operands) (sum uint64) {
		for i, x := range o.points {
			sum += view.LenRange(o.a, o.points[0], x) + view.LenRange(o.a, x, o.points[(3*i+1)%len(o.points)])
		}
		return sum
	}},
	{Name: "View.All", Do: func(o *operands) (sum uint64) {
		n := 0
		for x := range o.a.All() {
			sum += x
			if n++; n > atMost && !listable(o.a) {
				break
			}
		}
		return sum
	}},
	{Name: "View.Backward", Do: func(o *operands) (sum uint64) {
		n := 0
		for x := range o.a.Backward() {
			sum += x
			if n++; n > atMost && !listable(o.a) {
				break
			}
		}
		return sum
	}},
	{Name: "View.From", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) (sum uint64) {
			n := 0
			for y := range o.a.From(x) {
				sum += y
				if n++; n == 100 {
					break
				}
			}
			return sum
		})
	}},
	{Name: "View.BackwardFrom", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) (sum uint64) {
			n := 0
			for y := range o.a.BackwardFrom(x) {
				sum += y
				if n++; n == 100 {
					break
				}
			}
			return sum
		})
	}},
	{Name: "View.Ranges", Do: func(o *operands) (sum uint64) {
		n := 0
		for first, last := range o.a.Ranges() {
			if last < first {
				o.t.Fatalf("got a range from %d to %d", first, last)
			}
			sum += last - first
			if n++; n > atMost && !listable(o.a) {
				break
			}
		}
		return sum
	}},
	{Name: "View.Kinds", Do: func(o *operands) uint64 {
		k := view.KindsOf(o.a)
		return k.Array.Bytes + k.Bitset.Bytes<<8 + k.Run.Bytes<<16 + k.Packed.Bytes<<24
	}},
	{Name: "Kinds.Plus", Do: func(o *operands) uint64 {
		return view.KindsOf(o.a).Plus(view.KindsOf(o.b)).Packed.Values
	}},
	{Name: "View.NextAbsent", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 {
			y, ok := view.NextAbsent(o.a, x)
			if ok && y < x {
				o.t.Fatalf("NextAbsent(%d): got %d", x, y)
			}
			return roaringtest.Number(y, ok)
		})
	}},
	{Name: "View.PreviousAbsent", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 {
			y, ok := view.PreviousAbsent(o.a, x)
			if ok && y > x {
				o.t.Fatalf("PreviousAbsent(%d): got %d", x, y)
			}
			return roaringtest.Number(y, ok)
		})
	}},
	{Name: "View.Gaps", Do: func(o *operands) (sum uint64) {
		for i, x := range o.points {
			end, n := o.points[len(o.points)-1-i], 0
			for first, last := range view.Gaps(o.a, x, end) {
				if first < x || last > end || last < first {
					o.t.Fatalf("Gaps(%d, %d): got %d to %d", x, end, first, last)
				}
				sum += last - first
				if n++; n > atMost && !listable(o.a) {
					break
				}
			}
		}
		return sum
	}},
	{Name: "View.AppendTo", Do: func(o *operands) uint64 {
		if !listable(o.a) {
			return 0 // a few bytes may stand for 65 536 values
		}
		return uint64(len(o.a.AppendTo(nil)))
	}},
	{Name: "View.AppendChecked", Do: func(o *operands) uint64 {
		v, err := view.Open(pack.AppendChecked(o.a, nil))
		if err != nil {
			o.t.Fatal(err)
		}
		return v.Len()
	}},
	{Name: "View.Words", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) uint64 {
			var words [40]uint64
			Words(o.a, x-1000, words[:])
			return words[0] + words[39]
		})
	}},
	{Name: "FromWords", Do: func(o *operands) uint64 {
		var words [1100]uint64
		Words(o.a, 64, words[:])
		m := FromWords(1<<20, words[:])
		o.valid(m)
		return m.Len()
	}},
	{Name: "View.Hash", Do: func(o *operands) uint64 { return view.Hash(o.a) }},
	{Name: "View.Shift", Do: func(o *operands) (sum uint64) {
		for _, offset := range []int64{1 << 16, 0, 1, -70_000, math.MaxInt64, math.MinInt64} {
			m := Shift(o.a, offset)
			if offset != 0 {
				o.valid(m)
			}
			sum += o.result(m)
		}
		return sum
	}},
	{Name: "View.Iterator", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) (sum uint64) {
			it := o.a.Iterator(x)
			var dst [100]uint64
			sum = uint64(it.Read(dst[:7]))
			return sum + uint64(it.Read(dst[:])) + dst[0]
		})
	}},
	{Name: "Iterator.Read", Do: func(o *operands) (sum uint64) {
		var dst [100]uint64
		it := o.a.Iterator(0)
		for n := it.Read(dst[:]); n > 0; n = it.Read(dst[:]) {
			sum += dst[0] + uint64(n)
			if sum > 1<<20 && !listable(o.a) {
				break
			}
		}
		return sum + uint64(it.Read(nil))
	}},
	{Name: "View.ReverseIterator", Do: func(o *operands) uint64 {
		return o.each(func(x uint64) (sum uint64) {
			it := o.a.ReverseIterator(x)
			var dst [100]uint64
			sum = uint64(it.Read(dst[:7]))
			return sum + uint64(it.Read(dst[:])) + dst[0]
		})
	}},
	{Name: "ReverseIterator.Read", Do: func(o *operands) (sum uint64) {
		var dst [100]uint64
		it := o.a.ReverseIterator(math.MaxUint64)
		for n := it.Read(dst[:]); n > 0; n = it.Read(dst[:]) {
			sum += dst[0] + uint64(n)
			if sum > 1<<20 && !listable(o.a) {
				break
			}
		}
		return sum + uint64(it.Read(nil))
	}},
	{Name: "View.Clone", Do: func(o *operands) uint64 { return o.result(mutable.Clone(o.a)) }},
	{Name: "Of", Do: func(o *operands) uint64 { return o.result(pair.Of(o.values(300)...)) }},
	{Name: "FromSorted", Do: func(o *operands) uint64 { return o.result(pair.FromSorted(o.values(5000))) }},
	{Name: "AppendBody", Do: func(o *operands) uint64 {
		v, err := view.OpenBody(pack.AppendBody(nil, o.values(5000)))
		if err != nil || v.Validate() != nil {
			o.t.Fatal(err, v.Validate())
		}
		return v.Len()
	}},
}

// rawBytes are bytes that may be anything at all.
type rawBytes struct {
	data []byte
	t    testing.TB
}

// numbers returns the bytes as numbers of 32 bits.
func (b rawBytes) numbers() (all []uint32) {
	for i := 0; i+4 <= len(b.data); i += 4 {
		all = append(all, binary.LittleEndian.Uint32(b.data[i:]))
	}
	return all
}

// refused demands of an error that it says what is wrong and where.
func (b rawBytes) refused(err error) uint64 {
	b.t.Helper()
	if err == nil {
		return 1
	}
	if e, ok := errors.AsType[*view.FormatError](err); !ok || e.Err == nil || e.Offset > uint64(len(b.data)) {
		b.t.Fatalf("got %v, want an error of the format inside %d bytes", err, len(b.data))
	}
	return 0
}
