// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// TestCountRowsErrors: a context that has ended ends a count, and its memory is given back, as that
// of counts that come to their end.
func TestCountRowsErrors(t *testing.T) {
	ix, _ := evaltest.BuildColumns(t, rand.New(rand.NewPCG(8, 8)), 100_000)
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
	for _, field := range []uint32{evaltest.Fast, evaltest.One} {
		for range 100 {
			for _, way := range []Way{ByLists, ByColumn, ByRest} {
				counts, err := Count(t.Context(), snap, field, set.View(), Counting{Way: way})
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
	for _, field := range []uint32{evaltest.Fast, evaltest.One} {
		for _, how := range []Counting{{Way: ByLists}, {Way: ByColumn}, {Way: ByRest}} {
			if _, err := Count(ctx, snap, field, set.View(), how); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want context.Canceled", how.Way, err)
			}
			counts, err := Count(t.Context(), snap, field, set.View(), how)
			if err != nil {
				t.Fatal(err)
			}
			counts.Close()
		}
		for _, ctx := range []context.Context{ctx, t.Context()} {
			var column, rest Counts
			if err := errors.Join(column.byColumn(ctx, snap, field, set.View(), 3),
				rest.byRest(ctx, snap, field, set.View(), 3)); !errors.Is(err, ctx.Err()) {
				t.Errorf("in three threads: got %v, want %v", err, ctx.Err())
			}
			column.Close()
			rest.Close()
		}
	}
	if after := left(); after != before {
		t.Errorf("got %d bytes left, want the %d of before", after, before)
	}
}
