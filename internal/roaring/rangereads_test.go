// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// naiveRuns returns the runs of ascending values.
func naiveRuns(values []uint64) (runs [][2]uint64) {
	for _, x := range values {
		if n := len(runs); n > 0 && runs[n-1][1]+1 == x {
			runs[n-1][1] = x
			continue
		}
		runs = append(runs, [2]uint64{x, x})
	}
	return runs
}

// collectRuns returns the runs of a loop.
func collectRuns(loop iter.Seq2[uint64, uint64]) (runs [][2]uint64) {
	for first, last := range loop {
		runs = append(runs, [2]uint64{first, last})
	}
	return runs
}

// TestBitmapReads: a Bitmap answers what its View answers.
func TestBitmapReads(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 2))
	for _, s := range roaringtest.Samples(r, 4) {
		b := pair.FromSorted(s.Values)
		v := b.View()
		for _, x := range roaringtest.Asked(r, s.Values) {
			if b.Rank(x) != v.Rank(x) || b.Contains(x) != v.Contains(x) {
				t.Fatalf("%s: answers at %d", s.Name, x)
			}
		}
		if !slices.Equal(b.AppendTo(nil), s.Values) || !slices.Equal(collectRuns(b.Ranges()), naiveRuns(s.Values)) {
			t.Fatalf("%s: other answers than those of its View", s.Name)
		}
	}
}

// TestMasked compares with masking each value.
func TestMasked(t *testing.T) {
	roaringtest.OnPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(42, 3))
		for _, s := range roaringtest.Samples(r, 5) {
			v, err := view.OpenBody(s.Body)
			if err != nil {
				t.Fatal(err)
			}
			for _, mask := range []uint64{0, ^uint64(0), 0xFFFF, ^uint64(0xFFFF), 1<<40 - 1, 0xFF00FFFF,
				^uint64(1 << 16), ^uint64(7), r.Uint64(), r.Uint64() | 0xFFFF} {
				want := slices.Clone(s.Values)
				for i := range want {
					want[i] &= mask
				}
				slices.Sort(want)
				want = slices.Compact(want)
				got := Masked(v, mask)
				if err := got.View().Validate(); err != nil || !slices.Equal(got.AppendTo(nil), want) {
					t.Fatalf("%s: Masked(%#x): got %d values, want %d (%v)", s.Name, mask, got.Len(), len(want), err)
				}
			}
		}
	})
}

// TestMaskedMemory masks so that all chunks come together, and so that they alternate. Both take
// memory for the set, not for as many sets as there are chunks.
func TestMaskedMemory(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	b := pair.FromSorted(roaringtest.Span(0, 1<<33, 1<<16))
	for _, mask := range []uint64{0xFFFF, 1 << 16} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := Masked(b.View(), mask)
		runtime.ReadMemStats(&after)
		if most := uint64(10 * len(b.Bytes())); after.TotalAlloc-before.TotalAlloc > most+16<<20 {
			t.Errorf("Masked(%#x): allocated %d bytes, want at most %d", mask, after.TotalAlloc-before.TotalAlloc,
				most+16<<20)
		}
		if want := mask>>16 + 1; got.Len() != want {
			t.Errorf("Masked(%#x): got %d values, want %d", mask, got.Len(), want)
		}
	}
}

