// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/crosstab"
	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// plainRows is the rows of a field as plain sets, by their numbers.
type plainRows map[uint64]map[uint64]bool

// tags returns the rows of the set field by their numbers in a snapshot.
func (u *universe) tags(t *testing.T, snap reader.Snapshot) plainRows {
	m := plainRows{}
	for name, records := range u.rows {
		row, ok, err := snap.Lookup(model.KeySpace(tag), name)
		if err != nil || !ok {
			t.Fatalf("row %s: %v, %v", name, ok, err)
		}
		m[row] = records
	}
	return m
}

// in returns the values that two sets have in common.
func in(a map[uint64]bool, ids []uint64) (n uint64) {
	for _, id := range ids {
		if a[id] {
			n++
		}
	}
	return n
}

// TestWithin compares the answers within random sets with a plain reference. A delta is pending
// first, then flushed.
func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	ix, u := build(t, rng)
	rounds := paced(100, 24)
	for round := range rounds {
		if round == rounds/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		snap := ix.Snapshot()
		e := randomExpr(rng, 1)
		ids := u.answer(e)
		set := pair.FromSorted(ids).View()
		what := e.String()
		for field, m := range map[uint32]plainRows{tag: u.tags(t, snap), follows: u.follows} {
			for by := range ranking.ByCosine + 1 {
				checkTop(t, what, snap, rng, field, m, ids, ranking.Options{By: by, Limit: rng.IntN(6),
					Least: rng.Uint64N(3),
					Whole: uint64(len(u.ids))})
			}
			background := u.answer(randomExpr(rng, 0))
			both := slices.DeleteFunc(slices.Clone(ids), func(id uint64) bool {
				_, ok := slices.BinarySearch(background, id)
				return !ok
			})
			if len(background) > 0 {
				checkTop(t, what, snap, rng, field, m, ids, ranking.Options{By: ranking.ByRatio, Limit: rng.IntN(6),
					Least: rng.Uint64N(3), Whole: uint64(len(background)),
					Background: pair.FromSorted(background).View()})
				checkTop(t, what, snap, rng, field, m, both, ranking.Options{By: ranking.ByLift, Limit: rng.IntN(6),
					Whole: uint64(len(background)), Background: pair.FromSorted(background).View()})
			}
			distinct := uint64(0)
			for _, records := range m {
				if in(records, ids) > 0 {
					distinct++
				}
			}
			if n, err := ranking.Distinct(t.Context(), snap, field, set); err != nil || n != distinct {
				t.Errorf("%s: got %d, %v distinct rows, want %d", what, n, err, distinct)
			}
		}
		checkGroups(t, what, snap, u, ids, rng.IntN(20))
		checkNumbers(t, what, snap, rng, u, ids)
		snap.Close()
	}
}

func checkTop(t *testing.T, what string, snap reader.Snapshot, rng *rand.Rand, field uint32, m plainRows, ids []uint64,
	r ranking.Options) {
	t.Helper()
	var want []ranking.Ranked
	for row, records := range m {
		x := ranking.Ranked{Row: row, Count: in(records, ids), Total: uint64(len(records))}
		if !r.Background.IsEmpty() {
			x.Total = in(records, r.Background.AppendTo(nil))
		}
		if x.Count < max(1, r.Least) {
			continue
		}
		c, n, all := float64(x.Count), float64(len(ids)), float64(x.Total)
		x.Score = [...]float64{c, c / n * float64(r.Whole) / all, c / (n + all - c), c / math.Sqrt(n*all),
			c / n * float64(r.Whole) / max(all, 1)}[r.By]
		want = append(want, x)
	}
	slices.SortFunc(want, func(a, b ranking.Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Row, b.Row))
	})
	if len(want) > 0 && rng.IntN(2) == 0 { // a page behind one of them, which need not have come before
		at := rng.IntN(len(want))
		r.After, want = &ranking.Ranked{Row: want[at].Row, Count: want[at].Count, Score: want[at].Score}, want[at+1:]
		if len(want) == 0 {
			want = nil
		}
	}
	if r.Limit > 0 {
		want = want[:min(r.Limit, len(want))]
	}
	if got, err := ranking.Top(t.Context(), snap, field, pair.FromSorted(ids).View(), r); err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("%s: top of field %d by %d, at most %d:\n got %v, %v\nwant %v", what, field, r.By, r.Limit, got, err,
			want)
	}
}

