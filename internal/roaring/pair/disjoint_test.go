// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestBoundsOfSets checks that no value lies outside bounds, in all forms. The bounds of lists must
// be exact up to lower parts, unless the upper part begins with eight bytes of zeros.
func TestBoundsOfSets(t *testing.T) {
	r := rand.New(rand.NewPCG(201, 1))
	var all []roaringtest.Sample
	for range 10 {
		all = append(all, roaringtest.Samples(r, 1)...)
	}
	for range 2000 {
		n, wide := 1+r.IntN(1<<r.IntN(9)), 1+r.IntN(64)
		var values []uint64
		for range n {
			values = append(values, r.Uint64()>>(64-wide))
		}
		if r.IntN(20) == 0 {
			values = append(values, math.MaxUint64)
		}
		slices.Sort(values)
		values = slices.Compact(values)
		all = append(all, roaringtest.Sample{Name: "list", Body: roaringtest.ListBody(values,
			roaringtest.BestLow(values)), Values: values})
	}
	exact := 0
	for _, s := range all {
		v := open(t, s.Body)
		least, most := bounds(&v)
		if len(s.Values) == 0 {
			continue // any bounds are right
		}
		first, last := s.Values[0], s.Values[len(s.Values)-1]
		if least > first || most < last {
			t.Fatalf("%s of %d values from %d to %d: got bounds %d and %d", s.Name, len(s.Values), first, last, least,
				most)
		}
		if v.Form() != view.FormList {
			continue
		}
		low := v.Kw()
		if first>>low >= 64 {
			first = least // which eight bytes do not tell
		}
		if len(s.Body) >= 8 && (least>>low != first>>low || most>>low != last>>low) {
			t.Fatalf("a list of %d values from %d to %d, low width %d: got bounds %d and %d", len(s.Values), first,
				last, low, least, most)
		} else if len(s.Body) >= 8 {
			exact++
		}
		for _, x := range []uint64{s.Values[0], last, s.Values[len(s.Values)/2]} {
			if outside(&v, x) {
				t.Fatalf("a list of %d values from %d to %d: %d is said to lie beside it", len(s.Values), first, last,
					x)
			}
		}
	}
	if exact < 1000 {
		t.Errorf("looked at the bounds of %d lists, want 1000 at least", exact)
	}
}

// TestMeetingOfSmallSets compares And and AndLen of small sets with the plain intersection. The
// ranges of the sets overlap, touch, or lie apart.
func TestMeetingOfSmallSets(t *testing.T) {
	r := rand.New(rand.NewPCG(202, 1))
	forms := make(map[string]int)
	for range 6000 {
		a, b := smallSet(r, 0), smallSet(r, uint64(r.IntN(3))<<(16+r.IntN(12)))
		b = append(b, a[r.IntN(len(a))], a[len(a)-1]+1)
		slices.Sort(b)
		if b = slices.Compact(b[r.IntN(2):]); r.IntN(4) == 0 {
			i := r.IntN(len(b))
			b = b[i : i+1]
		}
		v, w := smallView(t, r, a), smallView(t, r, b)
		var want []uint64
		for _, x := range a {
			if _, ok := slices.BinarySearch(b, x); ok {
				want = append(want, x)
			}
		}
		forms[fmt.Sprintf("%d and %d", v.Form(), w.Form())]++
		if got := AndLen(v, w); got != uint64(len(want)) {
			t.Fatalf("forms %d and %d, AndLen of %v and %v: got %d, want %d", v.Form(), w.Form(), a, b, got, len(want))
		}
		m := And(v, w)
		if got := m.View().AppendTo(nil); !slices.Equal(got, want) {
			t.Fatalf("forms %d and %d, And of %v and %v: got %v, want %v", v.Form(), w.Form(), a, b, got, want)
		}
		if err := m.View().Validate(); err != nil {
			t.Fatalf("And of %v and %v: %v", a, b, err)
		}
		if rangesDisjoint(&v, &w) && len(want) > 0 {
			t.Fatalf("%v and %v are said to lie apart", a, b)
		}
	}
	for _, a := range []uint8{view.FormSingle, view.FormList, view.FormCompact, view.FormLoose} {
		for _, b := range []uint8{view.FormSingle, view.FormList, view.FormCompact, view.FormLoose} {
			if forms[fmt.Sprintf("%d and %d", a, b)] < 20 {
				t.Errorf("forms %d and %d met %d times, want 20 at least", a, b, forms[fmt.Sprintf("%d and %d", a, b)])
			}
		}
	}
}

