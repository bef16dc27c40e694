// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not within 30 seconds", what)
		}
	}
}

// newCities returns a database whose index has people with their cities, and a keeper that ends
// with the test.
func newCities(t *testing.T, index string) (*uproar.DB, *uproar.Index) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	ix, err := db.CreateIndex(t.Context(), index, uproar.Field{Name: "city", Type: uproar.Single})
	must(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var keeper sync.WaitGroup
	keeper.Go(func() { Keep(ctx, db, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { stop(); keeper.Wait(); must(t, db.Close()) })
	return db, ix
}

// move gives records a city.
func move(t *testing.T, ix *uproar.Index, city string, keys ...string) {
	t.Helper()
	var b uproar.Batch
	for _, key := range keys {
		b.Set("city", key, city)
	}
	_, err := ix.Write(t.Context(), &b)
	must(t, err)
}

// found returns the keys that a query has, sorted.
func found(t *testing.T, db *uproar.DB, index, name string) []string {
	t.Helper()
	members, err := Members(t.Context(), db, index)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return nil
	}
	must(t, err)
	s := members.Snapshot()
	defer s.Close()
	keys, err := s.Keys(t.Context(), query.Equal{Field: inField, Value: name}, uproar.Page{})
	must(t, err)
	slices.Sort(keys.Keys)
	return keys.Keys
}

// TestKeysOfAnyLength: records enter and leave whatever keys they have: the longest, and those of
// the records that say what the results are of.
func TestKeysOfAnyLength(t *testing.T) {
	db, ix := newCities(t, "people")
	must(t, Set(t.Context(), db, "people", "bern", "city = Bern"))
	keys := []string{strings.Repeat("k", longest), "=" + strings.Repeat("k", longest-1), "=", positionRecords[0],
		positionRecords[1]}
	slices.Sort(keys)
	move(t, ix, "Bern", keys...)
	await(t, "all enter", func() bool { return slices.Equal(found(t, db, "people", "bern"), keys) })
	must(t, Set(t.Context(), db, "people", "bern", `city in (Bern, Rome)`)) // of the same commit
	move(t, ix, "Oslo", keys...)
	await(t, "all leave", func() bool { return len(found(t, db, "people", "bern")) == 0 })
	members, err := Members(t.Context(), db, "people")
	must(t, err)
	got := make(map[string]int)
	for e, err := range Events(t.Context(), members, "bern", 0) {
		must(t, err)
		for _, key := range e.Entered {
			got[key]++
		}
		for _, key := range e.Left {
			got[key] += 10
		}
	}
	for _, key := range keys {
		if got[key] != 11 {
			t.Errorf("%.20q of %d bytes: got %d, want 11: it entered once and left once", key, len(key), got[key])
		}
	}
	if err := Set(t.Context(), db, "people", strings.Repeat("n", longest), "all"); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("too long a name: got %v", err)
	}
}

// TestIndexesOfAnyName: an index with the longest name has standing queries, apart from those of
// others.
func TestIndexesOfAnyName(t *testing.T) {
	long := strings.Repeat("a", 64)
	db, ix := newCities(t, long)
	other := strings.Repeat("a", 63) + "b"
	second, err := db.CreateIndex(t.Context(), other, uproar.Field{Name: "city", Type: uproar.Single})
	must(t, err)
	for _, index := range []string{long, other} {
		must(t, Set(t.Context(), db, index, "bern", "city = Bern"))
	}
	move(t, ix, "Bern", "ann")
	move(t, second, "Bern", "bob")
	await(t, "each has its own", func() bool {
		return slices.Equal(found(t, db, long, "bern"), []string{"ann"}) &&
			slices.Equal(found(t, db, other, "bern"), []string{"bob"})
	})
	for _, name := range db.Indexes() {
		if name != long && name != other && (!Owns(name) || IsLeft(db, name)) {
			t.Errorf("index %s: got owned %v, left %v, want an owned one that is needed", name, Owns(name), IsLeft(db, name))
		}
	}
}

// TestQueriesEndWithTheirIndex: when an index is dropped, nothing is left of its standing queries,
// and no goroutine keeps them; one that is made later begins anew, and its followers are told.
func TestQueriesEndWithTheirIndex(t *testing.T) {
	ctx := t.Context()
	db, ix := newCities(t, "people")
	must(t, Set(ctx, db, "people", "bern", "city = Bern"))
	move(t, ix, "Bern", "ann")
	await(t, "ann enters", func() bool { return len(found(t, db, "people", "bern")) == 1 })
	members, err := Members(ctx, db, "people")
	must(t, err)
	var last uint64
	for e, err := range Events(ctx, members, "bern", 0) {
		must(t, err)
		last = e.Position
	}
	must(t, db.DropIndex(ctx, "people"))
	await(t, "the results are dropped", func() bool { return slices.Equal(db.Indexes(), []string{Definitions}) })
	await(t, "no goroutine keeps them", func() bool {
		stacks := make([]byte, 1<<20)
		return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "standing.keepIndex")
	})
	if err := members.Wait(ctx, last); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("a follower that waits: got %v, want it told", err)
	}
	ix, err = db.CreateIndex(ctx, "people", uproar.Field{Name: "city", Type: uproar.Single})
	must(t, err)
	if list, err := List(ctx, db, "people"); len(list) > 0 || err != nil {
		t.Errorf("queries of the new index: got %v, %v, want none", list, err)
	}
	must(t, Set(ctx, db, "people", "bern", "city = Bern"))
	move(t, ix, "Bern", "bob")
	await(t, "bob enters", func() bool { return slices.Equal(found(t, db, "people", "bern"), []string{"bob"}) })
	members, err = Members(ctx, db, "people")
	must(t, err)
	for _, err := range Events(ctx, members, "bern", last) {
		if !errors.Is(err, uproar.ErrSequenceTrimmed) {
			t.Errorf("behind a position of before: got %v, want it trimmed", err)
		}
	}
}

// TestResultsWithoutQueries: the results of an index without a query that stands any more go with
// it, also when no keeper has seen them before.
func TestResultsWithoutQueries(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	must(t, err)
	_, err = db.CreateIndex(ctx, "people", uproar.Field{Name: "city", Type: uproar.Single})
	must(t, err)
	must(t, Set(ctx, db, "people", "bern", "city = Bern"))
	must(t, Drop(ctx, db, "people", "bern"))
	must(t, db.DropIndex(ctx, "people"))
	keeping, stop := context.WithCancel(ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { Keep(keeping, db, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { stop(); keeper.Wait(); must(t, db.Close()) })
	await(t, "the results are dropped", func() bool { return slices.Equal(db.Indexes(), []string{Definitions}) })
}
