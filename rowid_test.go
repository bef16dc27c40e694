// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// The intersection of values is that of their query, whatever is in pages, in the delta, changed
// and deleted.
func TestAppendAnd(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "shapes", uproar.Field{Name: "few", Type: uproar.Single},
		uproar.Field{Name: "many", Type: uproar.Single}, uproar.Field{Name: "tags", Type: uproar.Set},
		uproar.Field{Name: "size", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	write := func(from, to int) {
		t.Helper()
		var b uproar.Batch
		for i := from; i < to; i++ {
			key := fmt.Sprint("r", i)
			if r.IntN(20) == 0 {
				b.DeleteRecord(key)
				continue
			}
			b.Set("few", key, fmt.Sprint(r.IntN(3)))
			b.Set("many", key, fmt.Sprint(r.IntN(60)))
			b.Set("tags", key, fmt.Sprint(r.IntN(5)))
			b.SetInt("size", key, int64(i))
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	check := func() {
		t.Helper()
		s := ix.Snapshot()
		defer s.Close()
		for range 200 {
			var of []uproar.RowID
			var and query.And
			for field, values := range map[string]int{"few": 3, "many": 61, "tags": 6} {
				if r.IntN(3) == 0 {
					continue
				}
				value := fmt.Sprint(r.IntN(values))
				id, ok, err := s.RowID(field, value)
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					of, and.Of = append(of, id), append(and.Of, query.Equal{Field: field, Value: value})
				}
			}
			limit := r.IntN(4) * r.IntN(40)
			got, more, err := s.AppendAnd(ctx, nil, limit, of...)
			if err != nil {
				t.Fatal(err)
			}
			var want uproar.IDs
			if len(of) > 0 {
				if want, err = s.IDs(ctx, and, uproar.Page{Limit: limit}); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, want.IDs) || more != want.More {
				t.Fatalf("%v, limit %d: got %v, %v, want %v, %v", and, limit, got, more, want.IDs, want.More)
			}
		}
	}
	write(0, 6000)
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	check()
	write(1000, 3000) // in the delta, over the pages
	check()
	s := ix.Snapshot()
	defer s.Close()
	id, err := s.ID("r5000")
	if errors.Is(err, uproar.ErrUnknownRecord) {
		id, err = s.ID("r5001")
	}
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.Key(id)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := s.Value("few", key)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok, err := s.AppendValueOf(nil, "few", id); string(got) != want || !ok || err != nil {
		t.Errorf("got %q, %v, %v, want %q", got, ok, err, want)
	}
	if x, ok, err := s.IntOf("size", id); fmt.Sprint("r", x) != key || !ok || err != nil {
		t.Errorf("got %d, %v, %v, want the number of %s", x, ok, err, key)
	}
	for _, field := range []string{"size", "none"} {
		if _, _, err := s.RowID(field, "1"); err == nil {
			t.Errorf("%s: got no error", field)
		}
		if _, _, err := s.AppendValueOf(nil, field, id); err == nil {
			t.Errorf("%s: got no error", field)
		}
	}
	if _, _, err := s.IntOf("few", id); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	if _, _, err := s.AppendAnd(ctx, nil, -1); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}
