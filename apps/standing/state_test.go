// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// newQuiet returns a database with the index people, which has a city and a tag, without a keeper.
func newQuiet(t *testing.T) (*uproar.DB, *uproar.Index) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "tag", Type: uproar.Set})
	must(t, err)
	return db, ix
}

// set gives records a value, and returns the commit.
func set(t *testing.T, ix *uproar.Index, field, value string, keys ...string) uint64 {
	t.Helper()
	var b uproar.Batch
	for _, key := range keys {
		b.Set(field, key, value)
	}
	sequence, err := ix.Write(t.Context(), &b)
	must(t, err)
	return sequence
}

// roundsOf returns a keeper of the index people that does a round when it is told to.
func roundsOf(t *testing.T, db *uproar.DB) *rounds {
	t.Helper()
	definitions, err := db.Index(Definitions)
	must(t, err)
	k, err := newRounds(t.Context(), db, definitions, "people", slog.New(slog.DiscardHandler))
	must(t, err)
	return k
}

// takeTurn takes the turn of a keeper, as Keep does.
func takeTurn(t *testing.T, db *uproar.DB) {
	t.Helper()
	giveBack, ok := keeping.take(t.Context(), db)
	if !ok {
		t.Fatal("got no turn")
	}
	t.Cleanup(giveBack)
}

// described holds what is said of a query to what it must be.
func described(t *testing.T, db *uproar.DB, what string, want Query) {
	t.Helper()
	got, err := Find(t.Context(), db, "people", want.Name)
	must(t, err)
	if failing := got.Error != ""; failing != (want.Error != "") {
		t.Fatalf("%s: got error %q, want one %q", what, got.Error, want.Error)
	}
	got.Error, want.Text = want.Error, got.Text
	if got != want {
		t.Fatalf("%s: got %+v, want %+v", what, got, want)
	}
	list, err := List(t.Context(), db, "people")
	must(t, err)
	i := slices.IndexFunc(list, func(q Query) bool { return q.Name == want.Name })
	if i < 0 || list[i].AsOf != want.AsOf || list[i].Records != want.Records {
		t.Fatalf("%s: listed as %+v, want %+v", what, list, want)
	}
}

// TestAsOf: each query says up to which commit it was asked: 0 before it was, and the newest one
// also if that changed nothing.
func TestAsOf(t *testing.T) {
	db, ix := newQuiet(t)
	takeTurn(t, db)
	first := set(t, ix, "city", "Bern", "ann", "bob")
	must(t, Set(t.Context(), db, "people", "bern", "city = Bern"))
	k := roundsOf(t, db)
	defer func() { k.close() }()
	described(t, db, "before a round", Query{Name: "bern"})
	must(t, k.round(t.Context()))
	described(t, db, "asked", Query{Name: "bern", Records: 2, AsOf: first})
	must(t, Set(t.Context(), db, "people", "oslo", "city = Oslo"))
	described(t, db, "another one is new", Query{Name: "oslo"})
	described(t, db, "beside a new one", Query{Name: "bern", Records: 2, AsOf: first})
	must(t, k.round(t.Context()))
	described(t, db, "asked, and empty", Query{Name: "oslo", AsOf: first})
	for i := range 3 {
		quiet := set(t, ix, "city", "Rome", fmt.Sprint("p", i))
		must(t, k.round(t.Context()))
		described(t, db, "a commit that changes nothing", Query{Name: "bern", Records: 2, AsOf: quiet})
		described(t, db, "a commit that changes nothing", Query{Name: "oslo", AsOf: quiet})
	}
	must(t, Set(t.Context(), db, "people", "bern", "city = Rome"))
	described(t, db, "replaced", Query{Name: "bern", Records: 2})
	k.close()
	k = roundsOf(t, db) // the keeper begins again
	described(t, db, "after a restart", Query{Name: "oslo", AsOf: first})
	must(t, k.round(t.Context()))
	described(t, db, "after a restart and a round", Query{Name: "oslo", AsOf: first + 3})
	described(t, db, "replaced, and asked", Query{Name: "bern", Records: 3, AsOf: first + 3})
	must(t, Drop(t.Context(), db, "people", "bern"))
	must(t, k.round(t.Context()))
	must(t, Set(t.Context(), db, "people", "bern", "city = Rome"))
	described(t, db, "dropped, and set anew", Query{Name: "bern"})
}

// TestOlderResults: results of a version that did not tell which queries were asked are gone on
// with.
func TestOlderResults(t *testing.T) {
	db, ix := newQuiet(t)
	_, err := db.CreateIndex(t.Context(), membersOf("people"), memberFields...)
	must(t, err)
	_, err = db.CreateIndex(t.Context(), Definitions, definitionFields...)
	must(t, err)
	definitions, err := db.Index(Definitions)
	must(t, err)
	set(t, definitions, ofField, "people", "people/bern")
	set(t, definitions, queryField, "city = Bern", "people/bern")
	asOf := set(t, ix, "city", "Bern", "ann")
	described(t, db, "before", Query{Name: "bern"})
	k := roundsOf(t, db)
	defer k.close()
	must(t, k.round(t.Context()))
	described(t, db, "after a round", Query{Name: "bern", Records: 1, AsOf: asOf})
}

