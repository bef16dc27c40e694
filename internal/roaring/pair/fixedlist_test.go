// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestFastestKeepsShortSpreadLists checks which sets Fastest keeps fixed: short lists that are
// spread, and no others; and that the other layouts and results never do.
func TestFastestKeepsShortSpreadLists(t *testing.T) {
	r := rand.New(rand.NewPCG(181, 1))
	set := func(n int, limit uint64) *mutable.Bitmap {
		in := map[uint64]bool{}
		var values []uint64
		for len(values) < n {
			if x := limit - 1 - r.Uint64N(limit/2); !in[x] {
				in[x] = true
				values = append(values, x)
			}
		}
		return Of(values...)
	}
	for _, c := range []struct {
		n     int
		limit uint64
		fixed bool
	}{
		{2, 1 << 24, true}, {10, 1 << 24, true}, {128, 1 << 27, true}, {129, 1 << 27, false}, {100, 1 << 23, true},
		{100, 1 << 21, false},
		{10, 1 << 16, false},
		{2, 1 << 40, true}, {100, 1 << 40, true}, {128, 1 << 56, true}, {10, 1 << 57, false}, {1, 1 << 40, false},
	} {
		b := set(c.n, c.limit)
		v := b.View()
		if got := v.Form() == view.FormList && v.IsFixed(); got != c.fixed {
			t.Errorf("%d values below %d: fixed: got %v", c.n, c.limit, got)
		}
		if err := v.Validate(); err != nil {
			t.Error(err)
		}
		for _, layout := range []pack.Layout{pack.Smallest, pack.Balanced} {
			o := b.Clone()
			o.Pack(layout)
			if v := o.View(); v.Form() == view.FormList && v.IsFixed() {
				t.Errorf("%d values below %d: fixed in layout %d", c.n, c.limit, layout)
			}
		}
		if v := Or(v, set(c.n, c.limit).View()).View(); v.Form() == view.FormList && v.IsFixed() {
			t.Errorf("a union of %d values below %d is fixed", c.n, c.limit)
		}
	}
}

// TestFixedListsTakeUpTo9QuartersOfTheBytes checks that every short list is kept fixed, and that
// this takes at most 9/4 of the bytes of the coded one: values are random ones below 2^16 and more.
func TestFixedListsTakeUpTo9QuartersOfTheBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(183, 1))
	seen := 0
	for range 20000 {
		n, limit := 2+r.IntN(view.MaxFixed-1), uint64(1)<<(16+r.IntN(17))
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(limit)
		}
		slices.Sort(values)
		if values = slices.Compact(values); !isList(values) || len(values) < 2 {
			continue
		}
		v := FromSorted(values).View()
		fixed, coded := len(v.Body()), len(roaringtest.ListBody(values, roaringtest.BestLow(values)))
		if !v.IsFixed() || fixed != len(roaringtest.FixedBody(values)) || 4*fixed > 9*coded {
			t.Fatalf("%d values below %d: %d bytes, %d coded: fixed: got %v", len(values), limit, fixed, coded,
				v.IsFixed())
		}
		seen++
	}
	if seen < 5000 {
		t.Errorf("%d lists: this tests little", seen)
	}
}

// TestFixedListsMeetLarger counts fixed lists of four bytes beside coded ones that have the same
// lower four bytes, and others.
func TestFixedListsMeetLarger(t *testing.T) {
	x := []uint64{3, 70_000, 5_000_000, 4_000_000_000}
	y := []uint64{70_000, 1<<32 + 3, 1<<32 + 5_000_000, 1<<33 + 4_000_000_000}
	a, b := open(t, roaringtest.FixedBody(x)), open(t, roaringtest.ListBody(y, roaringtest.BestLow(y)))
	if n, ok := fixedAndLen(&a, &b); n != 1 || !ok {
		t.Errorf("got %d, %v, want 1", n, ok)
	}
	if n, ok := fixedAndLen(&b, &a); n != 1 || !ok {
		t.Errorf("the other way round: got %d, %v, want 1", n, ok)
	}
}

