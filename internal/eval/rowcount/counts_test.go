// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// TestCountRows: every way to count gives the counts of the plain reference, with a delta pending
// and after a flush, alone and in several threads.
func TestCountRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const records = 300_000
	ix, reference := evaltest.BuildColumns(t, rng, records)
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
		for _, field := range []uint32{evaltest.Lists, evaltest.Fast, evaltest.Small, evaltest.One} {
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
				counts, err := Count(t.Context(), snap, field, set.View(), how)
				if field == evaltest.Lists && (how.Way == ByColumn || how.Way == ByRest) {
					if !errors.Is(err, sentinel.ErrLimit) {
						t.Fatalf("field %d %s: got %v, want sentinel.ErrLimit", field, how.Way, err)
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
				var column, rest Counts
				if field == evaltest.Lists {
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
	c := Costs{column: 2.5 * costOfThread, rest: math.Inf(1)}
	for most, want := range []int{0, 1, 2, 2} {
		if got := c.threads(ByColumn, most); got != want {
			t.Errorf("of %d goroutines: got %d, want %d", most, got, want)
		}
	}
	if got := c.threads(ByRest, 8); got != 8 {
		t.Errorf("of 8 goroutines for a walk without end: got %d, want all", got)
	}
}
