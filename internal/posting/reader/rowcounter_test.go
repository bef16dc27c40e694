// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// FuzzColumn opens pages of any bytes, and counts what they say: a clear error or a count, and
// nothing read outside.
func FuzzColumn(f *testing.F) {
	for _, layout := range []model.Column{model.FastColumn, model.SmallColumn} {
		f.Add(format.AppendColumnPage(format.ColumnRows{Ends: []uint32{3, 3, 4, 10},
			Rows: []uint64{0, 1, 300, 70_000, 2, 3, 5, 8, 13, 99_999}}, layout), uint16(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, low uint16) {
		r := format.Ref{Field: model.ValueField(4), Generation: 104, Rows: 4}
		if len(data) < format.HeaderLen {
			return
		}
		key := format.AppendPageKey(nil, 1, &r)
		data = slices.Clone(data)
		data[0], data[1], data[2] = format.MagicPage, format.FormatVersion, format.Values
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil || p.Width == 0 {
			return
		}
		counts := map[uint64]uint32{}
		for i := range uint64(p.Count) {
			rows, ok := p.AppendRows(nil, i)
			if !ok {
				return
			}
			for _, row := range rows {
				counts[row]++
			}
		}
		lows := make([]uint16, p.Count)
		for i := range lows {
			lows[i] = uint16(i)
		}
		y := format.Tally{Page: p, Counts: make([]uint32, int(low))}
		var c RowCounter // neighbours are one span, so that it counts nothing by itself
		if ok, err := c.countPage(&y, lows); !ok || err != nil {
			t.Fatal("the rows are read one by one, and not counted together", err)
		}
		for _, row := range append(y.Beyond, c.waiting.count(y.Counts)...) {
			counts[row]--
		}
		for row, n := range y.Counts {
			counts[uint64(row)] -= n
		}
		for row, n := range counts {
			if n != 0 {
				t.Fatalf("row %d: counted %d too few", row, n)
			}
		}
	})
}