// TestFixedListsInFewChunks looks for values of a fixed list in a set of few chunks. The values
// begin and end chunks. An invalid set has a chunk twice: no value may be found again.
func TestFixedListsInFewChunks(t *testing.T) {
	list := []uint64{0, 9, 0xFFFF, 1 << 16, 16 << 16, 16<<16 + 7, 16<<16 + 0xFFFF, 17 << 16}
	for i := range uint64(40) {
		list = append(list, (20+i)<<20)
	}
	set := []uint64{0, 8, 0xFFFF, 16 << 16, 16<<16 + 7, 16<<16 + 0xFFFF, 59 << 20, 59<<20 + 1}
	want := []uint64{0, 0xFFFF, 16 << 16, 16<<16 + 7, 16<<16 + 0xFFFF, 59 << 20}
	fixed, in := open(t, roaringtest.FixedBody(list)), open(t, roaringtest.DirectoryOf(set))
	dst := make([]uint64, len(list))
	if n, ok := inFewChunks(dst, &fixed, &in); !ok || !slices.Equal(dst[:n], want) {
		t.Errorf("got %d, %v, want %d", dst[:n], ok, want)
	}
	if n := AndLen(fixed, in); n != uint64(len(want)) {
		t.Errorf("got %d in common, want %d", n, len(want))
	}
	body := roaringtest.DirectoryOf([]uint64{16 << 16, 16<<16 + 7, 17 << 16, 17<<16 + 7})
	body[4] = 16 // the second key
	in, fixed = open(t, body), open(t, roaringtest.FixedBody([]uint64{5, 16 << 16, 16<<16 + 7}))
	if n, ok := fixedInFewChunks(dst[:3], &fixed, &in); !ok || n != 2 {
		t.Errorf("a chunk twice: got %d, %v, want 2", n, ok)
	}
}

