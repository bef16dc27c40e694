// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package expiry

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/server/resp/names"
)

// TestModel compares the times that are kept with all of them, while they change.
func TestModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	held := int64(0)
	model, queue := make(map[string]int64), New("expires", func(bytes int64) { held += bytes })
	queue.bound = Never
	now := int64(1000)
	lost := false // some are not here any more
	for range 200_000 {
		record := names.OfKey(fmt.Sprint(r.IntN(50_000)))
		at := now + r.Int64N(1_000_000)
		if r.IntN(4) == 0 {
			at = 0
		}
		if queue.Set(Time{at, record}); at == 0 {
			delete(model, record)
		} else {
			model[record] = at
		}
		if r.IntN(5000) == 0 {
			queue.bytes += mostBytes // as if they were long
			queue.hold(mostBytes)
			queue.Set(Time{at + 1, record})
			model[record] = at + 1
			lost = lost || queue.bound != Never
		}
		if len(model) > 0 && r.IntN(1000) == 0 {
			want := slices.Min(slices.Collect(maps.Values(model)))
			if got := queue.Next(); got > want {
				t.Fatalf("got %d as the next time, want at most %d", got, want)
			}
		}
	}
	if !lost {
		t.Error("nothing was left to the index")
	}
	queue.Release()
	if held != 0 {
		t.Errorf("got %d bytes held of no times", held)
	}
}
