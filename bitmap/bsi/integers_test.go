// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// integers is the model: a map.
type integers map[uint64]int64

// pairs returns the records in ascending order of ID.
func (m integers) pairs() (list []Pair) {
	for _, id := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Pair{id, m[id]})
	}
	return list
}

// within returns the records that keep has.
func (m integers) within(keep []uint64) integers {
	out := integers{}
	for _, id := range keep {
		if v, ok := m[id]; ok {
			out[id] = v
		}
	}
	return out
}

var (
	idShapes = map[string]func(r *rand.Rand, n int) []uint64{
		"dense":  func(_ *rand.Rand, n int) []uint64 { return roaringtest.Span(70_000, 70_000+uint64(n), 1) },
		"sparse": func(r *rand.Rand, n int) []uint64 { return roaringtest.RandomIDs(r, n, 1<<40) },
		"chunks": func(r *rand.Rand, n int) []uint64 { return roaringtest.RandomIDs(r, n, uint64(n)*3) },
		"ends": func(r *rand.Rand, n int) []uint64 {
			return append(append([]uint64{0, 65535, 65536, math.MaxUint64}, roaringtest.RandomIDs(r, n, 1<<17)...),
				math.MaxUint64-1)
		},
		"one": func(r *rand.Rand, _ int) []uint64 { return []uint64{r.Uint64()} },
	}
	valueShapes = map[string]func(r *rand.Rand) func() int64{
		"any": func(r *rand.Rand) func() int64 { return func() int64 { return int64(r.Uint64()) } },
		"extremes": func(r *rand.Rand) func() int64 {
			return pick(r, math.MinInt64, math.MaxInt64, 0, -1, 1, math.MinInt64+1)
		},
		"equal":    func(r *rand.Rand) func() int64 { return pick(r, int64(r.Uint64())) },
		"two":      func(r *rand.Rand) func() int64 { return pick(r, -3, 1<<40) },
		"negative": func(r *rand.Rand) func() int64 { return func() int64 { return -1 - r.Int64N(1000) } },
		"around":   func(r *rand.Rand) func() int64 { return func() int64 { return r.Int64N(2001) - 1000 } },
		"bits":     func(r *rand.Rand) func() int64 { return func() int64 { return 1 << r.IntN(64) } },
		"multiples": func(r *rand.Rand) func() int64 {
			return func() int64 { return 1024 * r.Int64N(50) }
		},
		"skewed": func(r *rand.Rand) func() int64 {
			return func() int64 { return int64(r.Uint64() >> (1 + r.IntN(63))) }
		},
		"few": func(r *rand.Rand) func() int64 { return func() int64 { return r.Int64N(3) } },
	}
)

func pick(r *rand.Rand, of ...int64) func() int64 {
	return func() int64 { return of[r.IntN(len(of))] }
}

// eachModel calls f with records of every shape.
func eachModel(t *testing.T, f func(t *testing.T, r *rand.Rand, m integers)) {
	n := roaringtest.Paced(600, 100)
	if roaringtest.RaceEnabled {
		n = 40
	}
	for _, ids := range slices.Sorted(maps.Keys(idShapes)) {
		for _, values := range slices.Sorted(maps.Keys(valueShapes)) {
			t.Run(ids+"/"+values, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(len(ids)), uint64(len(values))))
				sizes := []int{3, 1 + r.IntN(n), n}
				switch {
				case roaringtest.RaceEnabled:
					sizes = sizes[2:]
				case !testing.Short() && ids == "dense" && (values == "around" || roaringtest.Long() &&
					values == "few"):
					sizes = append(sizes, 70_000) // bitsets and runs, over a chunk's end
				case testing.Short() && ids == "dense" && values == "around":
					sizes = append(sizes, 30_000) // bitsets and runs
				}
				for _, n := range sizes {
					m, value := integers{}, valueShapes[values](r)
					for _, id := range idShapes[ids](r, n) {
						m[id] = value()
					}
					f(t, r, m)
				}
			})
		}
	}
}

