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

// TestChangeFields: fields are dropped and added together. When one of them cannot be, none is.
func TestChangeFields(t *testing.T) {
	ctx := t.Context()
	store := keepOpen{memstore.New()}
	db, err := uproar.Open(ctx, store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { db.Close() }()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Relation, Inverse: "likers"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, ix, func(b *uproar.Batch) { b.SetInt("age", "ann", 30); b.Set("likes", "ann", "bob") })
	for _, c := range []struct {
		drop []string
		add  uproar.Field
		want error
	}{
		{[]string{"age"}, uproar.Field{Name: "x", Type: "nonsense"}, uproar.ErrInvalid},
		{[]string{"age"}, uproar.Field{Name: "city", Type: uproar.Set}, uproar.ErrInvalid},
		{[]string{"age", "likers"}, uproar.Field{Name: "x", Type: uproar.Set}, uproar.ErrInvalid},
		{[]string{"likes", "likers"}, uproar.Field{Name: "x", Type: uproar.Set}, uproar.ErrInvalid},
		{[]string{"age", "age"}, uproar.Field{Name: "x", Type: uproar.Set}, uproar.ErrInvalid},
		{[]string{"age", "none"}, uproar.Field{Name: "x", Type: uproar.Set}, uproar.ErrUnknownField},
	} {
		_, err := db.ChangeFields(ctx, "people", c.drop, []uproar.Field{c.add})
		if !errors.Is(err, c.want) || len(ix.Fields()) != 4 {
			t.Errorf("dropping %q, adding %s: got %v and the fields %v, want %v and all four", c.drop, c.add, err,
				ix.Fields(), c.want)
		}
	}
	add := []uproar.Field{{Name: "age", Type: uproar.Set}, {Name: "city", Type: uproar.Single}}
	if _, err := db.ChangeFields(ctx, "people", []string{"age", "likes"}, add); err != nil {
		t.Fatal(err)
	}
	put(t, ix, func(b *uproar.Batch) { b.Set("age", "bob", "old") })
	for range 2 {
		s := ix.Snapshot()
		if got := countOf(t, s, "any(age)"); got != 1 || len(ix.Fields()) != 2 {
			t.Errorf("got %d records with an age and the fields %v, want one, and two of them", got, ix.Fields())
		}
		s.Close()
		if err := errors.Join(ix.Flush(ctx), db.Close()); err != nil {
			t.Fatal(err)
		}
		if db, err = uproar.Open(ctx, store, nil); err != nil {
			t.Fatal(err)
		}
		if ix, err = db.Index("people"); err != nil {
			t.Fatal(err)
		}
	}
}
