// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// bySize ranks rows in the order of their sizes: on a random budget, and if that is too
// evaltest.Small, as it must be at 0, and nothing is left of it, on one without end.
func bySize(t *testing.T, x *ranked, field uint32, set view.View, rng *rand.Rand) {
	t.Helper()
	c, err := rowcount.CostsOf(x.snap, field, x.size)
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []float64{0, rng.Float64() * c.BySize(x.Limit), math.Inf(1)} {
		done, err := x.bySize(t.Context(), field, set, c, budget)
		switch {
		case err != nil || done && budget == 0 || !done && math.IsInf(budget, 1):
			t.Fatalf("%+v of field %d on a budget of %g: got done %v, %v", x.Options, field, budget, done, err)
		case done:
			return
		case len(x.rows) > 0 || x.full || !math.IsInf(x.worst, -1):
			t.Fatalf("%+v of field %d on a budget of %g: got %d rows, full %v, worst %g, after it had given up",
				x.Options, field, budget, len(x.rows), x.full, x.worst)
		}
	}
}

// TestTopNarrow: of a sample of a small part of all records, most rows may be among the best, so
// that going by size is given up; of every second record it is done, and costs less than to count
// all.
func TestTopNarrow(t *testing.T) {
	const records, rows = 50_000, 2_000
	rng := rand.New(rand.NewPCG(10, 10))
	ix := evaltest.OpenColumns(t)
	var b posting.Batch
	for row := range rows {
		b.Key(model.KeySpace(evaltest.Fast), fmt.Sprint(row))
	}
	for record, zipf := uint64(0), rand.NewZipf(rng, 1.05, 1, rows-1); record < records; record++ {
		b.Set(model.Exists, model.ID(0), model.ID(record))
		b.Set(evaltest.Fast, model.ID(zipf.Uint64()), model.ID(record))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for _, c := range []struct {
		share uint64 // the set has one record in this many
		done  bool
	}{{200, false}, {2, true}} {
		var set mutable.Bitmap
		for record := range uint64(records) {
			if rng.Uint64N(c.share) == 0 {
				set.Add(record)
			}
		}
		x := ranked{Options: Options{Limit: 10}, size: set.Len(), snap: snap, worst: math.Inf(-1)}
		x.Least = 1
		costs, err := rowcount.CostsOf(snap, evaltest.Fast, x.size)
		if err != nil {
			t.Fatal(err)
		}
		_, other := costs.Best()
		if done, err := x.bySize(t.Context(), evaltest.Fast, set.View(), costs, other); err != nil || done != c.done {
			t.Errorf("one of %d records: got done %v, %v, want %v", c.share, done, err, c.done)
		}
		snap.Give(x.held)
	}
}

// TestTopWays: every way to rank rows gives the same ones, ties included.
func TestTopWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const records = 20_000
	ix, _ := evaltest.BuildColumns(t, rng, records)
	snap := ix.Snapshot()
	defer snap.Close()
	random := func() *mutable.Bitmap {
		var set mutable.Bitmap
		for share, record := rng.Uint64N(101), uint64(0); record < records; record++ {
			if rng.Uint64N(100) < share {
				set.Add(record)
			}
		}
		return &set
	}
	for range 10 {
		set, background := random(), random()
		first, err := Top(t.Context(), snap, evaltest.Lists, set.View(), Options{Limit: 9})
		if err != nil || len(first) == 0 {
			t.Fatal(len(first), err)
		}
		for _, r := range []Options{{Limit: 5}, {}, {Limit: 5, After: &first[len(first)-1]}, {After: &first[0]},
			{Limit: 40, Least: 3}, {By: ByLift, Limit: 10, Least: 2, Whole: records}, {By: ByJaccard, Limit: 7},
			{By: ByCosine},
			{By: ByLift, Limit: 10, Least: 2, Whole: background.Len(), Background: background.View()},
			{By: ByRatio, Limit: 10, Least: 2, Whole: background.Len(), Background: background.View()}} {
			within := set.View()
			if r.By == ByLift && !r.Background.IsEmpty() {
				within = pair.And(within, r.Background).View()
			}
			want, err := Top(t.Context(), snap, evaltest.Lists, within, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range []uint32{evaltest.Fast, evaltest.Small} {
				if got, err := Top(t.Context(), snap, field, within, r); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%+v of field %d: got %v, %v, want %v", r, field, got, err, want)
				}
				for way := range rowcount.ByRest + 1 {
					x := ranked{Options: r, size: within.Len(), snap: snap, worst: math.Inf(-1)}
					x.Least = max(1, r.Least)
					if way == rowcount.ByCost && r.By != ByCount {
						continue
					}
					if way == rowcount.ByCost {
						bySize(t, &x, field, within, rng)
					} else {
						err = x.byCounts(t.Context(), field, within, way)
					}
					x.cut()
					snap.Give(x.held)
					if err != nil || !slices.Equal(x.rows, want) {
						t.Fatalf("%+v of field %d by %s: got %v, %v, want %v", r, field, way, x.rows, err, want)
					}
				}
			}
			n, err := Distinct(t.Context(), snap, evaltest.Fast, within)
			if plain, failed := Distinct(t.Context(), snap, evaltest.Lists, within); err != nil || failed != nil ||
				n != plain {
				t.Fatalf("got %d distinct rows (%v), want %d (%v)", n, err, plain, failed)
			}
		}
	}
}
