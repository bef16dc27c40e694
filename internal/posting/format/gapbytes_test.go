// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGapBytes compares what a record's rows are said to take with what they take.
func TestGapBytes(t *testing.T) {
	const seed = 33
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 5000 {
		rows := make([]uint64, 1+rng.IntN(1<<rng.IntN(8)))
		for i := range rows {
			rows[i] = rng.Uint64() >> (1 + rng.IntN(63))
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		if got, want := GapBytes(rows), len(appendGaps(nil, rows)); got != want {
			t.Fatalf("seed %d, round %d: got %d bytes of %v, want %d", seed, round, got, rows, want)
		}
	}
}
