// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestSaveLarge stores sets above and below the size that one commit takes. They replace one
// another, and it reads them after opening again.
func TestSaveLarge(t *testing.T) {
	store := memstore.New()
	db, err := uproar.Open(t.Context(), store, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "n", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	const people = 140_000
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(people) {
		if err := load.SetInt("n", fmt.Sprint(i), i); err != nil {
			t.Fatal(err)
		}
	}
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	saved := query.Saved{Name: "mine"}
	for _, q := range []query.Expr{query.Field("n").Less("10"), query.All{}, query.Field("n").Greater("100"), saved,
		query.Field("n").Less("20"),
		query.NoneOf(saved)} {
		snap := ix.Snapshot()
		want, err := snap.Count(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := ix.Save(t.Context(), saved.Name, q); err != nil || n != want {
			t.Fatalf("%s: got %d, %v, want %d", q, n, err, want)
		}
		snap.Close()
		snap = ix.Snapshot()
		if n, err := snap.Count(t.Context(), saved); err != nil || n != want {
			t.Fatalf("saved %s: got %d, %v, want %d", q, n, err, want)
		}
		snap.Close()
	}
	snap := ix.Snapshot()
	if rows := rowsOf(t, snap, uproar.SavedField); len(rows) != 1 || rows["mine"] != people-20 {
		t.Errorf("got %v, want the only set", rows)
	}
	snap.Close()
	if _, err := ix.Save(t.Context(), "", query.All{}); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v of an empty name, want ErrInvalid", err)
	}
	if _, err := ix.Save(t.Context(), "other", query.Saved{Name: "none"}); !errors.Is(err, uproar.ErrUnknownSet) {
		t.Errorf("got %v of an unknown set, want ErrUnknownSet", err)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	for _, f := range ix.Fields() {
		if f.Name == uproar.SavedField {
			t.Errorf("got %q among the declared fields", f.Name)
		}
	}
}
