// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// saidOf is what a delta says of each record of each row, the plain way.
type saidOf map[model.Edit]bool

func (s saidOf) put(e model.Edit) {
	set := e.Set
	e.Set = false
	s[e] = set
}

func (s saidOf) forget(e model.Edit) {
	e.Set = false
	delete(s, e)
}

// row returns the edits of a row, ascending.
func (s saidOf) row(field uint32, row uint64) (edits []model.Edit) {
	for e, set := range s {
		if e.Field == field && e.Row == row {
			e.Set = set
			edits = append(edits, e)
		}
	}
	slices.SortFunc(edits, model.CompareEdits)
	return edits
}

// compare fails where a delta says something else.
func (s saidOf) compare(t *testing.T, d *delta.Table, fields []uint32, rows uint64) {
	t.Helper()
	for _, field := range fields {
		want := make(map[uint64][]model.Edit)
		for e, set := range s {
			if e.Field == field {
				e.Set = set
				want[e.Row] = append(want[e.Row], e)
			}
		}
		var all []model.Edit
		for row := range rows {
			slices.SortFunc(want[row], model.CompareEdits)
			all = append(all, want[row]...)
			if got := d.AppendEdits(nil, field, row); !slices.Equal(got, want[row]) {
				t.Fatalf("field %d, row %d: got %v, want %v", field, row, got, want[row])
			}
		}
		if got := d.Of(field).Walk(0).AppendTo(nil, field); !slices.Equal(got, all) {
			t.Fatalf("field %d: got a walk over %d edits, want %d", field, len(got), len(all))
		}
		from := rows / 2
		at, _ := slices.BinarySearchFunc(all, from, func(e model.Edit, row uint64) int { return int(e.Row) - int(row) })
		w := d.Of(field).Walk(0)
		if w.Seek(from); !slices.Equal(w.AppendTo(nil, field), all[at:]) {
			t.Fatalf("field %d: got a walk from row %d on that is not the rest of one over all", field, from)
		}
	}
}

// TestTiers: a delta says what was put last, through every copy that was published, while its tiers
// stay few.
func TestTiers(t *testing.T) {
	const rows, records = 200, 400
	fields := []uint32{4, 8, 12}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 91))
		d, want := delta.New(nil), saidOf{}
		type published struct {
			d    *delta.Table
			want saidOf
		}
		var copies []published
		for range 300 {
			for range 1 + r.IntN(1<<r.IntN(11)) {
				e := model.Edit{Field: fields[r.IntN(len(fields))], Row: r.Uint64N(rows), Record: r.Uint64N(records),
					Set: r.IntN(3) > 0}
				if r.IntN(4) == 0 {
					e.Row = 7 // has much
				}
				if r.IntN(20) == 0 {
					d.Forget(e)
					want.forget(e)
				} else {
					d.Put(e)
					want.put(e)
				}
			}
			p := d.Publish()
			if r.IntN(60) == 0 {
				copies = append(copies, published{p, maps.Clone(want)})
			}
			for range 20 {
				e := model.Edit{Field: fields[r.IntN(len(fields))], Row: r.Uint64N(rows), Record: r.Uint64N(records)}
				wantSet, wantOK := want[e]
				if set, ok := p.Edited(e.Field, e.Row, e.Record); ok != wantOK || set != wantSet {
					t.Fatalf("seed %d: %v: got %v, %v, want %v, %v", seed, e, set, ok, wantSet, wantOK)
				}
			}
			row := r.Uint64N(rows)
			if got, want := p.AppendEdits(nil, 4, row), want.row(4, row); !slices.Equal(got, want) {
				t.Fatalf("seed %d: row %d: got %v, want %v", seed, row, got, want)
			}
		}
		copies = append(copies, published{d, want})
		for _, c := range copies {
			c.want.compare(t, c.d, fields, rows)
			one := delta.New(nil)
			for _, ts := range c.d.Edits {
				if ts = ts.Joined(); len(ts.All) > 1 {
					t.Errorf("seed %d: got %d tiers, want all in one", seed, len(ts.All))
				}
				one.Edits = append(one.Edits, ts)
			}
			c.want.compare(t, one, fields, rows)
		}
		for _, ts := range d.Edits {
			if most := delta.Class(ts.Len()) + 1; len(ts.All) > most {
				t.Errorf("seed %d: got %d tiers of %d edits, want at most %d", seed, len(ts.All), ts.Len(), most)
			}
		}
	}
}

