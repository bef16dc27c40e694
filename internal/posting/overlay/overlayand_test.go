// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestChunksMet: lists have no more chunks in common than they are thought to, also where edits
// reach far beyond what pages have, so that a count, which nothing stops, does not take long.
func TestChunksMet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 604))
	for round := range 200 {
		draw := func() (List, map[uint64]bool) {
			return drawnWithEdits(r, uint64(r.IntN(5))<<16, 1+r.IntN(3), []int{0, 1, 30, 300}[r.IntN(4)],
				[]int{0, 1, 9, 700}[r.IntN(4)], r.IntN(2) == 0)
		}
		a, ofA := draw()
		b, ofB := draw()
		if a.AtMost() > b.AtMost() {
			a, b, ofA, ofB = b, a, ofB, ofA
		}
		chunks := map[uint64]bool{}
		for x := range ofA {
			chunks[x>>16] = true
		}
		both := map[uint64]bool{}
		for x := range ofB {
			if chunks[x>>16] {
				both[x>>16] = true
			}
		}
		if round%2 == 0 { // in how many chunks records are is known
			a.Universe = 1
			for _, of := range []map[uint64]bool{ofA, ofB} {
				for x := range of {
					a.Universe = max(a.Universe, x>>16+1)
				}
			}
			b.Universe = a.Universe
		}
		if got := commonChunks(&a, &b); got < uint64(len(both)) {
			t.Fatalf("round %d: got at most %d chunks, want %d", round, got, len(both))
		}
	}
	for _, layered := range []bool{true, false} {
		var lists [2]List
		for i := range lists {
			entries := make([]delta.Entry, 50_000)
			for k := range entries {
				entries[k] = delta.EntryOf(model.Edit{Row: 7, Record: uint64(k)<<16 + 1, Set: true})
			}
			l := &lists[i]
			l.AddPiece(pair.Of(1).View(), 0)
			if l.Much = (delta.Levels{Field: someField, All: []*delta.Level{delta.NewLevel(entries)}}).AppendRuns(nil,
				7); !layered {
				l.Edits, l.Much = delta.AppendRunEdits(nil, someField, l.Much), nil
			}
		}
		if got := commonChunks(&lists[0], &lists[1]); got < 50_000 {
			t.Errorf("layered %t: got at most %d chunks, want 50000", layered, got)
		}
		if way := PlanCount(&lists[0], &lists[1]); way == ByChunks {
			t.Errorf("layered %t: got 50000 chunks to be met without a stop", layered)
		}
	}
}

// TestChunksBefore: chunks are passed over to the first of at least a key.
func TestChunksBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 604))
	for n := range 70 {
		chunks := make([]delta.RowChunk, n)
		for i := range chunks {
			chunks[i].Key = uint64(i)*3 + 1
		}
		for range 20 {
			key := r.Uint64N(uint64(n)*3 + 5)
			if got, want := delta.ChunksBefore(chunks, key), slices.IndexFunc(append(chunks,
				delta.RowChunk{Key: 1 << 40}),
				func(c delta.RowChunk) bool {
					return c.Key >= key
				}); got != want {
				t.Fatalf("%d chunks, key %d: got %d, want %d", n, key, got, want)
			}
		}
	}
}

// TestOverlayAndOfDenseRuns: where a run names thousands of records of a chunk, and newer ones say
// otherwise of some, lists of all lengths have in common what they have.
func TestOverlayAndOfDenseRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 605))
	for round := range 60 {
		long, inLong := make([]*delta.Level, 0, 4), map[uint64]bool{}
		pages := drawnRecords(r, 20_000)
		for _, x := range pages {
			inLong[x] = true
		}
		for _, n := range []int{20_000, 9_000, 3_000, 200} {
			some := drawnRecords(r, n)
			entries, sets := make([]delta.Entry, len(some)), r.IntN(4) // none to all
			for i, x := range some {
				entries[i] = delta.EntryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(3) < sets})
				if delete(inLong, x); entries[i].Record&1 != 0 {
					inLong[x] = true
				}
			}
			entries, _ = delta.SortEntries(entries, nil)
			long = append(long, delta.NewLevel(entries))
		}
		var a, b List
		b.AddPiece(pair.FromSorted(pages).View(), 0)
		b.Much = delta.Levels{Field: someField, All: long}.AppendRuns(nil, 7)
		dense := 0
		for _, l := range b.Much {
			if l.Chunks != nil {
				dense += len(l.Chunks.Dense)
			}
		}
		if dense == 0 {
			t.Fatalf("round %d: got no dense chunk", round)
		}
		short := drawnRecords(r, []int{0, 1, 12, 100, 700, 6_000, 40_000}[round%7])
		a.AddPiece(pair.FromSorted(short).View(), 0)
		want := uint64(0)
		for _, x := range short {
			if inLong[x] {
				want++
			}
		}
		if got := new(overlayAnd).count(&a, &b); got != want {
			t.Errorf("round %d: got %d records of %d in common with %d, want %d", round, got, len(short), len(inLong),
				want)
		}
	}
}

