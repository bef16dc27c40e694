// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"fmt"
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

// TestProbe: a list has as many records in common with a longer one as it has, whichever way its
// runs are looked at: through filters, low bits or entries, with records that are set and cut in
// each, and newer runs that say otherwise. A probe that is used again and again remembers no
// low bits of the lists before.
func TestProbe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 701))
	looked := map[probeKind]int{}
	again := new(probe)
	for round := range 200 {
		width := uint64(1+r.IntN(4)) << 16
		draw := func(n int) []uint64 {
			records := make([]uint64, n)
			for i := range records {
				records[i] = r.Uint64N(width)
			}
			slices.Sort(records)
			return slices.Compact(records)
		}
		list := func(records, runs, edits int) (l List, have map[uint64]bool) {
			have = map[uint64]bool{}
			pages := draw(records)
			for _, x := range pages {
				have[x] = true
			}
			half := len(pages) / 2
			// in two pieces, if that is where a chunk begins
			if round%3 == 0 && half > 0 && pages[half]>>16 > pages[half-1]>>16 {
				l.AddPiece(pair.FromSorted(pages[:half]).View(), 0)
				l.AddPiece(pair.FromSorted(pages[half:]).View(), pages[half]>>16)
			} else {
				l.AddPiece(pair.FromSorted(pages).View(), 0)
			}
			var all []*delta.Level
			for range runs {
				var entries []delta.Entry
				for _, x := range draw(1 + r.IntN(edits)) {
					if len(pages) > 0 && r.IntN(3) == 0 {
						x = pages[r.IntN(len(pages))]
					}
					entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(2) == 0}))
				}
				entries, _ = delta.SortEntries(entries, nil)
				for _, m := range entries {
					if delete(have, m.Record>>1); m.Record&1 != 0 {
						have[m.Record>>1] = true
					}
				}
				all = append(all, delta.NewLevel(entries))
			}
			l.Much = delta.Levels{Field: someField, All: all}.AppendRuns(nil, 7)
			return l, have
		}
		a, ofA := list([]int{0, 1, 20, 300, 3000}[round%5], r.IntN(3), 40)
		b, ofB := list(20_000, r.IntN(6), []int{20, 500, 6000}[r.IntN(3)])
		want := uint64(0)
		for x := range ofA {
			if ofB[x] {
				want++
			}
		}
		for i := range b.Much {
			looked[probeKindOf(&b.Much[i], int(a.AtMost()))]++
		}
		if got := ProbeLen(&a, &b); got != want {
			t.Fatalf("round %d: got %d records in common, want %d", round, got, want)
		}
		merged := List{Edits: b.allEdits(), First: b.First, rest: b.rest, from: b.from}
		if got := ProbeLen(&a, &merged); got != want {
			t.Fatalf("round %d, edits that are merged: got %d records in common, want %d", round, got, want)
		}
		for _, l := range []*List{&b, &merged} {
			again.ask(&a, l)
			again.own(&a)
			if got := again.count(l); got != want {
				t.Fatalf("round %d, again: got %d records in common, want %d", round, got, want)
			}
			if i := slices.IndexFunc(again.lows[:], func(b byte) bool { return b != 0 }); i >= 0 {
				t.Fatalf("round %d: got low bits left at %d, want none", round, 8*i)
			}
			if slices.ContainsFunc(again.ahead[:cap(again.ahead)], func(b []byte) bool { return b != nil }) {
				t.Fatalf("round %d: got memory that was asked for kept, want none", round)
			}
		}
	}
	for _, way := range []probeKind{atEntries, atFilter, atLows} {
		if looked[way] < 20 {
			t.Errorf("got %d runs looked at in way %d, want more", looked[way], way)
		}
	}
}

// TestEdited: records are those of a list as entries say that they are, in the memory of the list
// where that is enough.
func TestEdited(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 701))
	for round := range 300 {
		spread := uint64(1 + r.IntN(60))
		have, entries := map[uint64]bool{}, []delta.Entry(nil)
		for range r.IntN(30) {
			have[r.Uint64N(spread)] = true
		}
		records := make([]uint64, 0, r.IntN(80))
		for x := range spread {
			if have[x] {
				records = append(records, x)
			}
			if r.IntN(4) == 0 {
				m := delta.EntryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(2) == 0})
				entries, have[x] = append(entries, m), m.Record&1 != 0
			}
		}
		var want []uint64
		for x := range spread {
			if have[x] {
				want = append(want, x)
			}
		}
		if got := edited(records, entries); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %d, want %d", round, got, want)
		}
	}
}

