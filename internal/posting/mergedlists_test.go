// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestMergedLists: a list with edits that is read often is merged once for all readers of its
// state, says the same, and is overlaid anew after the next commit; the memory is counted, and
// given back.
func TestMergedLists(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 35))
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	plain := make(map[uint64]bool)
	commit := func(edits int) {
		var b Batch
		for range edits {
			record := r.Uint64N(1 << 20)
			if plain[record] = r.IntN(3) > 0; plain[record] {
				b.Set(country, model.ID(0), model.ID(record))
			} else {
				b.Clear(country, model.ID(0), model.ID(record))
			}
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	commit(3000)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	held := ix.source.Memory.Usage().Indexes
	for _, edits := range []int{1, 200, 5000} {
		commit(edits)
		snap := ix.Snapshot()
		var l overlay.List
		for asked := 1; ; asked++ {
			if err := snap.List(country, 0, &l); err != nil {
				t.Fatal(err)
			}
			check(t, &l, plain)
			if l.Pending() == 0 {
				break
			}
			if asked == 20 {
				t.Fatalf("%d edits: asked %d times, and the list is still overlaid with %d", edits, asked, l.Pending())
			}
		}
		var again overlay.List
		if err := snap.List(country, 0, &again); err != nil {
			t.Fatal(err)
		}
		if &again.First.Body()[0] != &l.First.Body()[0] {
			t.Errorf("%d edits: got another bitmap, want the one that is there", edits)
		}
		if use := ix.source.Memory.Usage().Indexes; use <= held {
			t.Errorf("%d edits: got %d bytes counted, want more than the %d without the list", edits, use, held)
		}
		before := len(recordsOf(&l))
		commit(1)
		if use := ix.source.Memory.Usage().Indexes; use != held {
			t.Errorf("%d edits: got %d bytes counted after a commit, want %d", edits, use, held)
		}
		if err := snap.List(country, 0, &again); err != nil || len(recordsOf(&again)) != before {
			t.Errorf("%d edits: the snapshot has %d records, %v, want the %d of before", edits, len(recordsOf(&again)),
				err, before)
		}
		snap.Close()
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, l *overlay.List, plain map[uint64]bool) {
	t.Helper()
	got := make(map[uint64]bool)
	for _, record := range recordsOf(l) {
		got[record] = true
	}
	for record, in := range plain {
		if got[record] != in {
			t.Fatalf("record %d: got %v, want %v", record, got[record], in)
		}
		delete(got, record)
	}
	if len(got) > 0 {
		t.Fatalf("got %d records that nobody wrote", len(got))
	}
}
