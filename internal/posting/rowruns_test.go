// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/store/memstore"
)

// layered makes a snapshot whose deltas have many edits, in many levels, for some rows of a field.
// The edits lie above what pages have. It returns what each row has.
func layered(t *testing.T, r *rand.Rand, ix *Index, field uint32, sizes []int, spread uint64,
	frozen bool) (reader.Snapshot,
	[]map[uint64]bool) {
	t.Helper()
	want := make([]map[uint64]bool, len(sizes))
	var b Batch
	for row, n := range sizes {
		want[row] = map[uint64]bool{}
		for range n {
			x := r.Uint64N(spread)
			want[row][x] = true
			b.Set(field, model.ID(uint64(row)), model.ID(x))
		}
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	st := *ix.source.State.Load()
	deltas := []*delta.Table{delta.New(nil), delta.New(nil)}
	for i, d := range deltas {
		if i == 0 && !frozen {
			continue
		}
		for round := range 40 {
			for row, n := range sizes {
				for range r.IntN(n/(10<<(round/8)) + 2) { // fewer and fewer, so that there are levels of all sizes
					x, set := r.Uint64N(spread), r.IntN(2) == 0
					if r.IntN(2) == 0 {
						for x = range want[row] {
							break
						}
					}
					d.Put(model.Edit{Field: field, Row: uint64(row), Record: x, Set: set})
					if delete(want[row], x); set {
						want[row][x] = true
					}
				}
			}
			d.Arrange()
		}
	}
	if st.Active = deltas[1].Publish(); frozen {
		st.Frozen = deltas[0].Publish()
	}
	return reader.Snapshot{St: &st}, want
}

// TestRowRunsSayTheSame reads lists with many edits in deltas, which no reader merges as a whole.
// They equal merged lists in every read, in intersections with each other and with short lists.
func TestRowRunsSayTheSame(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 501))
			ix := open(t, memstore.New(), testConfig(t, 64<<20))
			defer ix.Close()
			sizes := []int{0, 3, 20, 20, 400, 3000, 6000}
			spread := uint64(1) << (13 + r.IntN(12))
			snap, want := layered(t, r, ix, country, sizes, spread, seed%2 == 0)
			lists := make([]overlay.List, len(sizes))
			much := 0
			for row := range lists {
				l := &lists[row]
				if err := snap.List(country, uint64(row), l); err != nil {
					t.Fatal(err)
				}
				if much += len(l.Much); len(l.Much) > 0 && len(l.Edits) > 0 {
					t.Fatalf("row %d: got %d runs and %d edits, want one of them", row, len(l.Much), len(l.Edits))
				}
				checkLayered(t, r, l, want[row], spread)
			}
			if much < 6 {
				t.Fatalf("got %d runs in all, want many", much)
			}
			counted := 0
			for i := range lists {
				for k := range lists {
					both := 0
					for x := range want[i] {
						if want[k][x] {
							both++
						}
					}
					if n, ok := overlay.AndLen(&lists[i], &lists[k]); ok {
						if counted++; n != uint64(both) {
							t.Errorf("rows %d and %d: got %d common records, want %d", i, k, n, both)
						}
					}
					// Each way is exact for lists for which another one is taken, too.
					if n := overlay.OverlayAndLen(&lists[i], &lists[k]); n != uint64(both) {
						t.Errorf("rows %d and %d, chunk by chunk: got %d common records, want %d", i, k, n, both)
					}
					if n := overlay.ProbeLen(&lists[i], &lists[k]); n != uint64(both) {
						t.Errorf("rows %d and %d, by probes: got %d common records, want %d", i, k, n, both)
					}
				}
			}
			if n, ok := overlay.AndLen(&lists[1], &lists[6]); !ok {
				t.Errorf("a list of %d records with one of many edits: got %d, not counted", lists[1].Len(), n)
			}
			if counted < 10 {
				t.Errorf("got %d pairs that were counted, want more", counted)
			}
		})
	}
}

// checkLayered compares what a list says with a set.
func checkLayered(t *testing.T, r *rand.Rand, l *overlay.List, want map[uint64]bool, spread uint64) {
	t.Helper()
	if got := l.Len(); got != uint64(len(want)) || l.AtMost() < got {
		t.Fatalf("got %d records, at most %d, want %d", got, l.AtMost(), len(want))
	}
	ids := slices.Sorted(maps.Keys(want))
	if most, ok := l.Max(); len(ids) > 0 && (!ok || most < ids[len(ids)-1]) {
		t.Fatalf("got %d as a bound, want at least %d", most, ids[len(ids)-1])
	}
	for range 300 {
		if x := r.Uint64N(spread); l.Contains(x) != want[x] {
			t.Fatalf("record %d: got %v, want %v", x, !want[x], want[x])
		}
	}
	var c overlay.Cursor
	for range 2 { // a cursor is used again
		c.Reset(l)
		var got []uint64
		for ok := c.Seek(0); ok; ok = c.Next() {
			n := len(got)
			if got = c.Block().AppendTo(got); c.BlockLen() != len(got)-n {
				t.Fatalf("container %d: got %d records, and %d of them", c.Key(), c.BlockLen(), len(got)-n)
			}
		}
		if !slices.Equal(got, ids) {
			t.Fatalf("a walk: got %d records, want %d, or others", len(got), len(ids))
		}
		c.Release()
	}
	c.Reset(l)
	from := r.Uint64N(spread) >> 16
	for ok := c.Seek(from); ok; ok = c.Seek(c.Key() + 1 + r.Uint64N(2)) {
		first, _ := slices.BinarySearch(ids, c.Key()<<16)
		next, _ := slices.BinarySearch(ids, (c.Key()+1)<<16)
		if got := c.Block().AppendTo(nil); c.Key() < from || !slices.Equal(got, ids[first:next]) {
			t.Fatalf("a walk from %d on: got %d records in container %d, want %d, or others", from, len(got), c.Key(),
				next-first)
		}
	}
	var some pack.Builder
	n := uint64(0)
	for x := r.Uint64N(30); x < spread; x += 1 + r.Uint64N(1+spread/200) {
		if some.Append(x); want[x] {
			n++
		}
	}
	set := mutable.NewBitmap(&some, pack.Smallest).View()
	if got := l.AndLen(set); got != n {
		t.Fatalf("within a set: got %d records, want %d", got, n)
	}
	if got := l.And(set, &c); got.Len() != n {
		t.Fatalf("within a set: got %d records listed, want %d", got.Len(), n)
	}
}

// raceEnabled is set by a file with a build tag: the race detector makes sync.Pool drop values at
// random.
var raceEnabled = false

// TestRowRunsAllocateNothing: what a short list has in common with one of many edits is counted
// without allocating.
func TestRowRunsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 502))
	config := testConfig(t, 64<<20)
	config.unmerged = true
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	snap, _ := layered(t, r, ix, country, []int{3, 200, 6000}, 1<<20, true)
	var a, b, c overlay.List
	ask := func() {
		for row, l := range []*overlay.List{&a, &b, &c} {
			if err := snap.List(country, uint64(row), l); err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range []*overlay.List{&a, &b} {
			if _, ok := overlay.AndLen(l, &c); !ok || len(b.Much) == 0 || len(c.Much) == 0 {
				t.Fatalf("got %d and %d runs, counted %v", len(b.Much), len(c.Much), ok)
			}
		}
	}
	ask()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if n := testing.AllocsPerRun(50, ask); n >= 1 && !raceEnabled {
		t.Errorf("got %v allocations, want none", n)
	}
}
