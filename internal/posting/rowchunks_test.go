// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// TestRowChunks: chunk by chunk a row says what its marks say, of records that are dense, spread,
// at the end of all, and all set or none; rows whose chunks have few have none.
func TestRowChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 601))
	kept, dense := 0, 0
	for round := range 200 {
		n := heavyMarks + r.IntN(3000)
		width := uint64(1) << (12 + r.IntN(14))
		if round%8 == 0 {
			n, width = 10_000+r.IntN(20_000), 1<<(15+r.IntN(4))
		}
		origin := r.Uint64N(2) * (model.MaxID + 1 - width)
		sets := r.IntN(3) // none, some, all
		marks := make([]entry, n)
		for i := range marks {
			marks[i] = entryOf(model.Edit{Row: 7, Record: origin + r.Uint64N(width), Set: sets == 2 || sets == 1 &&
				r.IntN(2) == 0})
		}
		marks, _ = sortEntries(marks, nil)
		marks = slices.Clone(marks)
		if len(marks) < filteredTier {
			continue
		}
		h := newLevel(marks).heavy[0]
		if of := chunksIn(marks); of*chunkMarks > len(marks) != (len(h.chunks.all) == 0) {
			t.Fatalf("round %d: %d marks in %d chunks: got %d", round, len(marks), of, len(h.chunks.all))
		}
		if len(h.chunks.all) == 0 {
			continue
		}
		kept++
		var back []entry
		for _, c := range h.chunks.all {
			set, cut := h.chunks.lows[c.from:c.cut], h.chunks.lows[c.cut:c.to]
			if many := max(len(set), len(cut)) >= denseFrom; many != (c.dense > 0) {
				t.Fatalf("round %d: %d are set and %d cut: got dense %d", round, len(set), len(cut), c.dense)
			} else if many {
				dense++
				d := &h.chunks.dense[c.dense-1]
				bytes := int32(0)
				for _, side := range []struct {
					block container.Block
					lows  []uint16
				}{{d.set, set}, {d.cut, cut}} {
					if len(side.lows) < denseFrom {
						side.lows = nil // not kept
					} else {
						bytes += int32(min(2*len(side.lows), 8192)) // about: runs are fewer, and there is a header
					}
					if got := side.block.AppendLow(nil); !slices.Equal(got, side.lows) {
						t.Fatalf("round %d: got a block of %d records, want %d, or others", round, len(got),
							len(side.lows))
					}
				}
				if d.bytes < bytes {
					t.Fatalf("round %d: got %d bytes for %d and %d records, want %d at least", round, d.bytes, len(set),
						len(cut), bytes)
				}
			}
			before := len(back)
			for i, low := range h.chunks.lows[c.from:c.to] {
				back = append(back, entryOf(model.Edit{Row: 7, Record: c.key<<16 | uint64(low),
					Set: uint32(i) < c.cut-c.from}))
			}
			slices.SortFunc(back[before:], func(a, b entry) int { return int(b.before(a)) - int(a.before(b)) })
		}
		if !slices.Equal(back, marks) {
			t.Fatalf("round %d: got %d marks back, want %d, or others", round, len(back), len(marks))
		}
	}
	if kept < 50 || dense < 20 {
		t.Fatalf("got %d rows with chunks, %d of them dense, want more", kept, dense)
	}
}

// TestTierBytes: a tier says of all its parts what memory they hold, also of rows that are kept
// chunk by chunk.
func TestTierBytes(t *testing.T) {
	var marks []entry
	for row := range uint64(3) {
		for x := range uint64(1000) {
			marks = append(marks, entryOf(model.Edit{Row: row, Record: x * (1 + row*100), Set: true}))
		}
	}
	for x := range uint64(3 * denseFrom) {
		marks = append(marks, entryOf(model.Edit{Row: 3, Record: x * 7, Set: x%3 > 0}))
	}
	tier := newLevel(marks)
	want := int64(cap(tier.marks))*int64(unsafe.Sizeof(entry{})) + 8*int64(len(tier.rows)) +
		int64(cap(tier.spans))*int64(unsafe.Sizeof(bucket{})) + int64(cap(tier.heavy))*int64(unsafe.Sizeof(heavyRow{}))
	chunks := 0
	for i := range tier.heavy {
		h := &tier.heavy[i]
		want += 8*int64(len(h.records.filter)) + 4*int64(cap(h.records.spans)) +
			int64(cap(h.chunks.all))*int64(unsafe.Sizeof(rowChunk{})) + 2*int64(len(h.chunks.lows)) +
			int64(cap(h.chunks.dense))*int64(unsafe.Sizeof(denseChunk{}))
		for k := range h.chunks.dense {
			want += int64(h.chunks.dense[k].bytes)
		}
		chunks += len(h.chunks.all)
	}
	if got := tier.bytes(); got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	if len(tier.heavy) != 4 || chunks < 5 || len(tier.heavy[3].chunks.dense) != 1 {
		t.Errorf("%d heavy rows, %d chunks: this tests too little", len(tier.heavy), chunks)
	}
}

// chunksIn returns in how many chunks marks are.
func chunksIn(marks []entry) int {
	keys := map[uint64]bool{}
	for _, m := range marks {
		keys[m.record>>17] = true
	}
	return len(keys)
}
