// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// saidOf is what a delta says of each record of each row, the plain way.
type saidOf map[model.Edit]bool

func (s saidOf) put(e model.Edit) {
	set := e.Set
	e.Set = false
	s[e] = set
}

func (s saidOf) rollback(e model.Edit) {
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
func (s saidOf) compare(t *testing.T, d *Table, fields []uint32, rows uint64) {
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

// TestDeltaSaysWhatWasPutLast: a delta says what was put last, through every copy that was
// published, while its levels stay few.
func TestDeltaSaysWhatWasPutLast(t *testing.T) {
	const rows, records = 200, 400
	fields := []uint32{4, 8, 12}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 91))
		d, want := New(nil), saidOf{}
		type published struct {
			d    *Table
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
					d.rollback(e)
					want.rollback(e)
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
			one := New(nil)
			for _, ts := range c.d.Edits {
				if ts = ts.Joined(); len(ts.All) > 1 {
					t.Errorf("seed %d: got %d levels, want all in one", seed, len(ts.All))
				}
				one.Edits = append(one.Edits, ts)
			}
			c.want.compare(t, one, fields, rows)
		}
		for _, ts := range d.Edits {
			if most := class(ts.len()) + 1; len(ts.All) > most {
				t.Errorf("seed %d: got %d levels of %d edits, want at most %d", seed, len(ts.All), ts.len(), most)
			}
		}
	}
}

// TestLevelsKeepGreatestIDs: the bits that entries add take nothing from IDs.
func TestLevelsKeepGreatestIDs(t *testing.T) {
	d := New(nil)
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
		f := make(Filter, filterWords(n))
		for i := range uint64(n) {
			f.add(FilterHash(i * gap))
		}
		others := 0
		for i := range uint64(n) {
			if !f.mayHave(FilterHash(i * gap)) {
				t.Fatalf("got %d left out", i*gap)
			}
			if f.mayHave(FilterHash((n + i) * gap)) {
				others++
			}
		}
		if others > n/8 {
			t.Errorf("numbers %d apart: got %d of %d others, want at most an eighth", gap, others, n)
		}
	}
}
