// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestCountPastTheCache counts over columns that are read past the cache, page after page into one
// buffer: what waits is counted before the buffer has another page.
func TestCountPastTheCache(t *testing.T) {
	ix := open(t, memstore.New(), columnConfig(t))
	defer ix.Close()
	const records, rows = 6_000, 500
	r := rand.New(rand.NewPCG(14, 505))
	want := map[uint32]map[uint64]uint32{tags: {}, terms: {}}
	for from := uint64(0); from < records; from += 1000 {
		var b Batch
		for record := from; record < from+1000; record++ {
			b.Set(model.Exists, model.ID(0), model.ID(record))
			for field, counts := range want {
				row := r.Uint64N(rows) // later records have others, so that no page is like another one
				for range 20 {
					row += 1 + r.Uint64N(rows/10) + record/100
					b.Set(field, model.ID(row), model.ID(record))
					counts[row]++
				}
			}
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var set mutable.Bitmap
	set.AddRange(0, records-1)
	for field, want := range want {
		c, err := snap.RowCounter(t.Context(), field)
		if err != nil {
			t.Fatal(err)
		}
		c.Caches = false
		if len(c.Refs) < 3 {
			t.Fatalf("field %d has %d pages: this tests too little", field, len(c.Refs))
		}
		var scratch container.Scratch
		for cursor := set.View().Cursor(&scratch); cursor.Next(); {
			if err := c.Add(cursor.Block(), 0, math.MaxUint64); err != nil {
				t.Fatal(err)
			}
		}
		counts, err := c.Counts()
		if err != nil {
			t.Fatal(err)
		}
		if c.Buffer == nil {
			t.Fatalf("field %d: no page was read past the cache: this tests nothing", field)
		}
		for row, n := range counts {
			if n != want[uint64(row)] {
				t.Fatalf("field %d, row %d: got %d records, want %d", field, row, n, want[uint64(row)])
			}
		}
		for row := range want {
			if row >= uint64(len(counts)) {
				t.Fatalf("field %d: row %d was not counted", field, row)
			}
		}
		c.Close()
	}
}
