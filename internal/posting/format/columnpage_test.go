// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// TestGaps: what is written as gaps is read again, whatever the rows.
func TestGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 3000 {
		var rows []uint64
		for most := uint64(1) << rng.IntN(64); len(rows) < 1+rng.IntN(300); {
			rows = append(rows, rng.Uint64N(most)&model.MaxID)
		}
		if rng.IntN(5) == 0 {
			rows = append(rows, model.MaxID)
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		for _, layout := range []model.Column{model.FastColumn, model.SmallColumn} {
			r := Ref{Field: model.ValueField(4), First: 11, Generation: 4, Rows: 2}
			data := AppendColumnPage(ColumnRows{Ends: []uint32{0, uint32(len(rows))}, Rows: rows}, layout)
			key := AppendPageKey(nil, 1, &r)
			seal.Write(key, data)
			p, err := OpenPage(&r, key, data)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := p.AppendRows(nil, 1); !ok || !slices.Equal(got, rows) {
				t.Fatalf("layout %d: got %v (%v), want %v", layout, got, ok, rows)
			}
			if got, ok := p.AppendRows(nil, 0); !ok || len(got) > 0 {
				t.Fatalf("layout %d: got %v (%v) of a record without rows", layout, got, ok)
			}
		}
	}
}

func TestGoldenColumns(t *testing.T) {
	for name, layout := range map[string]model.Column{"page-column-fast": model.FastColumn,
		"page-column-small": model.SmallColumn} {
		r := Ref{Field: model.ValueField(4), First: 1000, Generation: 104, Rows: 4}
		data := AppendColumnPage(ColumnRows{Ends: []uint32{3, 3, 4, 10},
			Rows: []uint64{0, 1, 300, 70_000, 2, 3, 5, 8, 13, 99_999}}, layout)
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		back := ""
		for i := range uint64(4) {
			rows, ok := p.AppendRows(nil, i)
			back += fmt.Sprintf("record %d: %v %v\n", r.First+i, rows, ok)
		}
		golden.Entry(t, name, "the rows of records 1000 to 1003", key, data, back)
	}
}
