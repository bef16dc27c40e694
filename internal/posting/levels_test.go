// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestCompactFrozen freezes a delta of many levels. New readers see one level for each field, and
// earlier readers keep theirs. All see the same, and the memory counted does not change. A flush
// that is given up before leaves the levels as they are.
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
		t.Fatalf("got %d levels before, want several", n)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if same := ix.flusher.compactFrozen(given, st.Frozen); same != st.Frozen {
		t.Error("got another delta though it was given up")
	}
	merges := ix.source.Memory.Usage().Merges
	compacted := ix.flusher.compactFrozen(t.Context(), st.Frozen)
	if use := ix.source.Memory.Usage(); use.Merges != merges || use.Deltas < compacted.Bytes {
		t.Errorf("got %d bytes for merges and %d for deltas afterwards, want %d, and the %d of the delta", use.Merges,
			use.Deltas, merges, compacted.Bytes)
	}
	if compacted.Bytes > st.Frozen.Bytes+st.Frozen.Bytes/4 { // rows have more entries in one level
		t.Errorf("got a delta of %d bytes, which were %d", compacted.Bytes, st.Frozen.Bytes)
	}
	after := ix.Snapshot()
	defer after.Close()
	if after.St.Frozen != compacted {
		t.Error("readers that come look into the delta as it was")
	}
	for _, ts := range compacted.Edits {
		if len(ts.All) > 1 {
			t.Errorf("field %d: got %d levels, want one", ts.Field, len(ts.All))
		}
	}
	for _, s := range []reader.Snapshot{before, after} {
		if got := seen(s); !slices.Equal(got, want) {
			t.Error("the lists differ after the levels were merged")
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

// TestFlushOfManyEdits: a flush takes the edits out of the delta in portions, and pages are the
// same as of all at once.
func TestFlushOfManyEdits(t *testing.T) {
	for name, rows := range map[string]uint64{"many rows": 1 << 13, "few rows": 5, "one row": 1} {
		t.Run(name, func(t *testing.T) {
			ix := open(t, memstore.New(), testConfig(t, 64<<20))
			defer ix.Close()
			r, want := rand.New(rand.NewPCG(rows, 92)), map[model.Edit]bool{}
			for round := range 3 {
				for range 3 {
					var b Batch
					for range merge.MergeWindow {
						row, record, set := r.Uint64N(rows), r.Uint64N(1<<17), r.IntN(round+2) > 0
						if want[model.Edit{Row: row, Record: record}] = set; set {
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
