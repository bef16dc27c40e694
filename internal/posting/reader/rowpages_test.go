// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// visitedPage returns a page of a column with the rows of four records.
func visitedPage(t *testing.T, layout model.Column, change func(payload []byte)) (*format.Page, *format.Ref) {
	t.Helper()
	r := &format.Ref{Field: model.ValueField(4), Generation: 104, Rows: 4}
	data := format.AppendColumnPage(format.ColumnRows{Ends: []uint32{3, 3, 4, 10},
		Rows: []uint64{0, 1, 300, 70_000, 2, 3, 5, 8, 13,
			99_999}}, layout)
	change(data[format.ColumnHeaderLen+4*int(data[3]):])
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
		for n := range 3*mostVisits + 2 {
			c := RowCounter{sums: make([]uint32, 100_000)}
			for range n {
				if err := c.visit(r, p, []uint16{0, 1, 3}, 0); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(c.findRows(), c.countWaiting()); err != nil {
				t.Fatal(err)
			}
			for row, got := range c.sums {
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
			var c RowCounter
			if err := c.visit(r, p, lows, 0); err != nil {
				t.Fatal(err)
			}
			if err := c.findRows(); !errors.Is(err, model.ErrCorrupt) {
				t.Fatalf("byte %d changed by %#x: got %v, want ErrCorrupt", at, change, err)
			}
		}
	}
	if damaged < 20 {
		t.Fatalf("%d pages were damaged: this tests too little", damaged)
	}
}