// TestAnswers compares each question, with and without a filter, to each shape of the
// integers, with the model.
func TestAnswers(t *testing.T) {
	eachModel(t, func(t *testing.T, r *rand.Rand, m integers) {
		s := Of(m.pairs())
		for name, v := range viewsOf(t, r, m, s) {
			if !roaringtest.Long() && r.IntN(2) == 0 {
				continue
			}
			check(t, r, name, v, m)
			filters := filtersOf(r, m)
			for name, filter := range filters {
				if r.IntN(len(filters)) > 0 && (testing.Short() || r.IntN(3) > 0) {
					continue
				}
				check(t, r, name, v.Within(filter.View()), m.within(filter.View().AppendTo(nil)))
			}
		}
	})
}

// viewsOf returns the integers of s, in many forms.
func viewsOf(t *testing.T, r *rand.Rand, m integers, s *Integers) map[string]View {
	t.Helper()
	set := new(Integers)
	pairs := m.pairs()
	r.Shuffle(len(pairs), func(i, k int) { pairs[i], pairs[k] = pairs[k], pairs[i] })
	for _, p := range pairs[:min(len(pairs), 800)] {
		set.Set(p.ID, p.Value)
	}
	for id := range m { // what is too much to be set one by one
		if _, ok := set.Value(id); !ok {
			set = s.Clone()
			break
		}
	}
	views := map[string]View{"built": s.View(), "set": set.View()}
	for name, b := range map[string][]byte{
		"smallest": s.View().Append(nil, bitmap.Smallest),
		"fastest":  set.View().AppendChecked(nil, bitmap.Fastest),
	} {
		v, err := Open(b)
		if err != nil {
			t.Fatal(err)
		}
		views[name] = v
	}
	for name, v := range views {
		if err := v.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return views
}

// filtersOf returns sets of records.
func filtersOf(r *rand.Rand, m integers) map[string]*bitmap.Bitmap {
	ids := slices.Sorted(maps.Keys(m))
	var half []uint64
	for _, id := range ids {
		if r.IntN(2) == 0 {
			half = append(half, id, id+1)
		}
	}
	packed := bitmap.FromSorted(half)
	packed.Pack(bitmap.Smallest)
	few := append([]uint64{5, 1 << 50}, ids[r.IntN(len(ids))], ids[r.IntN(len(ids))])
	return map[string]*bitmap.Bitmap{
		"within nothing": new(bitmap.Bitmap), "within all": bitmap.FromSorted(ids), "within half": packed,
		"within few":     bitmap.Of(few...),
		"within a range": bitmap.FromSorted(roaringtest.Span(ids[len(ids)/3]&^0xFFFF, ids[len(ids)/3]|0xFFFF, 1)),
	}
}

// check asks everything.
func check(t *testing.T, r *rand.Rand, name string, v View, m integers) {
	t.Helper()
	pairs := m.pairs()
	if got := v.Len(); got != uint64(len(m)) {
		t.Fatalf("%s: Len: got %d, want %d", name, got, len(m))
	}
	i := 0
	for id, value := range v.All() {
		if i >= len(pairs) || pairs[i] != (Pair{id, value}) {
			t.Fatalf("%s: All: got %d of %d at %d, want %v", name, value, id, i, pairs[min(i, len(pairs)-1)])
		}
		i++
	}
	if i != len(pairs) {
		t.Fatalf("%s: All: got %d pairs, want %d", name, i, len(pairs))
	}
	for range 20 {
		id := r.Uint64N(200_000)
		if len(pairs) > 0 && r.IntN(4) != 0 {
			id = pairs[r.IntN(len(pairs))].ID + r.Uint64N(2)
		}
		got, ok := v.Value(id)
		want, has := m[id]
		if got != want || ok != has {
			t.Fatalf("%s: Value(%d): got %d, %v, want %d, %v", name, id, got, ok, want, has)
		}
	}
	checkComparisons(t, r, name, v, pairs)
	checkOrder(t, r, name, v, pairs)

	sum, want := v.Sum(), new(big.Int)
	for _, p := range pairs {
		want.Add(want, big.NewInt(p.Value))
	}
	got := new(big.Int).Lsh(big.NewInt(sum.Hi), 64)
	got.Add(got, new(big.Int).SetUint64(sum.Lo))
	if got.Cmp(want) != 0 || sum.Len != uint64(len(m)) {
		t.Fatalf("%s: Sum: got %v of %d, want %v of %d", name, got, sum.Len, want, len(m))
	}
	if x, ok := sum.Int64(); ok != want.IsInt64() || ok && x != want.Int64() {
		t.Fatalf("%s: Sum.Int64: got %d, %v, want %v", name, x, ok, want)
	}
	near, _ := new(big.Float).SetInt(want).Float64()
	if x := sum.Float64(); x != near {
		t.Fatalf("%s: Sum.Float64: got %g, want %g", name, x, near)
	}
	if mean := sum.Mean(); len(m) == 0 != math.IsNaN(mean) || len(m) > 0 &&
		math.Abs(mean-near/float64(len(m))) > math.Abs(mean)*1e-15 {
		t.Fatalf("%s: Mean: got %g, want %g", name, mean, near/float64(len(m)))
	}
}

func checkComparisons(t *testing.T, r *rand.Rand, name string, v View, pairs []Pair) {
	t.Helper()
	bounds := []int64{math.MinInt64, math.MaxInt64, 0, int64(r.Uint64())}
	for range 6 {
		if len(pairs) > 0 {
			bounds = append(bounds, pairs[r.IntN(len(pairs))].Value+r.Int64N(3)-1)
		}
	}
	check := func(what string, got *bitmap.Bitmap, n uint64, lo, hi int64, keep func(x int64) bool) {
		t.Helper()
		var want []uint64
		for _, p := range pairs {
			if keep(p.Value) {
				want = append(want, p.ID)
			}
		}
		if !slices.Equal(got.View().AppendTo(nil), want) {
			t.Fatalf("%s: %s of %d, %d: got %d records, want %d", name, what, lo, hi, got.Len(), len(want))
		}
		if err := got.View().Validate(); err != nil {
			t.Fatalf("%s: %s of %d, %d: %v", name, what, lo, hi, err)
		}
		if n != uint64(len(want)) {
			t.Fatalf("%s: %sLen of %d, %d: got %d, want %d", name, what, lo, hi, n, len(want))
		}
	}
	for i, x := range bounds {
		check("Equal", v.Equal(x), v.EqualLen(x), x, x, func(y int64) bool { return y == x })
		check("Less", v.Less(x), v.LessLen(x), x, x, func(y int64) bool { return y < x })
		check("LessEqual", v.LessEqual(x), v.LessEqualLen(x), x, x, func(y int64) bool { return y <= x })
		check("Greater", v.Greater(x), v.GreaterLen(x), x, x, func(y int64) bool { return y > x })
		check("GreaterEqual", v.GreaterEqual(x), v.GreaterEqualLen(x), x, x, func(y int64) bool { return y >= x })
		z := bounds[(i*3+1)%len(bounds)]
		check("Between", v.Between(x, z), v.BetweenLen(x, z), x, z, func(y int64) bool { return x <= y && y <= z })
	}
}

// TestSumFloat64: sums of more than 53 bits are rounded once.
func TestSumFloat64(t *testing.T) {
	sums := []Sum{
		{}, {Lo: 1}, {Hi: -1, Lo: math.MaxUint64}, {Hi: -1}, {Hi: math.MinInt64},
		{Hi: math.MaxInt64, Lo: math.MaxUint64},
		{Hi: 1 << 53, Lo: 1<<63 + 1}, {Hi: 1<<53 + 1, Lo: 1}, {Hi: 1, Lo: 1<<11 + 1}, {Lo: 1<<53 + 1},
	}
	r := rand.New(rand.NewPCG(44, 1))
	for range 10_000 {
		sums = append(sums, Sum{Hi: int64(r.Uint64()) >> r.IntN(64), Lo: r.Uint64() >> r.IntN(64) << r.IntN(64)})
	}
	for _, s := range sums {
		if want, _ := s.Big().Float64(); s.Float64() != want {
			t.Errorf("Sum{%d, %d}: got %g, want %g", s.Hi, s.Lo, s.Float64(), want)
		}
	}
}