// drawnRecords draws records of three chunks, ascending, each once.
func drawnRecords(r *rand.Rand, n int) []uint64 {
	records := make([]uint64, n)
	for i := range records {
		records[i] = r.Uint64N(3 << 16)
	}
	slices.Sort(records)
	return slices.Compact(records)
}

// TestOverlayAndAsksForOnePieceOfMemory: all chunks are prefetched as one piece of memory, except
// dense ones.
func TestOverlayAndAsksForOnePieceOfMemory(t *testing.T) {
	pieces := func(records int) int { return (delta.LowBytes*records + askedAtOnce - 1) / askedAtOnce }
	for _, c := range []struct{ chunks, each, dense, want int }{{10, 100, 0, pieces(1000)}, {1, 1000, 0, pieces(1000)},
		{10, 100, 3 * delta.DenseFrom, 2 * pieces(500)}} {
		var entries []delta.Entry
		for key := range uint64(c.chunks) {
			n := c.each
			if key == uint64(c.chunks)/2 && c.dense > 0 {
				for x := range uint64(c.dense) {
					entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: key<<16 | x, Set: true}))
				}
				key += uint64(c.chunks) // and its own records behind all others
			}
			for x := range uint64(n) {
				entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: key<<16 | x, Set: true}))
			}
		}
		entries, _ = delta.SortEntries(entries, nil)
		l := List{Much: (delta.Levels{Field: someField, All: []*delta.Level{delta.NewLevel(entries)}}).AppendRuns(nil,
			7)}
		m := new(overlayAnd)
		if m.ask(&l); len(m.ahead) != c.want {
			t.Errorf("%d chunks of %d, %d records of one that is dense: got %d pieces asked for, want %d", c.chunks,
				c.each, c.dense, len(m.ahead), c.want)
		}
	}
}

// TestOverlayAndLetsGoOfLongLists: what long lists needed is not kept.
func TestOverlayAndLetsGoOfLongLists(t *testing.T) {
	var packed, few pack.Builder
	for x := range uint64(60 << 16) {
		if x%20 == 7 {
			packed.Append(x)
		}
		if x%180 == 7 {
			few.Append(x)
		}
	}
	var a, b List
	a.AddPiece(mutable.NewBitmap(&few, pack.Fastest).View(), 0)
	b.AddPiece(mutable.NewBitmap(&packed, pack.Smallest).View(), 0)
	m := new(overlayAnd)
	if got, want := m.count(&a, &b), pair.AndLen(a.First, b.First); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	m.asked = make([]uint64, 0, delta.KeptEntries+1)
	if m.count(&a, &b); cap(m.asked) > delta.KeptEntries {
		t.Errorf("got room for %d records kept, want at most %d", cap(m.asked), delta.KeptEntries)
	}
	var entries []delta.Entry
	for x := range uint64(1000) {
		entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: x, Set: true}))
	}
	heavy := List{Much: (delta.Levels{Field: someField, All: []*delta.Level{delta.NewLevel(entries)}}).AppendRuns(nil,
		7)}
	if m.ask(&heavy); len(m.ahead) == 0 || slices.ContainsFunc(m.ahead, func(b []byte) bool { return b != nil }) {
		t.Errorf("got %d pieces asked for, want some, and none kept", len(m.ahead))
	}
	for _, side := range []*andSide{&m.a, &m.b} {
		l := List{Edits: make([]model.Edit, delta.KeptEntries+1)}
		for i := range l.Edits {
			l.Edits[i] = model.Edit{Row: 7, Record: uint64(i), Set: true}
		}
		side.reset(&l)
		if len(side.sources) != 1 || len(side.light) != len(l.Edits) {
			t.Fatalf("got %d entries in %d parts: this tests nothing", len(side.light), len(side.sources))
		}
		if side.release(); side.light != nil || cap(side.sources) > 0 && side.sources[:1][0].entries != nil ||
			side.pages.list != nil {
			t.Errorf("got room for %d entries, or a list, kept", cap(side.light))
		}
	}
}

// TestAndLenOfDamaged: no count exceeds the length of the shorter list, even if damaged pages
// contradict themselves.
func TestAndLenOfDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	opened := 0
	for round := range 1500 {
		var whole [2]List
		for i := range whole {
			whole[i], _ = drawnWithEdits(r, 0, 1, []int{0, 30, 300, 3000}[r.IntN(4)],
				[]int{0, 9, 100, 300, 2000}[r.IntN(5)], r.IntN(2) == 0)
		}
		for range 8 {
			lists := whole
			for i := range lists {
				body := slices.Clone(lists[i].First.Body())
				for range min(r.IntN(4), len(body)) {
					body[r.IntN(min(len(body), 40<<(4*r.IntN(2))))] = byte(r.Uint64())
				}
				if v, err := view.OpenBody(body); err == nil {
					lists[i].First = v
					opened++
				}
			}
			a, b := &lists[0], &lists[1]
			if n, ok := AndLen(a, b); ok && n > min(a.AtMost(), b.AtMost()) {
				t.Fatalf("round %d: got %d of lists of at most %d and %d", round, n, a.AtMost(), b.AtMost())
			}
		}
	}
	if opened < 1000 {
		t.Errorf("got %d lists, want more", opened)
	}
}
