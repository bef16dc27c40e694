// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

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

// TestTopErrors: a context that has ended ends a ranking, and memory is given back, whether it came
// to its end or not.
func TestTopErrors(t *testing.T) {
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
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	rank := func(ctx context.Context) {
		for _, field := range []uint32{evaltest.Fast, evaltest.One} {
			for by := ByCount; by <= ByCosine; by++ {
				if _, err := Top(ctx, snap, field, set.View(), Options{By: by, Limit: 5, Whole: 100_000,
					Threads: 2}); !errors.Is(err, ctx.Err()) {
					t.Errorf("field %d ranked by %d: got %v, want %v", field, by, err, ctx.Err())
				}
			}
		}
	}
	for range 100 {
		rank(t.Context())
	}
	before := left() // what the index keeps of sizes, columns and lists is there
	rank(ended)
	rank(t.Context())
	if after := left(); after != before {
		t.Errorf("got %d bytes left, want the %d of before", after, before)
	}
}
