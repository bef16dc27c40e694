// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestChanges sets and clears at random and compares with the model.
func TestChanges(t *testing.T) {
	rounds, steps := roaringtest.Paced(60, 10), 400
	shapes := slices.Sorted(maps.Keys(valueShapes))
	for round := range rounds {
		r := rand.New(rand.NewPCG(41, uint64(round)))
		m, s := integers{}, new(Integers)
		values := valueShapes[shapes[round%len(shapes)]](r)
		ids := uint64(1) << (2 + r.IntN(39))
		for step := range steps {
			id := r.Uint64N(ids)
			if len(m) > 0 && r.IntN(2) == 0 {
				for id = range m { // one that exists
					break
				}
			}
			switch r.IntN(5) {
			case 0:
				_, want := m[id]
				if got := s.Clear(id); got != want {
					t.Fatalf("round %d: Clear(%d): got %v, want %v", round, id, got, want)
				}
				delete(m, id)
			case 1:
				if r.IntN(40) == 0 {
					s.Pack(bitmap.Layout(r.IntN(2)))
				}
				if r.IntN(100) == 0 {
					clear(m)
					for _, id := range s.View().Records().AppendTo(nil) {
						s.Clear(id)
					}
				}
			default:
				m[id] = values()
				s.Set(id, m[id])
			}
			if got, ok := s.Value(id); got != m[id] || s.Len() != uint64(len(m)) {
				t.Fatalf("round %d: after step %d: got %d, %v and %d records, want %d and %d", round, step, got, ok,
					s.Len(), m[id], len(m))
			}
		}
		if err := s.View().Validate(); err != nil {
			t.Fatal(err)
		}
		check(t, r, "changed", s.View(), m)
		c := s.Clone()
		c.Pack(bitmap.Smallest)
		c.Set(7, 3)
		check(t, r, "original of a clone", s.View(), m)
		m[7] = 3
		check(t, r, "clone", c.View(), m)
	}
}

// TestWidth checks that an Integers has no more slices than its integers need, and how they
// grow.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		values        []int64
		width, packed int
		base          int64 // before packing
	}{
		{[]int64{5}, 0, 0, 5},
		{[]int64{math.MinInt64}, 0, 0, math.MinInt64},
		{[]int64{1000, 1001, 1007}, 3, 3, 1000},
		{[]int64{1_700_000_000, 1_700_086_399}, 17, 17, 1_700_000_000},
		{[]int64{1000, 999}, 1, 1, 999},
		{[]int64{1000, 995}, 3, 3, 993},
		{[]int64{0, math.MaxInt64}, 63, 63, 0},
		{[]int64{math.MaxInt64, math.MinInt64}, 64, 64, math.MinInt64},
		{[]int64{math.MinInt64, math.MaxInt64}, 64, 64, math.MinInt64},
		{[]int64{-5, math.MaxInt64, -6}, 64, 64, math.MinInt64},
		{[]int64{math.MinInt64 + 5, math.MinInt64}, 3, 3, math.MinInt64},
		{[]int64{math.MinInt64 + 5, math.MinInt64 + 70, math.MinInt64}, 8, 7, math.MinInt64},
		{[]int64{-5, math.MaxInt64 - 200, -100}, 64, 63, math.MinInt64},
	} {
		s := new(Integers)
		for i, x := range c.values {
			s.Set(uint64(i), x)
		}
		if len(s.slices) != c.width || s.base != c.base {
			t.Errorf("%d: got %d slices from %d, want %d from %d", c.values, len(s.slices), s.base, c.width, c.base)
		}
		s.Pack(bitmap.Smallest)
		if len(s.slices) != c.packed || s.base != slices.Min(c.values) {
			t.Errorf("%d, packed: got %d slices from %d, want %d from the smallest", c.values, len(s.slices), s.base,
				c.packed)
		}
		for i, x := range c.values {
			if got, ok := s.Value(uint64(i)); !ok || got != x {
				t.Errorf("%d: record %d has %d, %v", c.values, i, got, ok)
			}
		}
	}
}

