// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	fast  = 8
	small = 12
	one   = 16
)

// rowsOf is a plain reference of fields: row → records.
type rowsOf map[uint32]map[uint64]map[uint64]bool

func (r rowsOf) put(field uint32, row, record uint64, set bool) {
	if r[field] == nil {
		r[field] = map[uint64]map[uint64]bool{}
	}
	if r[field][row] == nil {
		r[field][row] = map[uint64]bool{}
	}
	if set {
		r[field][row][record] = true
	} else {
		delete(r[field][row], record)
	}
}

// openColumns opens an empty index of fields with lists alone, with either column, and with one row
// a record.
func openColumns(t testing.TB) *posting.Index {
	t.Helper()
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: tag},
			{ID: fast, Column: model.FastColumn}, {ID: small, Column: model.SmallColumn},
			{ID: one, Kind: model.Rows}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// buildColumns makes an index of fields with the same rows in lists alone, and with either column;
// part of it is in the delta.
func buildColumns(t testing.TB, rng *rand.Rand, records uint64) (*posting.Index, rowsOf) {
	t.Helper()
	ix := openColumns(t)
	want := rowsOf{}
	write := func(n int) {
		var b posting.Batch
		for i := range 70 {
			b.Key(model.KeySpace(one), fmt.Sprint(i))
		}
		of := map[uint64]uint64{}
		for range n {
			record, row := rng.Uint64N(records), rng.Uint64N(1+rng.Uint64N(700))
			b.Set(model.Exists, model.ID(0), model.ID(record))
			set := rng.IntN(5) > 0
			for _, field := range []uint32{tag, fast, small} {
				if set {
					b.Set(field, model.ID(row), model.ID(record))
				} else {
					b.Clear(field, model.ID(row), model.ID(record))
				}
				want.put(field, row, record, set)
			}
			b.Assign(one, model.ID(record), model.ID(row%70))
			of[record] = row % 70
		}
		for record, row := range of {
			for _, records := range want[one] {
				delete(records, record)
			}
			want.put(one, row, record, true)
		}
		if _, err := ix.Commit(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write(20_000)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(3000)
	return ix, want
}

// TestCountRows: every way to count gives the counts of the plain reference, with a delta pending
// and after a flush, alone and in several threads.
func TestCountRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const records = 300_000
	ix, reference := buildColumns(t, rng, records)
	for round := range 12 {
		if round == 6 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var set mutable.Bitmap
		for share, record := rng.Uint64N(101), uint64(0); record < records; record++ {
			if rng.Uint64N(100) < share {
				set.Add(record)
			}
		}
		snap := ix.Snapshot()
		for _, field := range []uint32{tag, fast, small, one} {
			want := map[uint64]uint64{}
			for row, records := range reference[field] {
				for record := range records {
					if set.Contains(record) {
						want[row]++
					}
				}
			}
			for _, how := range []Counting{{}, {Way: ByLists}, {Way: ByColumn}, {Way: ByRest},
				{Way: ByColumn, Threads: 3}, {Way: ByRest, Threads: 2}} {
				counts, err := CountRows(t.Context(), snap, field, set.View(), how)
				if field == tag && (how.Way == ByColumn || how.Way == ByRest) {
					if !errors.Is(err, ErrLimit) {
						t.Fatalf("field %d %s: got %v, want ErrLimit", field, how.Way, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := maps.Collect(counts.All()); !maps.Equal(got, want) {
					t.Fatalf("field %d by %s in %d threads: got %d rows, want %d, or other counts", field, how.Way,
						how.Threads, len(got), len(want))
				}
				counts.Close()
			}
			for _, threads := range []int{2, 3} { // whatever they are worth
				var column, rest RowCounts
				if field == tag {
					break
				}
				if err := errors.Join(column.byColumn(t.Context(), snap, field, set.View(), threads),
					rest.byRest(t.Context(), snap, field, set.View(), threads)); err != nil {
					t.Fatal(err)
				}
				if got, other := maps.Collect(column.All()), maps.Collect(rest.All()); !maps.Equal(got, want) ||
					!maps.Equal(other, want) {
					t.Fatalf("field %d in %d threads: got %d and %d rows, want %d, or other counts", field, threads,
						len(got), len(other), len(want))
				}
				column.Close()
				rest.Close()
			}
		}
		snap.Close()
	}
}

// TestThreads: a walk takes no more goroutines than are there, and none that would have next to
// nothing to do.
func TestThreads(t *testing.T) {
	c := costs{column: 2.5 * costOfThread, rest: math.Inf(1)}
	for most, want := range []int{0, 1, 2, 2} {
		if got := c.threads(ByColumn, most); got != want {
			t.Errorf("of %d goroutines: got %d, want %d", most, got, want)
		}
	}
	if got := c.threads(ByRest, 8); got != 8 {
		t.Errorf("of 8 goroutines for a walk without end: got %d, want all", got)
	}
}

// bySize ranks rows in the order of their sizes: on a random budget, and if that is too small, as
// it must be at 0, and nothing is left of it, on one without end.
func bySize(t *testing.T, x *ranked, field uint32, set view.View, rng *rand.Rand) {
	t.Helper()
	c, err := costsOf(x.snap, field, x.size)
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []float64{0, rng.Float64() * c.bySize(x.Limit), math.Inf(1)} {
		done, err := x.bySize(t.Context(), field, set, c, budget)
		switch {
		case err != nil || done && budget == 0 || !done && math.IsInf(budget, 1):
			t.Fatalf("%+v of field %d on a budget of %g: got done %v, %v", x.Ranking, field, budget, done, err)
		case done:
			return
		case len(x.rows) > 0 || x.full || !math.IsInf(x.worst, -1):
			t.Fatalf("%+v of field %d on a budget of %g: got %d rows, full %v, worst %g, after it had given up",
				x.Ranking, field, budget, len(x.rows), x.full, x.worst)
		}
	}
}

// TestTopNarrow: of a sample of a small part of all records, most rows may be among the best, so
// that going by size is given up; of every second record it is done, and costs less than to count
// all.
func TestTopNarrow(t *testing.T) {
	const records, rows = 50_000, 2_000
	rng := rand.New(rand.NewPCG(10, 10))
	ix := openColumns(t)
	var b posting.Batch
	for row := range rows {
		b.Key(model.KeySpace(fast), fmt.Sprint(row))
	}
	for record, zipf := uint64(0), rand.NewZipf(rng, 1.05, 1, rows-1); record < records; record++ {
		b.Set(model.Exists, model.ID(0), model.ID(record))
		b.Set(fast, model.ID(zipf.Uint64()), model.ID(record))
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
		share uint64 // one of so many records
		done  bool
	}{{200, false}, {2, true}} {
		var set mutable.Bitmap
		for record := range uint64(records) {
			if rng.Uint64N(c.share) == 0 {
				set.Add(record)
			}
		}
		x := ranked{Ranking: Ranking{Limit: 10}, size: set.Len(), snap: snap, worst: math.Inf(-1)}
		x.Least = 1
		costs, err := costsOf(snap, fast, x.size)
		if err != nil {
			t.Fatal(err)
		}
		_, other := costs.best()
		if done, err := x.bySize(t.Context(), fast, set.View(), costs, other); err != nil || done != c.done {
			t.Errorf("one of %d records: got done %v, %v, want %v", c.share, done, err, c.done)
		}
		snap.Give(x.held)
	}
}

// TestTopWays: every way to rank rows gives the same ones, ties included.
func TestTopWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const records = 20_000
	ix, _ := buildColumns(t, rng, records)
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
		first, err := Top(t.Context(), snap, tag, set.View(), Ranking{Limit: 9})
		if err != nil || len(first) == 0 {
			t.Fatal(len(first), err)
		}
		for _, r := range []Ranking{{Limit: 5}, {}, {Limit: 5, After: &first[len(first)-1]}, {After: &first[0]},
			{Limit: 40, Least: 3}, {By: ByLift, Limit: 10, Least: 2, Whole: records}, {By: ByJaccard, Limit: 7},
			{By: ByCosine},
			{By: ByLift, Limit: 10, Least: 2, Whole: background.Len(), Background: background.View()},
			{By: ByRatio, Limit: 10, Least: 2, Whole: background.Len(), Background: background.View()}} {
			within := set.View()
			if r.By == ByLift && !r.Background.IsEmpty() {
				within = pair.And(within, r.Background).View()
			}
			want, err := Top(t.Context(), snap, tag, within, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range []uint32{fast, small} {
				if got, err := Top(t.Context(), snap, field, within, r); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%+v of field %d: got %v, %v, want %v", r, field, got, err, want)
				}
				for way := range ByRest + 1 {
					x := ranked{Ranking: r, size: within.Len(), snap: snap, worst: math.Inf(-1)}
					x.Least = max(1, r.Least)
					if way == ByCost && r.By != ByCount {
						continue
					}
					if way == ByCost {
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
			n, err := Distinct(t.Context(), snap, fast, within)
			if plain, failed := Distinct(t.Context(), snap, tag, within); err != nil || failed != nil || n != plain {
				t.Fatalf("got %d distinct rows (%v), want %d (%v)", n, err, plain, failed)
			}
			groups, err := Groups(t.Context(), snap, fieldsOf(fast), within, 9, nil)
			if plain, failed := Groups(t.Context(), snap, fieldsOf(tag), within, 9, nil); err != nil || failed != nil ||
				!slices.Equal(groups, plain) {
				t.Fatalf("got groups %v (%v), want %v (%v)", groups, err, plain, failed)
			}
		}
	}
}
