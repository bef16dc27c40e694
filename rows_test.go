// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/uproar-db/uproar"
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
