// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

var cityField = uproar.Field{Name: "city", Type: uproar.Single}

func openEmpty(t *testing.T) (*uproar.DB, *memstore.Store) {
	t.Helper()
	store := memstore.New()
	db, err := uproar.Open(t.Context(), store, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, store
}

func loadCity(t *testing.T, db *uproar.DB, index string) *uproar.Loader {
	t.Helper()
	l, err := db.LoadIndex(t.Context(), index, []uproar.Field{cityField}, []byte("note"), nil)
	if err == nil {
		err = l.Set("city", "a", "Oslo")
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func countFits(t *testing.T, ix *uproar.Index, text string) uint64 {
	t.Helper()
	s := ix.Snapshot()
	defer s.Close()
	q, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Count(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLoadIndex: nobody sees a new index, in any way, before its load is committed.
func TestLoadIndex(t *testing.T) {
	ctx := t.Context()
	db, _ := openEmpty(t)
	l := loadCity(t, db, "people")
	if _, err := db.Index("people"); !errors.Is(err, uproar.ErrUnknownIndex) || len(db.Indexes()) != 0 {
		t.Errorf("while it is loaded: got %v, indexes %q, want none", err, db.Indexes())
	}
	if _, err := db.CreateIndex(ctx, "people", cityField); !errors.Is(err, uproar.ErrLoading) {
		t.Errorf("another index of the name: got %v, want ErrLoading", err)
	}
	for what, err := range map[string]error{
		"DropIndex": db.DropIndex(ctx, "people"), "SetNote": db.SetNote(ctx, "people", nil),
		"SetAlias": db.SetAlias(ctx, "folk", "people"),
	} {
		if !errors.Is(err, uproar.ErrUnknownIndex) {
			t.Errorf("%s: got %v, want ErrUnknownIndex", what, err)
		}
	}
	if err := db.SetAlias(ctx, "people", ""); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("its name as an alias: got %v, want ErrInvalid", err)
	}
	if stats, err := db.Stats(); err != nil || len(stats.Indexes) != 0 {
		t.Errorf("Stats: got %v, %v, want no index", stats.Indexes, err)
	}
	var backup bytes.Buffer
	if _, err := db.Backup(ctx, &backup, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	ix, err := db.Index("people")
	if err != nil || string(ix.Note()) != "note" || countFits(t, ix, "city = Oslo") != 1 || l.Index() != ix {
		t.Errorf("once it is loaded: got %v, %v", ix, err)
	}
	l.Abort()
	if !slices.Equal(db.Indexes(), []string{"people"}) {
		t.Errorf("an Abort after Commit: got %q", db.Indexes())
	}
	put(t, ix, func(b *uproar.Batch) { b.Set("city", "b", "Oslo") })
	if countFits(t, ix, "city = Oslo") != 2 {
		t.Error("a write after the load is not there")
	}
}

// TestLoadIndexThatEnds: an aborted load, one that ctx ends, and one whose process ends leave
// nothing.
func TestLoadIndexThatEnds(t *testing.T) {
	db, store := openEmpty(t)
	before := len(keysOf(t, store))
	loadCity(t, db, "people").Abort()
	ctx, cancel := context.WithCancel(t.Context())
	l, err := db.LoadIndex(ctx, "people", []uproar.Field{cityField}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := l.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled load: got %v", err)
	}
	if n := len(keysOf(t, store)); n != before || len(db.Indexes()) != 0 {
		t.Errorf("got %d entries and indexes %q, want %d and none", n, db.Indexes(), before)
	}
	loadCity(t, db, "people") // is left as a killed process leaves it
	for _, readOnly := range []bool{true, false} {
		again, err := uproar.Open(t.Context(), store, &uproar.Options{ReadOnly: readOnly})
		if err != nil || len(again.Indexes()) != 0 {
			t.Fatalf("opened again: got %v", err)
		}
		if _, err := again.CreateIndex(t.Context(), "people", cityField); !readOnly && err != nil {
			t.Errorf("the index anew: %v", err)
		}
	}
}

// TestCommitAs: an alias goes from one index to another at once, and the first is dropped with it.
func TestCommitAs(t *testing.T) {
	db, _ := openEmpty(t)
	for _, index := range []string{"city_1", "city_2"} {
		if err := loadCity(t, db, index).CommitAs("cities"); err != nil {
			t.Fatal(err)
		}
		if ix, err := db.Index("cities"); err != nil || ix.Name() != index ||
			!slices.Equal(db.Indexes(), []string{index}) {
			t.Errorf("got %v, indexes %q, want %s alone", err, db.Indexes(), index)
		}
	}
	if err := db.SetAlias(t.Context(), "kept", "city_2"); err != nil {
		t.Fatal(err)
	}
	if err := loadCity(t, db, "city_3").CommitAs("cities"); err != nil || len(db.Indexes()) != 2 {
		t.Errorf("got %v, indexes %q, want that with another alias as well", err, db.Indexes())
	}
	if err := loadCity(t, db, "city_4").CommitAs("city_3"); !errors.Is(err, uproar.ErrInvalid) ||
		len(db.Indexes()) != 2 {
		t.Errorf("an alias that cannot be: got %v, indexes %q", err, db.Indexes())
	}
	ix, err := db.Index("city_3")
	if err != nil {
		t.Fatal(err)
	}
	l, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.CommitAs("more"); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("a load into an index that was there: got %v, want ErrInvalid", err)
	}
}

// TestAddRecord: a load makes records exist that get no value.
func TestAddRecord(t *testing.T) {
	db, _ := openEmpty(t)
	l := loadCity(t, db, "people")
	records := uproar.NewDictionary([]string{"c", "d", ""})
	done, err := l.AddRecords(records, []uint32{0, 1, 0, 2, 0})
	if done != 3 || !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("AddRecords with an empty key: got %d, %v, want 3 and ErrInvalid", done, err)
	}
	if done, err := l.AddRecords(records, []uint32{3}); done != 0 || !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("AddRecords of a number too large: got %d, %v", done, err)
	}
	if err := l.AddRecord("b"); err != nil {
		t.Error(err)
	}
	if err := l.AddRecord(""); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("AddRecord of an empty key: got %v, want ErrInvalid", err)
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := l.AddRecord("e"); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("AddRecord after Commit: got %v, want ErrClosed", err)
	}
	ix, _ := db.Index("people")
	if all, none := countFits(t, ix, "all"), countFits(t, ix, "none(city)"); all != 4 || none != 3 {
		t.Errorf("got %d records, %d without a value, want 4 and 3", all, none)
	}
	c, err := ix.Load(t.Context(), &uproar.LoadOptions{Cluster: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Abort()
	if err := c.AddRecord("x"); err == nil {
		t.Error("AddRecord with Cluster: got no error")
	}
}

func keysOf(t *testing.T, s *memstore.Store) (keys []string) {
	t.Helper()
	if err := s.Keys(nil, nil, func(key []byte) error { keys = append(keys, string(key)); return nil }); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestFieldText(t *testing.T) {
	for want, f := range map[string]uproar.Field{
		"likes:set:column=fast":              {Name: "likes", Type: uproar.Set, Column: uproar.FastColumn},
		"age:integer":                        {Name: "age", Type: uproar.Integer},
		"height:decimal:scale=2":             {Name: "height", Type: uproar.Integer, Scale: 2},
		"born:date":                          {Name: "born", Type: uproar.Integer, Format: uproar.Date},
		"follows:relation:inverse=followers": {Name: "follows", Type: uproar.Relation, Inverse: "followers"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	db, _ := openEmpty(t)
	for text, want := range map[string]string{"date": `want type "integer" with format "date"`,
		"decimal": `want type "integer" with a scale`} {
		if _, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "x",
			Type: uproar.FieldType(text)}); !errors.Is(err, uproar.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("type %q: got %v, want %s", text, err, want)
		}
	}
	if _, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer}); err != nil {
		t.Fatal(err)
	}
	_, err := db.AddFields(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Single})
	const want = `field "age" of index "people": has age:integer, want age:single; drop the field, with its values, or name another one`
	if c := (*uproar.FieldConflictError)(nil); !errors.As(err, &c) || !errors.Is(err, uproar.ErrInvalid) ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
