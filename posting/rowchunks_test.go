// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRowChunks: chunk by chunk a row says what its marks say, of records that are dense, spread, at the end of all, and all set or none; rows whose chunks have few have none.
func TestRowChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 601))
	kept := 0
	for round := range 200 {
		n := heavyMarks + r.IntN(3000)
		width := uint64(1) << (12 + r.IntN(14))
		origin := r.Uint64N(2) * (MaxID + 1 - width)
		sets := r.IntN(3) // none, some, all
		marks := make([]mark, n)
		for i := range marks {
			marks[i] = markOf(edit{row: 7, record: origin + r.Uint64N(width), set: sets == 2 || sets == 1 && r.IntN(2) == 0})
		}
		marks, _ = sortMarks(marks, nil)
		marks = slices.Clone(marks)
		if len(marks) < filteredTier {
			continue
		}
		h := newTier(marks).heavy[0]
		if of := chunksIn(marks); of*chunkMarks > len(marks) != (len(h.chunks.all) == 0) {
			t.Fatalf("round %d: %d marks in %d chunks: got %d", round, len(marks), of, len(h.chunks.all))
		}
		if len(h.chunks.all) == 0 {
			continue
		}
		kept++
		var back []mark
		for _, c := range h.chunks.all {
			before := len(back)
			for i, low := range h.chunks.lows[c.from:c.to] {
				back = append(back, markOf(edit{row: 7, record: c.key<<16 | uint64(low), set: uint32(i) < c.cut-c.from}))
			}
			slices.SortFunc(back[before:], func(a, b mark) int { return int(b.before(a)) - int(a.before(b)) })
		}
		if !slices.Equal(back, marks) {
			t.Fatalf("round %d: got %d marks back, want %d, or others", round, len(back), len(marks))
		}
	}
	if kept < 50 {
		t.Fatalf("got %d rows with chunks, want more", kept)
	}
}

// chunksIn returns in how many chunks marks are.
func chunksIn(marks []mark) int {
	keys := map[uint64]bool{}
	for _, m := range marks {
		keys[m.record>>17] = true
	}
	return len(keys)
}
