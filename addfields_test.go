// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// Fields that are added to an index with data leave that as it is, and last.
func TestAddFields(t *testing.T) {
	ctx := t.Context()
	store := memstore.New()
	db, err := uproar.Open(ctx, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	old, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, old, func(b *uproar.Batch) { b.Set("follows", "a", "b") })
	more := []uproar.Field{{Name: "follows", Type: uproar.Relation, Inverse: "followers"},
		{Name: "blocks", Type: uproar.Relation, Inverse: "blockers"}, {Name: "age", Type: uproar.Integer}}
	ix, err := db.AddFields(ctx, "people", more...)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := db.AddFields(ctx, "people", more...); again != ix || err != nil {
		t.Errorf("the same again: got another index (%v)", err)
	}
	put(t, old, func(b *uproar.Batch) { b.Set("blocks", "x", "y") }) // whoever had the index before goes on with it
	put(t, ix, func(b *uproar.Batch) {
		b.Set("blocks", "b", "a")
		b.SetInt("age", "b", 40)
	})
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	ix, err = db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	s := ix.Snapshot()
	defer s.Close()
	for _, c := range [][3]string{{"follows", "a", "b"}, {"followers", "b", "a"}, {"blocks", "b", "a"},
		{"blockers", "a", "b"}, {"age", "b", "40"}, {"blocks", "x", "y"}} {
		if ok, err := s.Has(c[0], c[1], c[2]); !ok || err != nil {
			t.Errorf("%v: got %t, %v", c, ok, err)
		}
	}
	for _, wrong := range []uproar.Field{{Name: "follows", Type: uproar.Set},
		{Name: "likes", Type: uproar.Relation, Inverse: "followers"}, {Name: "1", Type: uproar.Set}} {
		if _, err := db.AddFields(ctx, "people", wrong); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("%+v: got %v, want ErrInvalid", wrong, err)
		}
	}
	if _, err := db.AddFields(ctx, "nobody", more...); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("got %v, want ErrUnknownIndex", err)
	}
	if got := len(ix.Fields()); got != 5 {
		t.Errorf("got %d fields, want 5", got)
	}
}
