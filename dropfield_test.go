// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

var droppable = []uproar.Field{{Name: "likes", Type: uproar.Set, Column: uproar.FastColumn},
	{Name: "city", Type: uproar.Single}, {Name: "age", Type: uproar.Integer},
	{Name: "follows", Type: uproar.Relation, Inverse: "followers"}, {Name: "kept", Type: uproar.Set}}

// fillDroppable writes values of every field, half of them to pages.
func fillDroppable(t *testing.T, ix *uproar.Index) {
	t.Helper()
	for half := range 2 {
		put(t, ix, func(b *uproar.Batch) {
			for i := range 100 {
				r := fmt.Sprint("r", half*100+i)
				b.Set("likes", r, fmt.Sprint("l", i%7))
				b.Set("city", r, fmt.Sprint("c", i%5))
				b.SetInt("age", r, int64(i))
				b.Set("follows", r, fmt.Sprint("r", i))
				b.Set("kept", r, fmt.Sprint("k", i%3))
			}
		})
		if half == 0 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func countOf(t *testing.T, s uproar.Snapshot, text string) uint64 {
	t.Helper()
	e, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Count(t.Context(), e)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// pagesOf returns how many pages the index has of what is called so, or of type dropped.
func pagesOf(t *testing.T, ix *uproar.Index, name string) (pages uint64) {
	t.Helper()
	stats, err := ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stats.Fields {
		if f.Name == name || f.Type == name {
			pages += f.Pages
		}
	}
	return pages
}

// Only snapshots that were open know a dropped field. Its pages go. Another field may take its name
// and has none of its values.
func TestDropField(t *testing.T) {
	ctx := t.Context()
	s := memstore.New()
	db, err := uproar.Open(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(ctx, "people", droppable...)
	if err != nil {
		t.Fatal(err)
	}
	fillDroppable(t, ix)
	old := ix.Snapshot()
	queries := map[string]uint64{"likes = l1": 29, "city = c1": 40, "age < 10": 20, "follows(r1)": 1,
		"followers(r1)": 2, "kept = k0": 68}
	questions := func(s uproar.Snapshot) {
		t.Helper()
		for text, n := range queries {
			if got := countOf(t, s, text); got != n {
				t.Errorf("%s: got %d, want %d", text, got, n)
			}
		}
	}
	for text := range queries {
		queries[text] = countOf(t, old, text)
	}
	for _, name := range []string{"likes", "city", "age", "follows"} {
		if err := db.DropField(ctx, "people", name); err != nil {
			t.Fatal(err)
		}
		var unknown *uproar.UnknownError
		if err := db.DropField(ctx, "people", name); !errors.As(err, &unknown) || unknown.What != "field" {
			t.Errorf("%s again: got %v, want that it is unknown", name, err)
		}
	}
	questions(old)
	now := ix.Snapshot()
	for _, e := range []query.Expr{query.Equal{Field: "likes", Value: "l1"}, query.Any{Field: "age"},
		query.Related{Field: "followers", Key: "r1"}} {
		if _, err := now.Count(ctx, e); !errors.Is(err, uproar.ErrUnknownField) {
			t.Errorf("%s: got %v, want ErrUnknownField", e, err)
		}
	}
	now.Close()
	var b uproar.Batch
	b.Set("likes", "r1", "l1")
	if _, err := ix.Write(ctx, &b); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("write: got %v, want ErrUnknownField", err)
	}
	if got := ix.Fields(); !slices.Equal(got, []uproar.Field{droppable[4]}) {
		t.Errorf("got fields %+v", got)
	}

	// The name is free at once, also before the pages are gone.
	if _, err := db.AddFields(ctx, "people", uproar.Field{Name: "likes", Type: uproar.Single}); err != nil {
		t.Fatal(err)
	}
	put(t, ix, func(b *uproar.Batch) { b.Set("likes", "r7", "l1") })
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	questions(old)
	old.Close()
	check := func(ix *uproar.Index) {
		t.Helper()
		now := ix.Snapshot()
		defer now.Close()
		for text, want := range map[string]uint64{"likes = l1": 1, "any(likes)": 1, "kept = k0": queries["kept = k0"],
			"all": 200} {
			if got := countOf(t, now, text); got != want {
				t.Errorf("%s: got %d, want %d", text, got, want)
			}
		}
		if n := pagesOf(t, ix, "dropped"); n != 0 {
			t.Errorf("got %d pages of dropped fields, want none", n)
		}
		// What the log says of them can still be followed.
		for _, err := range ix.Changes(ctx, 0) {
			if err != nil {
				t.Errorf("changes: %v", err)
				break
			}
		}
	}
	check(ix)
	put(t, ix, func(b *uproar.Batch) { b.DeleteRecord("r199"); b.Set("kept", "r199", "k0") })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDropFieldRefused(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.CreateIndex(ctx, "people", droppable...); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"followers": uproar.ErrInvalid, uproar.SavedField: uproar.ErrInvalid,
		"lieks": uproar.ErrUnknownField} {
		if err := db.DropField(ctx, "people", name); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	if err := db.DropField(ctx, "poeple", "likes"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("got %v, want ErrUnknownIndex", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := db.DropField(ended, "people", "likes"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// cutStore fails every batch from one on, as if the process had been killed. Closing it keeps what
// was written before.
type cutStore struct {
	store.Store
	left atomic.Int64 // batches that are still written; below 0: all
}

var errCut = errors.New("cut off")

// Apply implements store.Store.
func (s *cutStore) Apply(b *store.Batch, sync bool) error {
	for {
		n := s.left.Load()
		switch {
		case n < 0:
			return s.Store.Apply(b, sync)
		case n == 0:
			return errCut
		case s.left.CompareAndSwap(n, n-1):
			return s.Store.Apply(b, sync)
		}
	}
}

// Close implements store.Store.
func (s *cutStore) Close() error { return nil }

// The database opens wherever dropping a field, and the flush after it, are cut off. It has the
// field with all its values, or without it and soon without its pages. All else is as it was.
func TestDropFieldCutOff(t *testing.T) {
	ctx := t.Context()
	dropped := 0
	for cut := 0; ; cut++ {
		s := &cutStore{Store: memstore.New()}
		s.left.Store(-1)
		db, err := uproar.Open(ctx, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		ix, err := db.CreateIndex(ctx, "people", droppable...)
		if err != nil {
			t.Fatal(err)
		}
		fillDroppable(t, ix)
		before := ix.Snapshot()
		likes, kept := countOf(t, before, "likes = l1"), countOf(t, before, "kept = k0")
		before.Close()
		s.left.Store(int64(cut))
		failed := errors.Join(db.DropField(ctx, "people", "likes"), ix.Flush(ctx))
		s.left.Store(0) // nor does closing write
		_ = db.Close()
		s.left.Store(-1)
		if db, err = uproar.Open(ctx, s, nil); err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if ix, err = db.Index("people"); err != nil {
			t.Fatal(err)
		}
		now := ix.Snapshot()
		if got := countOf(t, now, "kept = k0"); got != kept {
			t.Errorf("cut %d: got %d, want %d", cut, got, kept)
		}
		if slices.ContainsFunc(ix.Fields(), func(f uproar.Field) bool { return f.Name == "likes" }) {
			if got := countOf(t, now, "likes = l1"); got != likes {
				t.Errorf("cut %d: got %d, want %d", cut, got, likes)
			}
		} else {
			dropped++
			if err := ix.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if n := pagesOf(t, ix, "dropped"); n != 0 {
				t.Errorf("cut %d: got %d pages of dropped fields after a flush, want none", cut, n)
			}
		}
		now.Close()
		if err := db.Verify(ctx, nil); err != nil {
			t.Errorf("cut %d: %v", cut, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if failed == nil {
			break
		}
	}
	if dropped < 3 {
		t.Errorf("the field was dropped at %d places, want several", dropped)
	}
}

// An index is found by its alias here as everywhere.
func TestDropFieldByAlias(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", droppable...)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SetAlias(ctx, "folk", "people"); err != nil {
		t.Fatal(err)
	}
	if err := db.DropField(ctx, "folk", "likes"); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(ix.Fields(), func(f uproar.Field) bool { return f.Name == "likes" }) {
		t.Error("the field is still there")
	}
}

// A follower is told nothing of a field that was dropped: the values have lost their names, and the
// name may be that of another field.
func TestChangesWithoutDropped(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", droppable...)
	if err != nil {
		t.Fatal(err)
	}
	fillDroppable(t, ix)
	for _, name := range []string{"likes", "city", "age", "follows"} {
		if err := db.DropField(ctx, "people", name); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddFields(ctx, "people", uproar.Field{Name: "city", Type: uproar.Integer}); err != nil {
		t.Fatal(err)
	}
	put(t, ix, func(b *uproar.Batch) { b.SetInt("city", "r1", 7) })
	now := ix.Snapshot()
	defer now.Close()
	last := now.Sequence()
	told := map[string]int{}
	for c, err := range ix.Changes(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.Changes {
			if told[x.Field]++; x.Field == "city" && (c.Sequence != last || x.Value != "7") {
				t.Errorf("commit %d: got %+v, want nothing of the field of that name before", c.Sequence, x)
			}
		}
	}
	delete(told, "") // records
	if len(told) != 2 || told["kept"] != 200 || told["city"] != 1 {
		t.Errorf("got changes %v, want 200 of kept and 1 of city", told)
	}
}

// TestRowIDsOfDroppedFields: what a value was looked up as finds its records in snapshots from
// before the field was dropped, and none in newer ones, before the pages go and afterwards.
func TestRowIDsOfDroppedFields(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", droppable...)
	if err != nil {
		t.Fatal(err)
	}
	fillDroppable(t, ix)
	before := ix.Snapshot()
	defer before.Close()
	for _, c := range []struct{ field, value string }{{"likes", "l1"}, {"city", "c1"}} {
		of, ok, err := before.RowID(c.field, c.value)
		if err != nil || !ok {
			t.Fatalf("%s: got %v, %v, want a row", c.field, ok, err)
		}
		kept, _, err := before.RowID("kept", "k1")
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := before.AppendAnd(t.Context(), nil, 0, of)
		if err != nil || len(want) == 0 {
			t.Fatalf("%s: got %v, %v, want records", c.field, want, err)
		}
		if err := db.DropField(t.Context(), "people", c.field); err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"before the flush", "after the flush"} {
			now := ix.Snapshot()
			for _, rows := range [][]uproar.RowID{{of}, {kept, of}} {
				if ids, more, err := now.AppendAnd(t.Context(), nil, 0, rows...); err != nil || more || len(ids) > 0 {
					t.Errorf("%s, %s: got records %v, %v, %v, want none", c.field, when, ids, more, err)
				}
			}
			if has, err := now.HasRow(of, want[0]); err != nil || has {
				t.Errorf("%s, %s: got %v, %v for record %d, want that it has not the value", c.field, when, has, err,
					want[0])
			}
			if ids, _, err := now.AppendAnd(t.Context(), nil, 0, kept); err != nil || len(ids) == 0 {
				t.Errorf("%s, %s: got %v, %v for a field that is there, want its records", c.field, when, ids, err)
			}
			now.Close()
			if ids, _, err := before.AppendAnd(t.Context(), nil, 0, of); err != nil || !slices.Equal(ids, want) {
				t.Errorf("%s, %s: got %v, %v in a snapshot from before, want %v", c.field, when, ids, err, want)
			}
			if has, err := before.HasRow(of, want[0]); err != nil || !has {
				t.Errorf("%s, %s: got %v, %v in a snapshot from before, want that record %d has the value", c.field,
					when, has, err, want[0])
			}
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