func TestOf(t *testing.T) {
	shuffled := Of([]Pair{{9, 1}, {2, -7}, {9, 4}, {5, 0}, {2, 8}})
	want := []Pair{{2, 8}, {5, 0}, {9, 4}}
	var got []Pair
	for id, value := range shuffled.View().All() {
		got = append(got, Pair{id, value})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: the last of each ID", got, want)
	}
	if s := Of(nil); s.Len() != 0 || s.View().Validate() != nil {
		t.Errorf("of nothing: got %d records", s.Len())
	}
}

// TestZero asks the zero values.
func TestZero(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Integers
	for name, v := range map[string]View{"view": {}, "sliced": s.View(),
		"within": View{}.Within(bitmap.Of(1, 2).View())} {
		check(t, r, name, v, nil)
		if err := v.Validate(); err != nil {
			t.Error(err)
		}
		stored, err := Open(v.Append(nil, bitmap.Smallest))
		if err != nil {
			t.Fatal(err)
		}
		check(t, r, name, stored, nil)
	}
}

// TestShareOf compares ranks with decimal arithmetic.
func TestShareOf(t *testing.T) {
	for _, c := range []struct {
		p    float64
		n    uint64
		want uint64
	}{
		{0, 10, 0}, {1, 10, 10}, {1, math.MaxUint64, math.MaxUint64}, {0.5, 10, 5}, {0.5, 11, 6}, {0.07, 100, 7},
		{0.29, 100, 29}, {0.1, 10, 1},
		{0.999999, 1_000_000, 999_999}, {0.9999999999999999, 10, 10}, {5e-324, math.MaxUint64, 1},
		{1e-19, math.MaxUint64, 2}, {0.25, math.MaxUint64, 1 << 62},
		{0.1, 1 << 60, 115292150460684698}, {1. / 3, 3, 1}, {2. / 3, 3, 2}, {0.5, 0, 0},
	} {
		if got := shareOf(c.p, c.n); got != c.want {
			t.Errorf("share %g of %d: got %d, want %d", c.p, c.n, got, c.want)
		}
	}
	v := Of([]Pair{{1, 5}}).View()
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if x, ok := v.Quantile(p); ok {
			t.Errorf("Quantile(%g): got %d", p, x)
		}
	}
}

// TestSumOfLargest shows that no sum overflows: 2^33 times the smallest and the largest integer,
// over runs of all of a chunk.
func TestSumOfLargest(t *testing.T) {
	const chunks = 1 << 10
	for _, x := range []int64{math.MinInt64, math.MaxInt64} {
		s := &Integers{base: x}
		b := new(pack.Builder)
		full := []byte{0, 0, 0xFF, 0xFF}
		for key := range uint64(chunks) {
			b.AppendBlock(container.RunBlock(key, full, container.ChunkValues))
		}
		mutable.BuildInto(b, &s.records, pack.Fastest)
		sum := s.View().Sum()
		// n·x = n/2^1 · 2x: 2^26 · ±2^63, less n for the largest.
		wantHi, wantLo := int64(-1)<<25, uint64(0)
		if x > 0 {
			wantHi, wantLo = 1<<25-1, math.MaxUint64-chunks*container.ChunkValues+1
		}
		if sum.Hi != wantHi || sum.Lo != wantLo || sum.Len != chunks*container.ChunkValues {
			t.Errorf("sum of %d times %d: got %d, %d of %d, want %d, %d", chunks*container.ChunkValues, x, sum.Hi,
				sum.Lo,
				sum.Len, wantHi, wantLo)
		}
		if _, ok := sum.Int64(); ok {
			t.Error("the sum fits an int64")
		}
	}
}

// TestStaleViews changes integers under a loop over them: a view promises nothing then, but
// its calls return.
func TestStaleViews(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 5))
	for range 100 {
		s := new(Integers)
		for range 1 + r.IntN(500) {
			s.Set(r.Uint64N(200_000), r.Int64N(1<<r.IntN(40)))
		}
		v := s.View()
		n := 0
		for id := range v.All() {
			s.Clear(id)
			s.Set(r.Uint64N(1<<40), r.Int64N(1<<r.IntN(60))-r.Int64N(1<<50))
			if n++; n > 200 {
				break
			}
		}
		v.Len()
		v.Sum()
		v.Min()
		v.Max()
		v.Nth(3)
		v.TopK(nil, 5)
		v.Between(-5, 700)
		v.Validate()
		v.Clone()
	}
}