// TestLooksAt: a run of few entries is gone through; in one of many the filter is asked for few
// records, and for more where many entries would be of none of them; else the low bits are gone
// through, or the entries where chunks have few.
func TestLooksAt(t *testing.T) {
	for _, c := range []struct {
		records, entries, chunks int
		want                     probeKind
	}{{1, delta.HeavyEntries - 1, 1, atEntries}, {10, 1000, 1, atFilter}, {1000, 1000, 1, atLows},
		{5_000, 20_000, 10, atFilter},
		{20_000, 1_000, 10, atLows}, {1000, 1000, 500, atEntries}, {10, 1000, 500, atFilter}, {60, 100, 10, atFilter},
		{100, 100, 10, atLows}} {
		t.Run(fmt.Sprint(c.records, c.entries, c.chunks), func(t *testing.T) {
			var entries []delta.Entry
			for i := range c.entries {
				entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: uint64(i*c.chunks/c.entries)<<16 |
					uint64(i),
					Set: true}))
			}
			for i := range uint64(delta.FilteredFrom) {
				entries = append(entries, delta.EntryOf(model.Edit{Row: 8 + i, Record: i, Set: true}))
			}
			l := delta.Levels{Field: someField, All: []*delta.Level{delta.NewLevel(entries)}}.AppendRuns(nil, 7)
			if len(l) != 1 || len(l[0].Entries) != c.entries {
				t.Fatalf("got %d runs of %d entries, want one of %d", len(l), l.Len(), c.entries)
			}
			if got := probeKindOf(&l[0], c.records); got != c.want {
				t.Errorf("got way %d, want %d", got, c.want)
			}
		})
	}
}

// TestProbePlan: record by record is what is done for a short list beside one of many records and
// edits, and not for lists of one length, nor for a long one in few chunks.
func TestProbePlan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 701))
	for _, c := range []struct {
		short, edits, long int
		want               CountPlan
	}{{30, 1000, 50_000, ByProbes}, {30, 30_000, 50_000, ByProbes}, {100, 200, 5_000, ByProbes},
		{400, 20, 500, ByProbes}, {30, 1, 50_000, ByProbes}, {5_000, 2_000, 50_000, ByChunks}} {
		t.Run(fmt.Sprint(c.short, c.edits, c.long), func(t *testing.T) {
			draw := func(n int) []uint64 {
				records := make([]uint64, n)
				for i := range records {
					records[i] = r.Uint64N(9 << 16)
				}
				slices.Sort(records)
				return slices.Compact(records)
			}
			var a, b List
			a.AddPiece(pair.FromSorted(draw(c.short)).View(), 0)
			b.AddPiece(pair.FromSorted(draw(c.long)).View(), 0)
			var entries []delta.Entry
			for _, x := range draw(c.edits) {
				entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: x, Set: true}))
			}
			b.Much = delta.Levels{Field: someField, All: []*delta.Level{delta.NewLevel(entries)}}.AppendRuns(nil, 7)
			if got := PlanCount(&a, &b); got != c.want {
				t.Errorf("got way %d, want %d", got, c.want)
			}
			if got := PlanCount(&b, &a); got != c.want {
				t.Errorf("the other way round: got way %d, want %d", got, c.want)
			}
		})
	}
}

// TestAndLenIsBounded: what takes longer than a millisecond is left to a walk, which looks at the
// context; and lists of many pieces are not asked for records.
func TestAndLenIsBounded(t *testing.T) {
	ranged := func(from, to uint64) view.View {
		var b mutable.Bitmap
		b.AddRange(from, to-1)
		return b.View()
	}
	var dense, sparse, short List
	dense.AddPiece(ranged(0, 1<<20), 0)
	sparse.AddPiece(pair.FromSorted([]uint64{7, 9 << 16, 400 << 16}).View(), 0)
	short.AddPiece(ranged(0, 1<<18), 0)
	pieces := List{First: dense.First}
	for i := range uint64(maxAndPieces) {
		pieces.AddPiece(ranged((i+1)<<20, (i+2)<<20), (i+1)<<4)
	}
	few := List{First: pieces.First, rest: pieces.rest[:maxAndPieces-1], from: pieces.from[:maxAndPieces-1]}
	edits := []model.Edit{{Row: 7, Record: 5 << 20, Set: true}}
	for _, c := range []struct {
		name string
		a, b List
		want CountPlan
	}{{"a million records", dense, dense, byWalk}, {"a quarter of them", short, dense, ByChunks},
		{"three", sparse, dense, ByProbes}, {"three in few pieces", sparse, few, ByProbes},
		{"three in many pieces", sparse, pieces, ByChunks}} {
		c.b.Edits = edits
		if got := PlanCount(&c.a, &c.b); got != c.want {
			t.Errorf("%s: got way %d, want %d", c.name, got, c.want)
		}
		if n, ok := AndLen(&c.a, &c.b); ok != (c.want != byWalk) || ok && n != uint64(walkedLen(&c.a, &c.b)) {
			t.Errorf("%s: got %d records in common, %t, want %d", c.name, n, ok, walkedLen(&c.a, &c.b))
		}
	}
}