// TestAtLeast compares with counting each value.
func TestAtLeast(t *testing.T) {
	roaringtest.OnPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(42, 4))
		for round := range 30 {
			counts := map[uint64]int{}
			var views []view.View
			n := 1 + r.IntN(3<<r.IntN(4))
			list := roaringtest.Samples(r, 1)
			for range n {
				var s []uint64
				switch r.IntN(4) {
				case 0:
					s = list[r.IntN(len(list))].Values
				case 1:
					first := r.Uint64N(1 << 17)
					s = roaringtest.Span(first, first+1+r.Uint64N(20_000), 1+r.Uint64N(3))
				default:
					s = roaringtest.RandomValues(r, 1+r.IntN(1<<r.IntN(12)), 1<<(13+r.IntN(6)))
				}
				s = s[:min(len(s), 20_000)]
				for _, x := range s {
					counts[x]++
				}
				b := pair.FromSorted(s)
				b.Pack(pack.Layout(r.IntN(3)))
				views = append(views, b.View())
			}
			for _, k := range []int{1, 2, 3, n/2 + 1, n - 1, n, n + 1} {
				if k < 1 {
					continue
				}
				var want []uint64
				for x, c := range counts {
					if c >= k {
						want = append(want, x)
					}
				}
				slices.Sort(want)
				got := AtLeast(k, views...)
				if err := got.View().Validate(); err != nil || !slices.Equal(got.AppendTo(nil), want) {
					t.Fatalf("round %d: AtLeast(%d of %d): got %d values, want %d (%v)", round, k, n, got.Len(),
						len(want), err)
				}
				if got := AtLeastLen(k, views...); got != uint64(len(want)) {
					t.Fatalf("round %d: AtLeastLen(%d of %d): got %d, want %d", round, k, n, got, len(want))
				}
			}
		}
	})
	defer func() {
		if p := recover(); p != "bitmap: AtLeast: got k of 0, want at least 1" {
			t.Errorf("got the panic %v", p)
		}
	}()
	AtLeast(0, pair.Of(1).View())
}

// TestResetAndCopyFrom: what is written again needs no memory.
func TestResetAndCopyFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 5))
	list := roaringtest.Samples(r, 3)
	b := new(mutable.Bitmap)
	for _, s := range list {
		v, err := view.OpenBody(s.Body)
		if err != nil {
			t.Fatal(err)
		}
		b.CopyFrom(v)
		checkView(t, r, b.View(), s.Values)
		b.CopyFrom(b.View())
		if b.Add(1<<50 + 3) {
			b.Remove(1<<50 + 3)
		}
		checkView(t, r, b.View(), s.Values)
		if r.IntN(2) == 0 {
			b.Reset()
			checkView(t, r, b.View(), nil)
			if got, err := view.Open(b.Bytes()); err != nil || !got.IsEmpty() {
				t.Fatalf("the bytes of an empty set: %v, %v", got, err)
			}
			if r.IntN(2) == 0 {
				b.AddMany(s.Values...)
				checkView(t, r, b.View(), s.Values)
			}
		}
	}
	values := roaringtest.RandomValues(r, 3000, 1<<20)
	v := pair.FromSorted(values).View()
	other := pair.FromSorted(roaringtest.Span(0, 2000, 1)).View()
	again := func() {
		b.Reset()
		b.AddMany(values...)
		for _, x := range values[:100] {
			b.Remove(x)
		}
		b.CopyFrom(other)
		b.CopyFrom(v)
	}
	for range 5 {
		again()
	}
	if roaringtest.RaceEnabled {
		return
	}
	if got := testing.AllocsPerRun(20, again); got > 0 {
		t.Errorf("got %v allocations to write a set again, want 0", got)
	}
}

// TestCollect: sequences in any order.
func TestCollect(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 6))
	for _, n := range []int{0, 1, 7, 100, 1 << 16, 1<<16 + 1, 3<<16 + 5} {
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(1 << 22)
		}
		want := slices.Compact(slices.Sorted(slices.Values(values)))
		if got := mutable.Collect(slices.Values(values)); !slices.Equal(got.AppendTo(nil), want) ||
			got.View().Validate() != nil {
			t.Fatalf("%d values in any order: got %d, want %d", n, got.Len(), len(want))
		}
		if got := mutable.Collect(slices.Values(want)); !slices.Equal(got.Bytes(), pair.FromSorted(want).Bytes()) {
			t.Fatalf("%d ascending values: got other bytes than FromSorted", len(want))
		}
	}
	b := pair.Of(1, 2, 3)
	if got := b.AddSeq(b.Backward()); got != 0 {
		t.Errorf("its own values: got %d that were not there", got)
	}
}
