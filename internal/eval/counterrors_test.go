// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// TestCountRowsErrors: a context that has ended ends a count, and its memory is given back, as that
// of counts and ranks that come to their end.
func TestCountRowsErrors(t *testing.T) {
	ix, _ := buildColumns(t, rand.New(rand.NewPCG(8, 8)), 100_000)
	snap := ix.Snapshot()
	defer snap.Close()
	left := func() int64 {
		var refused *memory.Error
		if err := snap.Take(math.MaxInt64 / 2); !errors.As(err, &refused) {
			t.Fatalf("got %v, want that there is not so much memory", err)
		}
		return refused.Left
	}
	var set mutable.Bitmap
	set.AddRange(1, 40_000)
	for _, field := range []uint32{fast, one} {
		for range 100 {
			for _, way := range []Way{ByLists, ByColumn, ByRest} {
				counts, err := CountRows(t.Context(), snap, field, set.View(), Counting{Way: way})
				if err != nil {
					t.Fatal(err)
				}
				counts.Close()
			}
		}
	}
	before := left() // what the index keeps of sizes, columns and lists is there
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// whose rows have no keys, and have, so that there are counters before the first record
	for _, field := range []uint32{fast, one} {
		for _, how := range []Counting{{Way: ByLists}, {Way: ByColumn}, {Way: ByRest}} {
			if _, err := CountRows(ctx, snap, field, set.View(), how); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want context.Canceled", how.Way, err)
			}
			counts, err := CountRows(t.Context(), snap, field, set.View(), how)
			if err != nil {
				t.Fatal(err)
			}
			counts.Close()
		}
		for _, ctx := range []context.Context{ctx, t.Context()} {
			var column, rest RowCounts
			if err := errors.Join(column.byColumn(ctx, snap, field, set.View(), 3),
				rest.byRest(ctx, snap, field, set.View(), 3)); !errors.Is(err, ctx.Err()) {
				t.Errorf("in three threads: got %v, want %v", err, ctx.Err())
			}
			column.Close()
			rest.Close()
			for by := ByCount; by <= ByCosine; by++ {
				if _, err := Top(ctx, snap, field, set.View(), Ranking{By: by, Limit: 5, Whole: 100_000,
					Threads: 2}); !errors.Is(err, ctx.Err()) {
					t.Errorf("ranked by %d: got %v, want %v", by, err, ctx.Err())
				}
			}
		}
	}
	if after := left(); after != before {
		t.Errorf("got %d bytes left, want the %d of before", after, before)
	}
}