// TestFixedListsIntersectAllForms compares what fixed lists have in common with other sets of all
// forms with a map: other fixed lists of the same and of other widths, lists that are not fixed,
// directories of few and of many containers.
func TestFixedListsIntersectAllForms(t *testing.T) {
	r := rand.New(rand.NewPCG(182, 1))
	ways := map[string]int{}
	for round := range 6000 {
		limit := uint64(1) << (20 + r.IntN(37))
		draw := func(n int) (values []uint64) {
			for range n {
				values = append(values, r.Uint64N(limit))
				if x := values[len(values)-1]; r.IntN(4) == 0 { // with neighbours
					for i := range r.Uint64N(6) {
						values = append(values, min(x+i, limit-1))
					}
				}
			}
			slices.Sort(values)
			return slices.Compact(values)
		}
		x, y := draw(1+r.IntN(1<<r.IntN(8))), draw(1+r.IntN(1<<r.IntN(9)))
		for i := range y {
			if r.IntN(2) == 0 {
				y[i] = x[r.IntN(len(x))]
			}
		}
		slices.Sort(y)
		y = slices.Compact(y)
		x = x[:min(len(x), 256)]
		in := map[uint64]bool{}
		for _, v := range x {
			in[v] = true
		}
		var both []uint64
		for _, v := range y {
			if in[v] {
				both = append(both, v)
			}
		}
		fixed := open(t, roaringtest.FixedBody(x))
		others := map[string]view.View{"as Fastest": FromSorted(y).View(), "list": open(t,
			roaringtest.ListBody(y, roaringtest.BestLow(y))),
			"directory": open(t, roaringtest.DirectoryOf(y)), "recoded": open(t, roaringtest.Recode(r, y))}
		if len(y) <= 256 {
			others["fixed"] = open(t, roaringtest.FixedBody(y))
		}
		for name, o := range others {
			for _, p := range [][2]view.View{{fixed, o}, {o, fixed}} {
				if got := AndLen(p[0], p[1]); got != uint64(len(both)) {
					t.Fatalf("round %d, %s: %v and %v: AndLen: got %d, want %d", round, name, x, y, got, len(both))
				}
				m := And(p[0], p[1])
				if got := m.View().AppendTo(nil); !slices.Equal(got, both) {
					t.Fatalf("round %d, %s: %v and %v: And: got %v, want %v", round, name, x, y, got, both)
				}
				if err := m.View().Validate(); err != nil {
					t.Fatal(err)
				}
				if got := Intersects(p[0], p[1]); got != (len(both) > 0) {
					t.Fatalf("round %d, %s: %v and %v: Intersects: got %v", round, name, x, y, got)
				}
				if n := Or(p[0], p[1]).Len(); n != uint64(len(x)+len(y)-len(both)) {
					t.Fatalf("round %d, %s: %v or %v: got %d values", round, name, x, y, n)
				}
				if n := AndNot(p[0], p[1]).Len(); n != p[0].Len()-uint64(len(both)) {
					t.Fatalf("round %d, %s: %v and %v: AndNot: got %d values", round, name, x, y, n)
				}
				if n := Xor(p[0], p[1]).Len(); n != uint64(len(x)+len(y)-2*len(both)) {
					t.Fatalf("round %d, %s: %v xor %v: got %d values", round, name, x, y, n)
				}
			}
			_, inDirectory := fixedInDirectory(&fixed, &o, 0, math.MaxUint64)
			if inDirectory {
				ways["directory"]++
			}
			if o.Form() == view.FormList {
				if _, ok := fixedAndLen(&fixed, &o); ok {
					ways[name]++
				}
			}
		}
		for _, v := range append(slices.Clone(y), limit, 0, 1<<63) {
			if fixed.Contains(v) != in[v] {
				t.Fatalf("round %d: %v contains %d: got %v", round, x, v, !in[v])
			}
			i, found := slices.BinarySearch(x, v)
			if found {
				i++
			}
			if got := fixed.Rank(v); got != uint64(i) {
				t.Fatalf("round %d: rank of %d in %v: got %d, want %d", round, v, x, got, i)
			}
		}
		for i, want := range x {
			if got, ok := fixed.Select(uint64(i)); got != want || !ok {
				t.Fatalf("round %d: value %d of %v: got %d, %v", round, i, x, got, ok)
			}
		}
		if x, ok := fixed.Select(fixed.Len()); ok {
			t.Fatalf("round %d: there is a value behind the last one: %d", round, x)
		}
	}
	for _, way := range []string{"directory", "fixed", "list"} {
		if ways[way] < 100 {
			t.Errorf("%d pairs took the way of %q: this tests little", ways[way], way)
		}
	}
}

// TestFixedListsInCommon intersects fixed lists of all lengths with many values in common.
func TestFixedListsInCommon(t *testing.T) {
	roaringtest.OnPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(184, 1))
		for range 2000 {
			limit := uint64(1) << (24 + r.IntN(30))
			var x, y, both []uint64
			for n := 2 + r.IntN(view.MaxFixed-1); len(x) < n; {
				x = append(x, r.Uint64N(limit))
			}
			slices.Sort(x)
			x = slices.Compact(x)
			for _, v := range x {
				if r.IntN(8) > 0 {
					y, both = append(y, v), append(both, v)
				} else if v+1 < limit && !slices.Contains(x, v+1) {
					y = append(y, v+1)
				}
			}
			a, b := Of(x...), Of(y...)
			if got := And(a.View(), b.View()).AppendTo(nil); !slices.Equal(got, both) {
				t.Fatalf("%v and %v: got %v, want %v", x, y, got, both)
			}
			if got := AndLen(a.View(), b.View()); got != uint64(len(both)) {
				t.Fatalf("%v and %v: got %d, want %d", x, y, got, len(both))
			}
		}
	})
}
