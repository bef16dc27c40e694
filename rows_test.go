// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// rowsOf returns the rows of a field as a map.
func rowsOf(t *testing.T, s uproar.Snapshot, field string) map[string]uint64 {
	t.Helper()
	rows := map[string]uint64{}
	for row, err := range s.Rows(t.Context(), field) {
		if err != nil {
			t.Fatal(err)
		}
		if rows[row.Key] > 0 || row.Len == 0 {
			t.Errorf("%s: got %+v, want each row once, and with records", field, row)
		}
		rows[row.Key] = row.Len
	}
	return rows
}

func TestRows(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"},
		uproar.Field{Name: "tag", Type: uproar.Set}, uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	write := func(fill func(b *uproar.Batch)) {
		t.Helper()
		var b uproar.Batch
		fill(&b)
		if _, err := ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]map[string]uint64{
		"follows": {"ann": 2, "bob": 1}, "followers": {"bob": 1, "cat": 2}, "tag": {"red": 2, "blue": 1},
		"city": {"Rome": 1, "Oslo": 1},
	}
	write(func(b *uproar.Batch) {
		b.Set("follows", "ann", "bob")
		b.Set("follows", "ann", "cat")
		b.Set("follows", "bob", "cat")
		b.Set("tag", "ann", "red")
		b.Set("tag", "bob", "red")
		b.Set("tag", "bob", "blue")
		b.Set("tag", "dan", "green")
		b.Set("city", "ann", "Rome")
		b.Set("city", "bob", "Rome")
	})
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(func(b *uproar.Batch) {
		b.Set("city", "bob", "Oslo")
		b.DeleteRecord("dan")
	})
	for _, when := range []string{"with a delta", "flushed"} {
		snap := ix.Snapshot()
		for field, want := range want {
			if got := rowsOf(t, snap, field); !maps.Equal(got, want) {
				t.Errorf("%s: %s: got %v, want %v", when, field, got, want)
			}
		}
		snap.Close()
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for field, want := range map[string]error{"age": uproar.ErrInvalid, "colour": uproar.ErrUnknownField} {
		for _, err := range snap.Rows(t.Context(), field) {
			if !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", field, err, want)
			}
		}
	}
	for range snap.Rows(t.Context(), "follows") {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range snap.Rows(ctx, "tag") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	}
}

func ExampleSnapshot_Rows() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	shirts, err := db.CreateIndex(ctx, "shirts", uproar.Field{Name: "colour", Type: uproar.Set})
	if err != nil {
		panic(err)
	}
	var b uproar.Batch
	b.Set("colour", "shirt 1", "red")
	b.Set("colour", "shirt 2", "blue")
	b.Set("colour", "shirt 3", "red")
	if _, err := shirts.Write(ctx, &b); err != nil {
		panic(err)
	}
	snap := shirts.Snapshot()
	defer snap.Close()
	for row, err := range snap.Rows(ctx, "colour") {
		fmt.Println(row.Key, row.Len, err)
	}
	// Output:
	// red 2 <nil>
	// blue 1 <nil>
}

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
