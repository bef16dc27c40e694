// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package evaltest has an index that tests of counting, ranking and tables share. Its fields have
// the same rows, in lists alone and in every kind of column.
package evaltest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// Fields of the same rows: lists alone, with either column, and with one row a record.
const (
	Lists = 4 * (iota + 1)
	Fast
	Small
	One
)

// Rows is a plain reference of fields: row → records.
type Rows map[uint32]map[uint64]map[uint64]bool

func (r Rows) put(field uint32, row, record uint64, set bool) {
	if r[field] == nil {
		r[field] = map[uint64]map[uint64]bool{}
	}
	if r[field][row] == nil {
		r[field][row] = map[uint64]bool{}
	}
	if set {
		r[field][row][record] = true
	} else {
		delete(r[field][row], record)
	}
}

// OpenColumns opens an empty index of fields with lists alone, with either column, and with one row
// a record.
func OpenColumns(t testing.TB) *posting.Index {
	t.Helper()
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: Lists},
			{ID: Fast, Column: model.FastColumn}, {ID: Small, Column: model.SmallColumn},
			{ID: One, Kind: model.Rows}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// BuildColumns makes an index of fields that all have the same rows. They are kept in lists alone,
// and with either column. Part of it is in the delta.
func BuildColumns(t testing.TB, rng *rand.Rand, records uint64) (*posting.Index, Rows) {
	t.Helper()
	ix := OpenColumns(t)
	want := Rows{}
	write := func(n int) {
		var b posting.Batch
		for i := range 70 {
			b.Key(model.KeySpace(One), fmt.Sprint(i))
		}
		of := map[uint64]uint64{}
		for range n {
			record, row := rng.Uint64N(records), rng.Uint64N(1+rng.Uint64N(700))
			b.Set(model.Exists, model.ID(0), model.ID(record))
			set := rng.IntN(5) > 0
			for _, field := range []uint32{Lists, Fast, Small} {
				if set {
					b.Set(field, model.ID(row), model.ID(record))
				} else {
					b.Clear(field, model.ID(row), model.ID(record))
				}
				want.put(field, row, record, set)
			}
			b.Assign(One, model.ID(record), model.ID(row%70))
			of[record] = row % 70
		}
		for record, row := range of {
			for _, records := range want[One] {
				delete(records, record)
			}
			want.put(One, row, record, true)
		}
		if _, err := ix.Commit(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write(20_000)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(3000)
	return ix, want
}
