// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// TestFieldsOfLiveIndex adds fields of every type while a snapshot is open. It writes to them, and
// reads them again after opening.
func TestFieldsOfLiveIndex(t *testing.T) {
	store := memstore.New()
	db, err := uproar.Open(t.Context(), store, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "tag", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	write := func(sets ...string) {
		t.Helper()
		var b uproar.Batch
		for ; len(sets) > 0; sets = sets[3:] {
			b.Set(sets[0], sets[1], sets[2])
		}
		if _, err := ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write("tag", "ann", "x", "tag", "bob", "y")
	old := ix.Snapshot()
	defer old.Close()
	for _, fields := range [][]uproar.Field{
		{{Name: "city", Type: uproar.Single}, {Name: "follows", Type: uproar.Relation, Inverse: "followers"}},
		{{Name: "age", Type: uproar.Integer}, {Name: "born", Type: uproar.Integer, Format: uproar.Date}},
	} {
		if _, err := db.AddFields(t.Context(), "people", fields...); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := old.Count(t.Context(), query.Field("city").None()); err != nil || n != 2 {
		t.Errorf("in a snapshot from before: got %d, %v without a city, want 2", n, err)
	}
	write("city", "ann", "Bern", "follows", "ann", "bob", "age", "ann", "30", "age", "bob", "7", "born", "bob",
		"2019-01-31")
	ask := func(ix *uproar.Index, text string, want ...string) {
		t.Helper()
		e, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		snap := ix.Snapshot()
		defer snap.Close()
		if got, err := snap.Keys(t.Context(), e, uproar.Page{}); err != nil || !slices.Equal(got.Keys, want) {
			t.Errorf("%s: got %q, %v, want %q", text, got.Keys, err, want)
		}
	}
	all := func(ix *uproar.Index) {
		t.Helper()
		ask(ix, "tag = x", "ann")
		ask(ix, "city = Bern", "ann")
		ask(ix, "followers(bob)", "ann")
		ask(ix, "follows(ann)", "bob")
		ask(ix, "age < 18", "bob")
		ask(ix, "born = 2019-01-31", "bob")
		ask(ix, "none(city)", "bob")
		var names []string
		for _, f := range ix.Fields() {
			names = append(names, f.Name)
		}
		if want := []string{"tag", "city", "follows", "followers", "age", "born"}; !slices.Equal(names, want) {
			t.Errorf("got the fields %q, want %q", names, want)
		}
	}
	all(ix)
	for _, tc := range []struct {
		index string
		field uproar.Field
		want  error
	}{
		{"people", uproar.Field{Name: "city", Type: uproar.Set}, uproar.ErrInvalid},
		{"people", uproar.Field{Name: "liked", Type: uproar.Relation, Inverse: "followers"}, uproar.ErrInvalid},
		{"people", uproar.Field{Name: "_saved", Type: uproar.Set}, uproar.ErrInvalid},
		{"people", uproar.Field{Name: "x", Type: "bag"}, uproar.ErrInvalid},
		{"poeple", uproar.Field{Name: "x", Type: uproar.Set}, uproar.ErrUnknownIndex},
	} {
		if _, err := db.AddFields(t.Context(), tc.index, tc.field); !errors.Is(err, tc.want) {
			t.Errorf("%+v: got %v, want %v", tc.field, err, tc.want)
		}
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	write("city", "bob", "Zug", "city", "bob", "Bern")
	ask(ix, "city = Bern", "ann", "bob")
	var b uproar.Batch
	b.Unset("city", "bob")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	all(ix)
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func openPebble(t *testing.T, dir string) *uproar.DB {
	t.Helper()
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestFieldsOfLiveIndexReopened finds added fields after opening the database again, with writes to
// them in the log only.
func TestFieldsOfLiveIndexReopened(t *testing.T) {
	dir := t.TempDir()
	db := openPebble(t, dir)
	ix, err := db.CreateIndex(t.Context(), "people")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddFields(t.Context(), "people", uproar.Field{Name: "tag", Type: uproar.Set}); err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("tag", "ann", "x")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddFields(t.Context(), "people", uproar.Field{Name: "late", Type: uproar.Set}); !errors.Is(err,
		uproar.ErrClosed) {
		t.Errorf("got %v after Close, want ErrClosed", err)
	}
	db = openPebble(t, dir)
	defer db.Close()
	if ix, err = db.Index("people"); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(t.Context(), query.Equal{Field: "tag", Value: "x"}); err != nil || n != 1 {
		t.Errorf("got %d, %v, want 1", n, err)
	}
}