// TestProbeOfDamaged: of a page that has more records than it says, no more are counted than it
// says.
func TestProbeOfDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 701))
	var b pack.Builder
	var entries []delta.Entry
	for x := range uint64(1 << 16) {
		if r.IntN(2) == 0 {
			b.Append(x)
		} else if r.IntN(8) == 0 {
			entries = append(entries, delta.EntryOf(model.Edit{Row: 7, Record: x, Set: true}))
		}
	}
	whole := mutable.NewBitmap(&b, pack.Fastest).View()
	body := slices.Clone(whole.Body())
	body[4], body[5] = 0, 0 // the cardinality of the only container, less one
	v, err := view.OpenBody(body)
	if err != nil || v.Len() != 1 {
		t.Fatalf("got %d records, %v, want a list that says that it has one", v.Len(), err)
	}
	short, long := List{First: v}, List{First: whole, Much: delta.Levels{Field: someField,
		All: []*delta.Level{delta.NewLevel(entries)}}.AppendRuns(nil, 7)}
	if way := PlanCount(&short, &long); way != ByProbes {
		t.Fatalf("got way %d, want %d", way, ByProbes)
	}
	if n, ok := AndLen(&short, &long); !ok || n > 1 {
		t.Errorf("got %d records in common, %t, want one at most", n, ok)
	}
}

// TestProbeLetsGo: what long lists needed is not kept, nor any list.
func TestProbeLetsGo(t *testing.T) {
	m := &probe{records: make([]uint64, 0, delta.KeptEntries+1), heads: [][]delta.Entry{make([]delta.Entry, 1)}[:0],
		looks: make([]probeLook, 1)}
	if m.done(); cap(m.records)+cap(m.looks) > 0 || m.heads[:1][0] != nil {
		t.Errorf("got room for %d records and %d looks kept, and %d entries, want none", cap(m.records), cap(m.looks),
			len(m.heads[:1][0]))
	}
	for i, m := range []*probe{{found: make([]delta.Entry, 0, delta.KeptEntries+1)},
		{looks: make([]probeLook, 0, delta.KeptEntries+1)},
		{merged: [2][]delta.Entry{make([]delta.Entry, 0, delta.KeptEntries+1)}},
		{merged: [2][]delta.Entry{nil, make([]delta.Entry, 0, delta.KeptEntries+1)}}} {
		m.records, m.hashes = make([]uint64, 1), make([]uint64, 1)
		if m.done(); cap(m.records)+cap(m.hashes)+cap(m.found)+cap(m.looks)+cap(m.merged[0])+cap(m.merged[1]) > 0 {
			t.Errorf("case %d: got room kept, want none", i)
		}
	}
	m = &probe{records: make([]uint64, 9)}
	if m.done(); cap(m.records) == 0 {
		t.Error("got no room kept, want that for few records")
	}
	// The low bits of one question are not those of the next one.
	for _, n := range []int{1, 9, 100, 5000} {
		m.records = m.records[:0]
		for x := range n {
			m.records = append(m.records, uint64(x)*13)
		}
		m.noteLows()
		if m.has(0) == 0 || m.has(5) != 0 {
			t.Errorf("%d records: got %d and %d, want the first noted and the other one not", n, m.has(0), m.has(5))
		}
		m.forgetLows()
		if i := slices.IndexFunc(m.lows[:], func(b byte) bool { return b != 0 }); i >= 0 {
			t.Errorf("%d records: got bits left at %d, want none", n, 8*i)
		}
	}
}

// TestBaseAmong: asking a list's pages for many records at once agrees with asking for each. The
// list has pieces and deleted records.
func TestBaseAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 701))
	for round := range 100 {
		var l List
		for i := range 1 + round%4 {
			var b pack.Builder
			for x := range uint64(3 << 16) {
				if r.IntN(50) == 0 {
					b.Append(uint64(i)*3<<16 + x)
				}
			}
			l.AddPiece(mutable.NewBitmap(&b, pack.Fastest).View(), uint64(i)*3)
		}
		if round/4%2 == 1 {
			var b pack.Builder
			for x := uint64(0); x < 12<<16; x += 3 {
				b.Append(x)
			}
			l.Mask = mutable.NewBitmap(&b, pack.Fastest).View()
		}
		var records, want []uint64
		for x := uint64(r.IntN(9)); x < 13<<16; x += 1 + r.Uint64N(200) {
			if records = append(records, x); l.baseContains(x) {
				want = append(want, x)
			}
		}
		if got := l.baseAmong(records); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %d records, want %d, or others", round, len(got), len(want))
		}
	}
}

// walkedLen is what is done where AndLen does not count: a walk over the blocks of both lists.
func walkedLen(x, y *List) (n int) {
	var p, q Cursor
	p.Reset(x)
	q.Reset(y)
	for ok := p.Seek(0) && q.Seek(0); ok; {
		switch {
		case p.Key() < q.Key():
			ok = p.Seek(q.Key())
		case q.Key() < p.Key():
			ok = q.Seek(p.Key())
		default:
			n += p.Block().AndLen(q.Block())
			ok = p.Next() && q.Next()
		}
	}
	p.Release()
	q.Release()
	return n
}
