// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store/memstore"
)

// visitedPage returns a page of a column with the rows of four records.
func visitedPage(t *testing.T, layout model.Column, change func(payload []byte)) (*format.Page, *format.Ref) {
	t.Helper()
	r := &format.Ref{Field: model.ValueField(tags), Generation: 104, Rows: 4}
	data := format.AppendColumnPage(format.ColumnRows{Ends: []uint32{3, 3, 4, 10},
		Rows: []uint64{0, 1, 300, 70_000, 2, 3, 5, 8, 13,
			99_999}}, layout)
	change(data[format.ColumnHeadLen+4*int(data[3]):])
	key := format.AppendPageKey(nil, 1, r)
	seal.Write(key, data)
	p, err := format.OpenPage(r, key, data)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// TestManyVisits visits pages more often than visits wait: each record counts each time.
func TestManyVisits(t *testing.T) {
	for _, layout := range []model.Column{model.FastColumn, model.SmallColumn} {
		p, r := visitedPage(t, layout, func([]byte) {})
		for n := range 3*reader.MostVisits + 2 {
			c := reader.RowCounter{Sums: make([]uint32, 100_000)}
			for range n {
				if err := c.Visit(r, p, []uint16{0, 1, 3}, 0); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(c.FindRows(), c.CountWaiting()); err != nil {
				t.Fatal(err)
			}
			for row, got := range c.Sums {
				want := uint32(0)
				if slices.Contains([]int{0, 1, 300, 2, 3, 5, 8, 13, 99_999}, row) {
					want = uint32(n)
				}
				if got != want {
					t.Fatalf("layout %d, %d visits: got %d records in row %d, want %d", layout, n, got, row, want)
				}
			}
		}
	}
}

// TestVisitsOfDamagedCodes visits pages whose checksums fit and whose codes do not end where they
// should: an error, and not the counts up to there.
func TestVisitsOfDamagedCodes(t *testing.T) {
	damaged := 0
	for at := range 8 {
		for change := 1; change < 256; change++ {
			p, r := visitedPage(t, model.SmallColumn, func(payload []byte) { payload[at] ^= byte(change) })
			lows := []uint16{0, 1, 2, 3}
			if y := (format.Tally{Page: p}); y.Coded(lows) {
				continue
			}
			damaged++
			var c reader.RowCounter
			if err := c.Visit(r, p, lows, 0); err != nil {
				t.Fatal(err)
			}
			if err := c.FindRows(); !errors.Is(err, model.ErrCorrupt) {
				t.Fatalf("byte %d changed by %#x: got %v, want ErrCorrupt", at, change, err)
			}
		}
	}
	if damaged < 20 {
		t.Fatalf("%d pages were damaged: this tests too little", damaged)
	}
}

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
	var set bitmap.Bitmap
	set.AddRange(0, records-1)
	for field, want := range want {
		c, err := snap.RowCounter(t.Context(), field)
		if err != nil {
			t.Fatal(err)
		}
		c.Keep = false
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
