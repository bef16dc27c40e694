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
)

// drawnWithEdits returns a list and its records. The list has pieces of three containers each, and
// edits in runs or not. Two lists of the same spread have many records in common.
func drawnWithEdits(r *rand.Rand, first uint64, pieces, records, edits int, layered bool) (l List,
	want map[uint64]bool) {
	const width = 3 << 16
	want = map[uint64]bool{}
	var base []uint64
	for i := range pieces {
		var b pack.Builder
		some := make([]uint64, records/pieces)
		for k := range some {
			some[k] = first + uint64(i)*width + r.Uint64N(1<<12)*r.Uint64N(48)
		}
		slices.Sort(some)
		for _, x := range slices.Compact(some) {
			b.Append(x)
			base, want[x] = append(base, x), true
		}
		l.AddPiece(mutable.NewBitmap(&b, []pack.Layout{pack.Fastest, pack.Smallest}[r.IntN(2)]).View(),
			first>>16+uint64(i)*3)
	}
	ts := delta.Levels{Field: someField}
	for left := edits; left > 0; {
		n := 1 + r.IntN(left)
		left -= n
		entries := make([]delta.Entry, n)
		for i := range entries {
			e := model.Edit{Field: someField, Row: 7, Record: first + uint64(r.IntN(pieces))*width +
				r.Uint64N(1<<12)*r.Uint64N(48), Set: r.IntN(2) == 0}
			if len(base) > 0 && r.IntN(2) == 0 {
				e.Record = base[r.IntN(len(base))]
				if r.IntN(2) == 0 { // again and again, so that newer runs say something of what older ones do
					e.Record = base[r.IntN(min(4, len(base)))]
				}
			}
			entries[i] = delta.EntryOf(e)
		}
		entries, _ = delta.SortEntries(entries, nil)
		for _, m := range entries {
			if delete(want, m.Record>>1); m.Record&1 != 0 {
				want[m.Record>>1] = true
			}
		}
		ts.All = append(ts.All, delta.NewLevel(entries)) // as in a delta, except for their sizes
	}
	if l.Much = ts.AppendRuns(nil, 7); !layered {
		l.Edits, l.Much = delta.AppendRunEdits(nil, someField, l.Much), nil
	}
	return l, want
}

// TestAndLen: each way of counting what two lists have in common is exact, of lists in one
// piece and in several, with edits in runs and merged, with few and with many of each.
func TestAndLen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 504))
	counted := 0
	for round := range 300 {
		first := uint64(0)
		if round%5 == 0 {
			first = model.MaxID + 1 - 9<<16 // the last containers that there can be
		}
		draw := func() (List, map[uint64]bool) {
			return drawnWithEdits(r, first, 1+r.IntN(3), []int{0, 1, 30, 300, 3000}[r.IntN(5)],
				[]int{0, 1, 9, 100, 700, 5000}[r.IntN(6)], r.IntN(2) == 0)
		}
		a, ofA := draw()
		b, ofB := draw()
		want := uint64(0)
		for x := range ofA {
			if ofB[x] {
				want++
			}
		}
		if got := OverlayAndLen(&a, &b); got != want {
			t.Fatalf("chunk by chunk: got %d, want %d", got, want)
		}
		if got := ProbeLen(&a, &b); got != want {
			t.Fatalf("by probes: got %d, want %d", got, want)
		}
		if got, ok := AndLen(&a, &b); ok && got != want {
			t.Fatalf("got %d, want %d", got, want)
		} else if ok {
			counted++
		}
		masked := b
		masked.Mask = pair.Of(first).View()
		if _, ok := AndLen(&a, &masked); ok {
			t.Fatal("got a number of a list of which something was deleted, want none: masks are not looked at")
		}
		if _, ok := AndLen(&masked, &a); ok {
			t.Fatal("got a number of a list of which something was deleted, want none: masks are not looked at")
		}
	}
	if counted < 150 {
		t.Errorf("got %d of 300 pairs counted, want most", counted)
	}
}

// someField is the field of lists whose field does not matter.
const someField uint32 = 4
