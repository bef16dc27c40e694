// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// filled makes an index of one field and one record with a value.
func filled(t *testing.T, db *uproar.DB, name, value string) *uproar.Index {
	t.Helper()
	ix, err := db.CreateIndex(t.Context(), name, uproar.Field{Name: "colour", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("colour", "a", value)
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ix
}

// colourOf returns the colour of record a in an index.
func colourOf(t *testing.T, db *uproar.DB, name string) string {
	t.Helper()
	ix, err := db.Index(name)
	if err != nil {
		t.Fatal(err)
	}
	s := ix.Snapshot()
	defer s.Close()
	value, _, err := s.Value("colour", "a")
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestAlias(t *testing.T) {
	s := memstore.New()
	db, err := uproar.Open(t.Context(), keepOpen{s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	filled(t, db, "one", "red")
	filled(t, db, "two", "blue")
	check := func(err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	check(db.SetAlias(t.Context(), "paint", "three"), uproar.ErrUnknownIndex)
	check(db.SetAlias(t.Context(), "one", "two"), uproar.ErrInvalid)
	check(db.SetAlias(t.Context(), "no name", "two"), uproar.ErrInvalid)
	check(db.SetAlias(t.Context(), "paint", "one"), nil)
	check(db.SetNote(t.Context(), "paint", []byte("a note")), nil)
	check(db.SetNote(t.Context(), "paint", make([]byte, 1<<17)), uproar.ErrInvalid)
	if _, err := db.CreateIndex(t.Context(), "paint"); !errors.Is(err, uproar.ErrIndexExists) {
		t.Errorf("got %v, want that the name is taken", err)
	}
	if got := colourOf(t, db, "paint"); got != "red" {
		t.Errorf("got %q, want red", got)
	}
	check(db.DropIndex(t.Context(), "one"), uproar.ErrInvalid) // it has an alias
	check(db.DropIndex(t.Context(), "paint"), uproar.ErrInvalid)
	check(db.SetAlias(t.Context(), "paint", "two"), nil)
	if got := colourOf(t, db, "paint"); got != "blue" {
		t.Errorf("got %q, want blue", got)
	}
	one, err := db.Index("one")
	if err != nil || !bytes.Equal(one.Note(), []byte("a note")) {
		t.Errorf("got the note %q and %v", one.Note(), err)
	}
	open := one.Snapshot()
	check(db.DropIndex(t.Context(), "one"), nil)
	check(db.DropIndex(t.Context(), "one"), uproar.ErrUnknownIndex)
	_, err = open.Count(t.Context(), query.All{})
	check(err, uproar.ErrClosed)
	open.Close()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	if db, err = uproar.Open(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got, want := db.Aliases(), map[string]string{"paint": "two"}; !maps.Equal(got, want) {
		t.Errorf("got the aliases %v, want %v", got, want)
	}
	if got := colourOf(t, db, "paint"); got != "blue" {
		t.Errorf("got %q, want blue", got)
	}
	// An index made later has nothing of the one that was dropped, though it has its name.
	ix, err := db.CreateIndex(t.Context(), "one", uproar.Field{Name: "colour", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(t.Context(), query.All{}); n != 0 || err != nil {
		t.Errorf("got %d records and %v, want none", n, err)
	}
	check(db.SetAlias(t.Context(), "paint", ""), nil)
	if _, err := db.Index("paint"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("got %v, want an unknown index", err)
	}
}

// A drop that is broken off is finished at the next opening, and leaves nothing in the store.
func TestDropIsFinished(t *testing.T) {
	s := memstore.New()
	db, err := uproar.Open(t.Context(), keepOpen{s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	filled(t, db, "last", "red")
	entries := func() (n int) {
		if err := s.Keys(nil, nil, func(key []byte) error {
			if key[0] >= 2 && key[0] <= 4 { // manifests, logs and pages
				n++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if entries() == 0 {
		t.Fatal("got no entries of an index, want some")
	}
	ctx, cancel := context.WithCancel(t.Context())
	broken := brokenOff{ctx, cancel}
	if err := db.DropIndex(broken, "last"); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want a drop that is broken off", err)
	}
	if entries() == 0 {
		t.Fatal("got no entries, want that some were left")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = uproar.Open(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := entries(); n != 0 || len(db.Indexes()) != 0 {
		t.Errorf("got %d entries and the indexes %v, want none", n, db.Indexes())
	}
}

// brokenOff is a context that ends after it has been looked at once.
type brokenOff struct {
	context.Context
	cancel context.CancelFunc
}

// Err implements context.Context.
func (b brokenOff) Err() error {
	err := b.Context.Err()
	b.cancel()
	return err
}
