// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestWarmPages: a flush leaves those pages in the cache that readers had there, as they have
// become, and no others.
func TestWarmPages(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 8<<20))
	defer ix.Close()
	const rows = 4000
	write := func() {
		t.Helper()
		var b Batch
		for row := range uint64(rows) {
			for i := range uint64(8) {
				b.Set(country, model.ID(row), model.ID(row*31+ix.writer.sequence*1000+i*i))
			}
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	misses := func(row uint64) uint64 {
		t.Helper()
		before := ix.source.Misses.Load()
		snap := ix.Snapshot()
		defer snap.Close()
		var l overlay.List
		if err := snap.List(country, row, &l); err != nil || l.Len() == 0 {
			t.Fatalf("row %d: got %d records, %v", row, l.Len(), err)
		}
		return ix.source.Misses.Load() - before
	}
	write()
	if n := misses(7); n != 1 {
		t.Fatalf("the first read of a page: got %d misses, want 1", n)
	}
	for range 3 {
		write()
		if n := misses(7); n != 0 {
			t.Errorf("a page that was in the cache before the flush: got %d misses, want none", n)
		}
	}
	if n := misses(rows - 1); n != 1 {
		t.Errorf("a page that nobody has read: got %d misses, want 1", n)
	}
}