// TestCompactFrozen freezes a delta of many tiers: those of a field become one for readers that
// come, those who are there keep theirs, all see the same, and memory is counted as it was. A flush
// that is given up before leaves the tiers as they are.
func TestCompactFrozen(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	defer ix.Close()
	const rows = 300
	r := rand.New(rand.NewPCG(2, 91))
	for i := range 200 {
		var b Batch
		for range 1 + r.IntN(1<<r.IntN(10)) {
			row, record := model.ID(r.Uint64N(rows)), model.ID(r.Uint64N(1000))
			if r.IntN(4) > 0 {
				b.Set(follows, row, record)
			} else {
				b.Clear(follows, row, record)
			}
		}
		if i == 150 {
			b.Empty(follows, model.ID(7))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	st, _, err := ix.flusher.freeze()
	if err != nil {
		t.Fatal(err)
	}
	seen := func(s reader.Snapshot) (all []uint64) {
		t.Helper()
		var l overlay.List
		for row := range uint64(rows) {
			if err := s.List(follows, row, &l); err != nil {
				t.Fatal(err)
			}
			all = append(append(all, row, l.Len()), recordsOf(&l)...)
		}
		return all
	}
	before := ix.Snapshot()
	defer before.Close()
	want := seen(before)
	if len(want) < 10*rows {
		t.Fatalf("got %d numbers of %d rows, want rows of many records", len(want), rows)
	}
	if n := len(st.Frozen.Of(follows).All); n < 2 {
		t.Fatalf("got %d tiers before, want several", n)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if same := ix.flusher.compactFrozen(given, st.Frozen); same != st.Frozen {
		t.Error("got another delta though it was given up")
	}
	merges := ix.Memory.Usage().Merges
	compacted := ix.flusher.compactFrozen(t.Context(), st.Frozen)
	if use := ix.Memory.Usage(); use.Merges != merges || use.Deltas < compacted.Bytes {
		t.Errorf("got %d bytes for merges and %d for deltas afterwards, want %d, and the %d of the delta", use.Merges,
			use.Deltas, merges, compacted.Bytes)
	}
	if compacted.Bytes > st.Frozen.Bytes+st.Frozen.Bytes/4 { // rows have more marks in one tier, and more of an index
		t.Errorf("got a delta of %d bytes, which were %d", compacted.Bytes, st.Frozen.Bytes)
	}
	after := ix.Snapshot()
	defer after.Close()
	if after.St.Frozen != compacted {
		t.Error("readers that come look into the delta as it was")
	}
	for _, ts := range compacted.Edits {
		if len(ts.All) > 1 {
			t.Errorf("field %d: got %d tiers, want one", ts.Field, len(ts.All))
		}
	}
	for _, s := range []reader.Snapshot{before, after} {
		if got := seen(s); !slices.Equal(got, want) {
			t.Error("the lists differ after the tiers were joined")
		}
	}
	if again := ix.flusher.compactFrozen(t.Context(), compacted); again != compacted {
		t.Error("got another delta though there was nothing to do")
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	flushed := ix.Snapshot()
	defer flushed.Close()
	if got := seen(flushed); flushed.St.Frozen != nil || !slices.Equal(got, want) {
		t.Error("the lists differ after the flush")
	}
}

// TestTiersOfGreatestIDs: the bits that marks add take nothing from IDs.
func TestTiersOfGreatestIDs(t *testing.T) {
	d := delta.New(nil)
	edits := []model.Edit{{Field: 4, Row: model.MaxID - 1, Record: model.MaxID, Set: true},
		{Field: 4, Row: model.MaxID, Record: 0},
		{Field: 4, Row: model.MaxID, Record: model.MaxID, Set: true}}
	for _, e := range slices.Backward(edits) {
		d.Put(e)
	}
	d.Arrange()
	if got := d.Of(4).Walk(0).AppendTo(nil, 4); !slices.Equal(got, edits) {
		t.Errorf("got %v, want %v", got, edits)
	}
	for _, e := range edits {
		if set, ok := d.Edited(4, e.Row, e.Record); !ok || set != e.Set {
			t.Errorf("%v: got %v, %v", e, set, ok)
		}
	}
	if got := d.AppendEdits(nil, 4, model.MaxID); !slices.Equal(got, edits[1:]) {
		t.Errorf("the last row: got %v, want %v", got, edits[1:])
	}
}

// TestFilter: a filter knows all numbers that it was given, and few others.
func TestFilter(t *testing.T) {
	for _, gap := range []uint64{1, 3, 1 << 16, 1 << 40} {
		const n = 10_000
		f := make(delta.Filter, delta.FilterWords(n))
		for i := range uint64(n) {
			f.Add(delta.FilterHash(i * gap))
		}
		others := 0
		for i := range uint64(n) {
			if !f.MayHave(delta.FilterHash(i * gap)) {
				t.Fatalf("got %d left out", i*gap)
			}
			if f.MayHave(delta.FilterHash((n + i) * gap)) {
				others++
			}
		}
		if others > n/8 {
			t.Errorf("numbers %d apart: got %d of %d others, want at most an eighth", gap, others, n)
		}
	}
}

// TestFlushOfManyEdits: a flush takes the edits out of the delta in portions, and pages are the
// same as of all at once.
func TestFlushOfManyEdits(t *testing.T) {
	for name, rows := range map[string]uint64{"many rows": 1 << 13, "few rows": 5, "one row": 1} {
		t.Run(name, func(t *testing.T) {
			ix := open(t, memstore.New(), testConfig(t, 64<<20))
			defer ix.Close()
			r, want := rand.New(rand.NewPCG(rows, 92)), saidOf{}
			for round := range 3 {
				for range 3 {
					var b Batch
					for range merge.MergeWindow {
						row, record, set := r.Uint64N(rows), r.Uint64N(1<<17), r.IntN(round+2) > 0
						if want.put(model.Edit{Row: row, Record: record, Set: set}); set {
							b.Set(country, model.ID(row), model.ID(record))
						} else {
							b.Clear(country, model.ID(row), model.ID(record))
						}
					}
					if _, err := ix.Commit(t.Context(), &b); err != nil {
						t.Fatal(err)
					}
				}
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			lists := make([][]uint64, rows)
			for e, set := range want {
				if set {
					lists[e.Row] = append(lists[e.Row], e.Record)
				}
			}
			snap := ix.Snapshot()
			defer snap.Close()
			var l overlay.List
			for row := range rows {
				if err := snap.List(country, row, &l); err != nil {
					t.Fatal(err)
				}
				if slices.Sort(lists[row]); fmt.Sprint(recordsOf(&l)) != fmt.Sprint(lists[row]) {
					t.Fatalf("row %d: got %d records, want %d", row, l.Len(), len(lists[row]))
				}
			}
			if stats, err := ix.Stats(); err != nil || stats.DeltaEdits != 0 {
				t.Errorf("got %d edits (%v) after a flush, want none", stats.DeltaEdits, err)
			}
		})
	}
}