func checkGroups(t *testing.T, what string, snap reader.Snapshot, u *universe, ids []uint64, limit int) {
	t.Helper()
	tags := u.tags(t, snap)
	fields := []uint32{tag, follows, tag}
	for n := 1; n <= len(fields); n++ {
		groups := map[[crosstab.MaxFields]uint64]uint64{}
		for _, id := range ids {
			var walk func(depth int, at [crosstab.MaxFields]uint64)
			walk = func(depth int, at [crosstab.MaxFields]uint64) {
				if depth == n {
					groups[at]++
					return
				}
				m := tags
				if fields[depth] == follows {
					m = u.follows
				}
				for row, records := range m {
					if records[id] {
						at[depth] = row
						walk(depth+1, at)
					}
				}
			}
			walk(0, [crosstab.MaxFields]uint64{})
		}
		var want []crosstab.Group
		for rows, count := range groups {
			want = append(want, crosstab.Group{Rows: rows, Count: count})
		}
		slices.SortFunc(want, func(a, b crosstab.Group) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Rows[:], b.Rows[:]))
		})
		var after *crosstab.Group
		if len(want) > 3 {
			after, want = &want[len(want)/3], want[len(want)/3+1:]
		}
		if limit > 0 {
			want = want[:min(limit, len(want))]
		}
		var by []crosstab.By
		for _, field := range fields[:n] {
			by = append(by, crosstab.By{Field: field})
		}
		if got, err := crosstab.Groups(t.Context(), snap, by, pair.FromSorted(ids).View(), limit,
			after); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: groups by %d fields, at most %d:\n got %v, %v\nwant %v", what, n, limit, got, err, want)
		}
	}
}

func checkNumbers(t *testing.T, what string, snap reader.Snapshot, rng *rand.Rand, u *universe, ids []uint64) {
	t.Helper()
	var all []int64
	sum := new(big.Int)
	for _, id := range ids {
		if x, ok := u.numbers[id]; ok {
			all = append(all, x)
			sum.Add(sum, big.NewInt(x))
		}
	}
	slices.Sort(all)
	n, err := NumbersOf(t.Context(), snap, number, pair.FromSorted(ids).View())
	if err != nil {
		t.Fatal(err)
	}
	got := n.Sum()
	total := new(big.Int).Lsh(big.NewInt(got.Hi), 64)
	total.Add(total, new(big.Int).SetUint64(got.Lo))
	if got.Len != uint64(len(all)) || total.Cmp(sum) != 0 {
		t.Errorf("%s: got sum %v of %d, want %v of %d", what, total, got.Len, sum, len(all))
	}
	for range 10 {
		i := rng.IntN(len(all) + 2)
		x, ok := n.Nth(uint64(i))
		if ok != (i < len(all)) || ok && x != all[i] {
			t.Errorf("%s: got %d, %v as number %d of %d", what, x, ok, i, len(all))
		}
	}
	for _, p := range []float64{0, 1, 0.5, 0.07, 0.25, 1.0 / 3, 5e-324} {
		x, ok := n.Quantile(p)
		if len(all) == 0 {
			if ok {
				t.Errorf("%s: got a quantile of nothing", what)
			}
			continue
		}
		rank := max(1, int(math.Ceil(p*float64(len(all))-1e-9)))
		if !ok || x != all[rank-1] {
			t.Errorf("%s: got quantile %v of %d: %d, want %d", what, p, len(all), x, all[rank-1])
		}
	}
	bounds := make([]int64, rng.IntN(20))
	for i := range bounds {
		if bounds[i] = int64(rng.Uint64()) >> rng.IntN(64); len(all) > 0 && rng.IntN(2) == 0 {
			bounds[i] = all[rng.IntN(len(all))] + rng.Int64N(3) - 1
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	want, at := make([]uint64, len(bounds)+1), 0
	for _, x := range all {
		for at < len(bounds) && x >= bounds[at] {
			at++
		}
		want[at]++
	}
	if counts, err := n.Histogram(t.Context(), bounds); err != nil || !slices.Equal(counts, want) {
		t.Errorf("%s: got %d, %v between the bounds %d, want %d", what, counts, err, bounds, want)
	}
	if _, ok := n.Quantile(math.NaN()); ok {
		t.Error("got a quantile for NaN")
	}
}

// TestSample draws samples: as many as asked for, of the set, the same for the same seed, and each
// record about as often as any other.
func TestSample(t *testing.T) {
	var ids []uint64
	for i := range uint64(50) {
		ids = append(ids, i*i*i)
	}
	set := pair.FromSorted(ids).View()
	times := map[uint64]int{}
	const samples, n = 3000, 7
	for seed := range uint64(samples) {
		s := Sample(set, n, seed)
		if len(s) != n || !slices.IsSorted(s) || len(slices.Compact(slices.Clone(s))) != n ||
			!slices.Equal(s, Sample(set, n, seed)) {
			t.Fatalf("seed %d: got %d", seed, s)
		}
		for _, id := range s {
			if !set.Contains(id) {
				t.Fatalf("seed %d: got %d, which is not in the set", seed, id)
			}
			times[id]++
		}
	}
	for _, id := range ids {
		if expected := samples * n / len(ids); times[id] < expected*3/4 || times[id] > expected*5/4 {
			t.Errorf("%d was drawn %d times, want about %d", id, times[id], expected)
		}
	}
	if got := Sample(set, 100, 1); !slices.Equal(got, ids) {
		t.Errorf("got %d of all, want them", len(got))
	}
	if got := Sample(set, 0, 1); len(got) != 0 {
		t.Errorf("got %d, want none", got)
	}
}
