// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// TestRowChunks: chunk by chunk a row says what its entries say, of records that are dense, spread,
// at the end of all, and all set or none; rows whose chunks have few have none.
func TestRowChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 601))
	kept, dense := 0, 0
	for round := range 200 {
		n := HeavyEntries + r.IntN(3000)
		width := uint64(1) << (12 + r.IntN(14))
		if round%8 == 0 {
			n, width = 10_000+r.IntN(20_000), 1<<(15+r.IntN(4))
		}
		base := r.Uint64N(2) * (model.MaxID + 1 - width)
		sets := r.IntN(3) // none, some, all
		entries := make([]Entry, n)
		for i := range entries {
			entries[i] = EntryOf(model.Edit{Row: 7, Record: base + r.Uint64N(width), Set: sets == 2 || sets == 1 &&
				r.IntN(2) == 0})
		}
		entries, _ = SortEntries(entries, nil)
		entries = slices.Clone(entries)
		if len(entries) < FilteredFrom {
			continue
		}
		h := NewLevel(entries).heavy[0]
		if of := chunksIn(entries); of*chunkEntries > len(entries) != (len(h.chunks.All) == 0) {
			t.Fatalf("round %d: %d entries in %d chunks: got %d", round, len(entries), of, len(h.chunks.All))
		}
		if len(h.chunks.All) == 0 {
			continue
		}
		kept++
		var back []Entry
		for _, c := range h.chunks.All {
			set, cut := h.chunks.Lows[c.From:c.Cut], h.chunks.Lows[c.Cut:c.To]
			if many := max(len(set), len(cut)) >= DenseFrom; many != (c.Dense > 0) {
				t.Fatalf("round %d: %d are set and %d cut: got dense %d", round, len(set), len(cut), c.Dense)
			} else if many {
				dense++
				d := &h.chunks.Dense[c.Dense-1]
				bytes := int32(0)
				for _, side := range []struct {
					block container.Block
					lows  []uint16
				}{{d.Set, set}, {d.Cut, cut}} {
					if len(side.lows) < DenseFrom {
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
			for i, low := range h.chunks.Lows[c.From:c.To] {
				back = append(back, EntryOf(model.Edit{Row: 7, Record: c.Key<<16 | uint64(low),
					Set: uint32(i) < c.Cut-c.From}))
			}
			slices.SortFunc(back[before:], func(a, b Entry) int { return int(b.before(a)) - int(a.before(b)) })
		}
		if !slices.Equal(back, entries) {
			t.Fatalf("round %d: got %d entries back, want %d, or others", round, len(back), len(entries))
		}
	}
	if kept < 50 || dense < 20 {
		t.Fatalf("got %d rows with chunks, %d of them dense, want more", kept, dense)
	}
}

// TestLevelCountsItsBytes: a level says of all its parts what memory they hold, also of rows that
// are kept chunk by chunk.
func TestLevelCountsItsBytes(t *testing.T) {
	var entries []Entry
	for row := range uint64(3) {
		for x := range uint64(1000) {
			entries = append(entries, EntryOf(model.Edit{Row: row, Record: x * (1 + row*100), Set: true}))
		}
	}
	for x := range uint64(3 * DenseFrom) {
		entries = append(entries, EntryOf(model.Edit{Row: 3, Record: x * 7, Set: x%3 > 0}))
	}
	level := NewLevel(entries)
	want := int64(cap(level.Entries))*int64(unsafe.Sizeof(Entry{})) + 8*int64(len(level.rows)) +
		int64(cap(level.buckets))*int64(unsafe.Sizeof(bucket{})) +
		int64(cap(level.heavy))*int64(unsafe.Sizeof(heavyRow{}))
	chunks := 0
	for i := range level.heavy {
		h := &level.heavy[i]
		want += 8*int64(len(h.records.Filter)) + 4*int64(cap(h.records.begins)) +
			int64(cap(h.chunks.All))*int64(unsafe.Sizeof(RowChunk{})) + 2*int64(len(h.chunks.Lows)) +
			int64(cap(h.chunks.Dense))*int64(unsafe.Sizeof(DenseChunk{}))
		for k := range h.chunks.Dense {
			want += int64(h.chunks.Dense[k].bytes)
		}
		chunks += len(h.chunks.All)
	}
	if got := level.bytes(); got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	if len(level.heavy) != 4 || chunks < 5 || len(level.heavy[3].chunks.Dense) != 1 {
		t.Errorf("%d heavy rows, %d chunks: this tests too little", len(level.heavy), chunks)
	}
}

// chunksIn returns in how many chunks entries are.
func chunksIn(entries []Entry) int {
	keys := map[uint64]bool{}
	for _, m := range entries {
		keys[m.Record>>17] = true
	}
	return len(keys)
}