// TestFailingQuery: a query that cannot be asked says so, to those who list it and to those who
// follow it, and stays as of the commit where it could. Once it can again, its events are the
// difference. A keeper that begins anew meanwhile changes nothing of that.
func TestFailingQuery(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		db, ix := newQuiet(t)
		takeTurn(t, db)
		ctx := t.Context()
		set(t, ix, "tag", "a", "ann", "bob", "cid", "dan", "eve", "limit")
		must(t, Set(ctx, db, "people", "tagged", "tag = a"))
		must(t, Set(ctx, db, "people", "limit", "tag = a and not city = Rome"))
		must(t, Set(ctx, db, "people", "bern", "city = Bern"))
		k := roundsOf(t, db)
		round := func() {
			t.Helper()
			if restarted {
				k.close()
				k = roundsOf(t, db)
			}
			must(t, k.round(ctx))
		}
		round()
		right := set(t, ix, "tag", "b", "bob")
		must(t, k.round(ctx)) // of which no number is kept
		if restarted {
			right-- // the number that is kept
		}
		must(t, db.DropField(ctx, "people", "tag"))
		round()
		described(t, db, "without its field", Query{Name: "tagged", Records: 6, AsOf: right, Error: "some"})
		var b uproar.Batch
		b.DeleteRecord("ann")
		b.DeleteRecord("bob")
		_, err := ix.Write(ctx, &b)
		must(t, err)
		must(t, ix.Flush(ctx))
		now := set(t, ix, "city", "Bern", "bob", "fay")
		round()
		described(t, db, "later", Query{Name: "tagged", Records: 6, AsOf: right, Error: "some"})
		described(t, db, "another query", Query{Name: "bern", Records: 2, AsOf: now})
		_, err = db.AddFields(ctx, "people", uproar.Field{Name: "tag", Type: uproar.Set})
		must(t, err)
		now = set(t, ix, "tag", "a", "bob", "cid", "gus")
		round()
		described(t, db, "again", Query{Name: "tagged", Records: 3, AsOf: now})
		now = set(t, ix, "tag", "a", "hal")
		round()
		members, err := Members(ctx, db, "people")
		must(t, err)
		for _, name := range []string{"tagged", "limit"} {
			found, errs := make(map[string]bool), 0
			var last Event
			for e, err := range Events(ctx, members, name, 0) {
				must(t, err)
				if e.Error != "" {
					if errs++; e.AsOf != right || len(e.Entered)+len(e.Left) > 0 || len(found) != 6 {
						t.Errorf("%s: got %+v with %v found, want only an error as of %d", name, e, found, right)
					}
				}
				for _, key := range e.Entered {
					if found[key] {
						t.Errorf("%s: %s entered twice", name, key)
					}
					found[key] = true
				}
				for _, key := range e.Left {
					if !found[key] {
						t.Errorf("%s: %s left, where it was not", name, key)
					}
					delete(found, key)
				}
				last = e
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, []string{"bob", "cid", "gus", "hal"}) ||
				errs != 1 || last.AsOf != now || last.Error != "" {
				t.Errorf("%s: got %v with %d errors, last %+v, want bob, cid, gus and hal, one error, as of %d", name, got,
					errs, last, now)
			}
		}
		must(t, Drop(ctx, db, "people", "tagged"))
		round()
		k.close()
	}
}

// TestQueryBeyondLimit: a query that needs more memory than it may have says so, and goes on when
// it has it.
func TestQueryBeyondLimit(t *testing.T) {
	db, ix := newQuiet(t)
	var of []string
	var b uproar.Batch
	for i := range 500 {
		of = append(of, fmt.Sprintf("(city = Oslo and tag = t%d)", i))
		b.Set("city", fmt.Sprint("p", i), "Oslo")
		b.Set("tag", fmt.Sprint("p", i), fmt.Sprint("t", i))
		b.Set("tag", fmt.Sprint("p", i+1), fmt.Sprint("t", i))
	}
	asOf, err := ix.Write(t.Context(), &b)
	must(t, err)
	must(t, Set(t.Context(), db, "people", "wide", strings.Join(of, " or ")))
	k := roundsOf(t, db)
	defer k.close()
	must(t, k.round(uproar.LimitQueries(t.Context(), 1<<20)))
	q, err := Find(t.Context(), db, "people", "wide")
	must(t, err)
	if q.Error == "" || q.AsOf != 0 {
		t.Fatalf("with 1 MiB: got error %q as of %d, want an error", q.Error, q.AsOf)
	}
	must(t, k.round(t.Context()))
	q, err = Find(t.Context(), db, "people", "wide")
	if err != nil || q.Error != "" || q.AsOf != asOf || q.Records == 0 {
		t.Errorf("without a limit: got error %q as of %d, %v, want none as of %d", q.Error, q.AsOf, err, asOf)
	}
}