// smallSet returns some ascending values from first on.
func smallSet(r *rand.Rand, first uint64) (values []uint64) {
	for range 1 + r.IntN(1<<r.IntN(7)) {
		values = append(values, first+r.Uint64N(1<<(4+r.IntN(24))))
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// smallView returns values in a form drawn at random.
func smallView(t *testing.T, r *rand.Rand, values []uint64) view.View {
	t.Helper()
	switch r.IntN(4) {
	case 0:
		return open(t, roaringtest.DirectoryOf(values))
	case 1:
		return open(t, roaringtest.ListBody(values, roaringtest.BestLow(values)))
	case 2:
		b := new(mutable.Bitmap)
		b.AddMany(values...)
		return b.View()
	}
	if len(values) > 1 && r.IntN(2) == 0 {
		return FromSorted(values).View()
	}
	return singleOrList(values)
}

// singleOrList returns one value as a single form, and others as the smallest.
func singleOrList(values []uint64) view.View {
	b := FromSorted(values)
	b.Pack(pack.Smallest)
	return b.View()
}

// TestListInFewChunks compares the intersection of a list and a set of few containers with the
// plain one. Containers are of all kinds.
func TestListInFewChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(203, 1))
	kinds, tried := make(map[uint8]int), make(map[bool]int)
	for range 2000 {
		count := 1 + r.IntN(6)
		var cs []roaringtest.Container
		var in []uint64
		key := uint64(r.IntN(5))
		for range count {
			c := roaringtest.Container{Key: key, Kind: uint8(r.IntN(3))}
			for range 1 + r.IntN(50) {
				c.Values = append(c.Values, key<<16|r.Uint64N(1<<(3+r.IntN(14))))
			}
			slices.Sort(c.Values)
			c.Values = slices.Compact(c.Values)
			cs, in = append(cs, c), append(in, c.Values...)
			kinds[c.Kind]++
			key += 1 + uint64(r.IntN(4))
		}
		var values []uint64
		spread := uint64(1) << r.IntN(10) // of chunks, for each that the set may have
		for range 2*count + r.IntN(100) {
			values = append(values, r.Uint64N((key+2)*spread<<16))
		}
		for range r.IntN(20) {
			values = append(values, in[r.IntN(len(in))])
		}
		slices.Sort(values)
		values = slices.Compact(values)
		var want []uint64
		for _, x := range values {
			if _, ok := slices.BinarySearch(in, x); ok {
				want = append(want, x)
			}
		}
		list, set := open(t, roaringtest.ListBody(values, roaringtest.BestLow(values))),
			open(t, roaringtest.CompactBody(cs, 0))
		n, ok := inFewChunks(nil, &list, &set)
		perChunk := len(values) / int(values[len(values)-1]>>16+1)
		if ok && (n != len(want) || 2*count > len(values) || perChunk > 0 && perChunk*count*5 > len(values)) {
			t.Fatalf("%d values, %d a chunk, in %d containers: got %d, want %d, or nothing", len(values), perChunk,
				count, n, len(want))
		}
		if !ok && 10*count < len(values) && perChunk == 0 {
			t.Fatalf("%d values, few a chunk, in %d containers: got nothing", len(values), count)
		}
		tried[ok]++
		dst := make([]uint64, len(values))
		if n, ok := inFewChunks(dst, &list, &set); ok && !slices.Equal(dst[:n], want) {
			t.Fatalf("%d values in %d containers: got %v, want %v", len(values), count, dst[:n], want)
		}
	}
	if tried[true] < 200 || tried[false] < 200 {
		t.Errorf("searched for few chunks in %d lists, not in %d, want 200 at least of both", tried[true], tried[false])
	}
	for _, kind := range []uint8{container.Array, container.Bitset, container.Run} {
		if kinds[kind] < 100 {
			t.Errorf("%d containers of kind %d, want 100 at least", kinds[kind], kind)
		}
	}
}
