// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestGreatIDs asks for records by IDs that no record can have: they do not exist, and are never
// taken for others. Record 0 has the low bits of 1<<63.
func TestGreatIDs(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "tag", Type: uproar.Set, Column: uproar.FastColumn},
		uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers"})
	if err != nil {
		t.Fatal(err)
	}
	write := func(from, to int) {
		var b uproar.Batch
		for i := from; i < to; i++ {
			key := fmt.Sprint("r", i)
			b.SetInt("age", key, int64(i))
			b.Set("city", key, "Oslo")
			b.Set("tag", key, "new")
			b.Set("follows", key, "r0")
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	great := []uint64{1 << 63, 1<<63 + 1, 1<<63 + 99, 1<<63 + 1<<16, math.MaxUint64 - 1, math.MaxUint64, math.MaxInt64}
	check := func(state string) {
		snap := ix.Snapshot()
		defer snap.Close()
		row, ok, err := snap.RowID("tag", "new")
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		for _, id := range great {
			if key, err := snap.Key(id); !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Errorf("%s: Key(%d): got %q, %v, want ErrUnknownRecord", state, id, key, err)
			}
			if x, ok, err := snap.IntOf("age", id); ok || err != nil {
				t.Errorf("%s: IntOf(%d): got %d, %v, %v", state, id, x, ok, err)
			}
			if v, ok, err := snap.AppendValueOf(nil, "city", id); ok || err != nil {
				t.Errorf("%s: AppendValueOf(%d): got %s, %v, %v", state, id, v, ok, err)
			}
			if v, err := snap.ValuesOf("tag", id); len(v) > 0 || err != nil {
				t.Errorf("%s: ValuesOf(%d): got %v, %v", state, id, v, err)
			}
			if ok, err := snap.HasRow(row, id); ok || err != nil {
				t.Errorf("%s: HasRow(%d): got %v, %v", state, id, ok, err)
			}
			page, err := snap.IDs(ctx, query.All{}, uproar.Page{From: id, Limit: 3})
			if len(page.IDs) > 0 || page.More || err != nil {
				t.Errorf("%s: IDs from %d: got %v, %v", state, id, page, err)
			}
			literal := query.Bitmap{Bytes: bitmap.Of(id).Bytes()}
			both := query.Bitmap{Bytes: bitmap.Of(0, id).Bytes()}
			for _, q := range []query.Expr{
				literal,
				query.And{Of: []query.Expr{literal, query.Equal{Field: "tag", Value: "new"}}},
				query.And{Of: []query.Expr{literal, query.Equal{Field: "age", Value: "0"}}},
				query.And{Of: []query.Expr{literal, query.Not{Of: query.Equal{Field: "city", Value: "Rome"}}}},
				query.And{Of: []query.Expr{literal, query.Any{Field: "city"}}},
				query.Through{Field: "follows", Of: literal},
			} {
				if n, err := snap.Count(ctx, q); n != 0 || err != nil {
					t.Errorf("%s: Count of %T with %d: got %d, %v, want 0", state, q, id, n, err)
				}
			}
			if n, err := snap.Count(ctx, query.And{Of: []query.Expr{both,
				query.Equal{Field: "city", Value: "Oslo"}}}); n != 1 || err != nil {
				t.Errorf("%s: Count of 0 and %d: got %d, %v, want 1", state, id, n, err)
			}
			of, err := snap.Select(ctx, both)
			if err != nil || of.Len() != 1 {
				t.Fatalf("%s: Select of 0 and %d: got %v, %v", state, id, of, err)
			}
		}
	}
	write(0, 100)
	check("unflushed")
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	check("flushed")
	write(50, 200)
	check("both")
}