// brief is a context that ends once it was looked at some times.
type brief struct {
	context.Context
	looks int
}

func (c *brief) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestEventsGoOn: a follower whose time ends among the events of others is told where, and gets on
// from there.
func TestEventsGoOn(t *testing.T) {
	db, ix := newQuiet(t)
	must(t, Set(t.Context(), db, "people", "all", "city != Oslo"))
	must(t, Set(t.Context(), db, "people", "oslo", "city = Oslo"))
	k := roundsOf(t, db)
	defer k.close()
	for i := range 40 {
		set(t, ix, "city", "Bern", fmt.Sprint("p", i))
		must(t, k.round(t.Context()))
	}
	set(t, ix, "city", "Oslo", "ann")
	must(t, k.round(t.Context()))
	members, err := Members(t.Context(), db, "people")
	must(t, err)
	var position uint64
	var entered []string
	for tries := 0; len(entered) == 0; tries++ {
		if tries == 60 {
			t.Fatalf("got to position %d in %d tries, want the event of ann", position, tries)
		}
		ctx := &brief{t.Context(), 8}
		for e, err := range Events(ctx, members, "oslo", position) {
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if err != nil && e.Position <= position {
				t.Fatalf("got position %d behind %d, want a later one", e.Position, position)
			}
			entered = append(entered, e.Entered...)
			position = e.Position
		}
	}
	if !slices.Equal(entered, []string{"ann"}) {
		t.Errorf("got %v, want ann", entered)
	}
}

// TestMost: as many queries stand as may, and no more; one of them may be replaced.
func TestMost(t *testing.T) {
	db, _ := newQuiet(t)
	must(t, Set(t.Context(), db, "people", "first", "city = Bern"))
	definitions, err := db.Index(Definitions)
	must(t, err)
	var b uproar.Batch
	for i := range Most - 2 {
		b.Set(ofField, fmt.Sprint("people/q", i), "people")
		b.Set(queryField, fmt.Sprint("people/q", i), "city = Bern")
	}
	_, err = definitions.Write(t.Context(), &b)
	must(t, err)
	must(t, Set(t.Context(), db, "people", "last", "city = Bern"))
	must(t, Set(t.Context(), db, "people", "last", "city = Oslo"))
	if err := Set(t.Context(), db, "people", "more", "city = Bern"); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("one more than %d: got %v, want %v", Most, err, uproar.ErrInvalid)
	}
	must(t, Drop(t.Context(), db, "people", "last"))
	must(t, Set(t.Context(), db, "people", "more", "city = Bern"))
}

// TestAsOfOfAnAliasThatMoves: a query of an alias that has moved was not asked before it is asked
// of the other index. What it is as of then is a commit of that, be it less or more.
func TestAsOfOfAnAliasThatMoves(t *testing.T) {
	for _, more := range []bool{false, true} {
		db, people := newQuiet(t)
		takeTurn(t, db)
		ctx := t.Context()
		others, err := db.CreateIndex(ctx, "others", uproar.Field{Name: "city", Type: uproar.Single})
		must(t, err)
		first := set(t, people, "city", "Bern", "ann")
		second := set(t, others, "city", "Bern", "ann", "bob")
		for range 3 {
			if more {
				second = set(t, others, "city", "Rome", fmt.Sprint("c", second))
			} else {
				first = set(t, people, "city", "Rome", fmt.Sprint("c", first))
			}
		}
		must(t, db.SetAlias(ctx, "now", "people"))
		must(t, Set(ctx, db, "now", "bern", "city = Bern"))
		definitions, err := db.Index(Definitions)
		must(t, err)
		asOf := func() uint64 {
			t.Helper()
			q, err := Find(ctx, db, "now", "bern")
			must(t, err)
			return q.AsOf
		}
		round := func() {
			t.Helper()
			k, err := newRounds(ctx, db, definitions, "now", slog.New(slog.DiscardHandler))
			must(t, err)
			defer k.close()
			must(t, k.round(ctx))
		}
		round()
		if got := asOf(); got != first {
			t.Errorf("before it moved: got %d, want %d", got, first)
		}
		must(t, db.SetAlias(ctx, "now", "others"))
		if got := asOf(); got != 0 {
			t.Errorf("moved: got %d, want 0", got)
		}
		round()
		if got := asOf(); got != second {
			t.Errorf("asked of the other index: got %d, want %d", got, second)
		}
		q, err := Find(ctx, db, "now", "bern")
		if err != nil || q.Records != 2 {
			t.Errorf("asked of the other index: got %d records, %v, want 2", q.Records, err)
		}
	}
}
