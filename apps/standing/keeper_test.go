// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// keep starts a keeper, and returns what ends it.
func (p *people) keep() (stop func()) {
	ctx, cancel := context.WithCancel(p.t.Context())
	var keeper sync.WaitGroup
	keeper.Go(func() { Keep(ctx, p.db, slog.New(slog.DiscardHandler)) })
	return sync.OnceFunc(func() { cancel(); keeper.Wait() })
}

// TestOneKeeper: of several keepers of a database one keeps, and another takes over when it ends.
// Each event comes once.
func TestOneKeeper(t *testing.T) {
	p := newPeople(t, 3)
	var stops []func()
	for range 4 {
		stops = append(stops, p.keep())
	}
	other := newPeople(t, 4) // which does not wait for them
	stopOther := other.keep()
	for i := range 4 {
		for range 50 {
			p.live()
			other.live()
		}
		p.await()
		if i == 0 {
			other.await()
		}
		keeping.Lock()
		keepers := keeping.of[p.db].wanted
		keeping.Unlock()
		if keepers != 4-i {
			t.Errorf("got %d keepers, want %d", keepers, 4-i)
		}
		stops[i]()
	}
	stopOther()
	if n := p.check(0xffff_ffff); n < 50 {
		t.Errorf("got %d events: this tests too little", n)
	}
	keeping.Lock()
	defer keeping.Unlock()
	if keeping.of[p.db] != nil || keeping.of[other.db] != nil {
		t.Errorf("in the end: got %d keepers, want none", len(keeping.of))
	}
}

// TestKeysOfThoseWhoLeft: a record that is in no query loses its key when nobody can read any more
// that it left, and not before. It may come back.
func TestKeysOfThoseWhoLeft(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), &uproar.Options{LogEntries: 20})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	p := &people{t: t, db: db}
	p.ix, err = db.CreateIndex(ctx, "people", peopleFields...)
	must(t, err)
	must(t, Set(ctx, db, "people", "swiss", "country = ch"))
	k := p.rounds()
	defer k.close()
	to := func(country string, from, to int) {
		t.Helper()
		var b uproar.Batch
		for i := from; i < to; i++ {
			b.Set("country", fmt.Sprint("p", i), country)
		}
		_, err := p.ix.Write(ctx, &b)
		must(t, err)
		k.leftovers.looked = time.Time{} // as if a minute had passed
		must(t, k.round(ctx))
	}
	keys := func() int {
		t.Helper()
		s := k.members.Snapshot()
		defer s.Close()
		n, err := s.Count(ctx, query.All{})
		must(t, err)
		return int(n) - 1 // the position
	}
	to("ch", 0, 100)
	to("de", 0, 50)
	if n := keys(); n != 100 {
		t.Fatalf("those who left just now: got %d keys, want 100", n)
	}
	to("ch", 0, 10) // p0 to p9 come back
	to("de", 0, 10)
	position := uint64(0)
	for e, err := range Events(ctx, k.members, "swiss", 0) {
		must(t, err)
		position = e.Position
	}
	for i := range 40 {
		to([]string{"ch", "de"}[i%2], 200, 201)
	}
	must(t, k.members.Flush(ctx))
	to("ch", 200, 201)
	to("de", 200, 201)
	to("ch", 200, 201)
	if n := keys(); n > 65 || n < 51 {
		t.Errorf("those who left long ago: got %d keys, want 51, and some of p0 to p9", n)
	}
	for _, err := range Events(ctx, k.members, "swiss", position) {
		if !errors.Is(err, uproar.ErrSequenceTrimmed) {
			t.Errorf("behind position %d: got %v, want that it is trimmed", position, err)
		}
		break
	}
	to("ch", 20, 30)
	if got := len(resultOf(t, db, "swiss")); got != 61 {
		t.Errorf("when some are back: got %d records, want 61", got)
	}
}

// TestSavedAudiences: a query that names saved audiences follows them, whichever way they are
// saved, and when they are saved anew, change their kind, or are forgotten.
func TestSavedAudiences(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t, 5)
	as, err := audience.Of(p.db, "people")
	must(t, err)
	country := func(country string, keys ...string) {
		t.Helper()
		var b uproar.Batch
		for _, key := range keys {
			b.Set("country", key, country)
		}
		_, err := p.ix.Write(ctx, &b)
		must(t, err)
	}
	save := func(save func(context.Context, string, query.Expr) (uint64, error), name, text string) {
		t.Helper()
		e, err := query.Parse(text)
		must(t, err)
		_, err = save(ctx, name, e)
		must(t, err)
	}
	country("ch", "a", "b")
	country("de", "c")
	if err := Set(ctx, p.db, "people", "of", "saved(aud) or saved(frozen)"); !errors.Is(err, uproar.ErrUnknownSet) {
		t.Fatalf("of audiences that there are not: got %v, want an unknown set", err)
	}
	save(as.Follow, "aud", "country = ch")
	save(as.Freeze, "frozen", "country = fr")
	must(t, Set(ctx, p.db, "people", "of", "saved(aud) or saved(frozen)"))
	must(t, Set(ctx, p.db, "people", "not", "not saved(aud) and country in (ch, de, fr)"))
	defer p.keep()()
	want := func(what string, of, not []string) {
		t.Helper()
		for name, want := range map[string][]string{"of": of, "not": not} {
			for until := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
				got := slices.Sorted(maps.Keys(resultOf(t, p.db, name)))
				if slices.Equal(got, want) {
					break
				}
				if time.Now().After(until) {
					t.Fatalf("%s: %s: got %v, want %v", what, name, got, want)
				}
			}
		}
	}
	want("at first", []string{"a", "b"}, []string{"c"})
	country("ch", "d")
	want("d is new", []string{"a", "b", "d"}, []string{"c"})
	save(as.Follow, "aud", "country = de")
	want("the audience is another", []string{"c"}, []string{"a", "b", "d"})
	save(as.Freeze, "frozen", "country = ch")
	want("the set is another", []string{"a", "b", "c", "d"}, []string{"a", "b", "d"})
	country("fr", "a")
	want("a moved", []string{"a", "b", "c", "d"}, []string{"a", "b", "d"})
	must(t, as.Forget(ctx, "frozen"))
	want("the set is forgotten", []string{"c"}, []string{"a", "b", "d"})
	save(as.Follow, "frozen", "country = fr")
	want("the set follows now", []string{"a", "c"}, []string{"a", "b", "d"})
	save(as.Follow, "inner", "country = ch")
	save(as.Follow, "aud", "saved(inner)")
	want("one audience needs another", []string{"a", "b", "d"}, []string{"a", "c"})
	save(as.Follow, "inner", "country = de")
	want("the inner one is another", []string{"a", "c"}, []string{"a", "b", "d"})
	must(t, as.Forget(ctx, "aud"))
	want("the audience is forgotten", []string{"a"}, []string{"a", "b", "c", "d"})
	save(as.Freeze, "aud", "country = ch")
	want("the audience is back", []string{"a", "b", "d"}, []string{"a", "c"})
	members, err := Members(ctx, p.db, "people")
	must(t, err)
	f := newFollower("of")
	for e, err := range Events(ctx, members, "of", 0) {
		must(t, err)
		must(t, f.apply(e, func(uint64) (map[string]bool, bool) { return nil, false }))
	}
	if got := slices.Sorted(maps.Keys(f.found)); !slices.Equal(got, []string{"a", "b", "d"}) {
		t.Errorf("the events add up to %v, want a, b and d", got)
	}
}

// TestAlias: a query of an alias is of the index that it stands for, also when it moves, and has
// nothing to do with the queries of that index.
func TestAlias(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t, 6)
	other, err := p.db.CreateIndex(ctx, "others", peopleFields...)
	must(t, err)
	must(t, p.db.SetAlias(ctx, "now", "people"))
	must(t, Set(ctx, p.db, "now", "swiss", "country = ch"))
	for ix, key := range map[*uproar.Index]string{p.ix: "ann", other: "bob"} {
		var b uproar.Batch
		b.Set("country", key, "ch")
		_, err := ix.Write(ctx, &b)
		must(t, err)
	}
	defer p.keep()()
	want := func(key string) {
		t.Helper()
		for until := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			members, err := Members(ctx, p.db, "now")
			var found []string
			if err == nil {
				s := members.Snapshot()
				keys, err := s.Keys(ctx, query.Equal{Field: inField, Value: "swiss"}, uproar.Page{})
				must(t, err)
				found = keys.Keys
				n, err := s.Count(ctx, query.Not{Of: query.Equal{Field: inField, Value: "swiss"}})
				must(t, err)
				s.Close()
				if n > 2 { // the position, and who has left
					t.Fatalf("got %d records of other queries", n)
				}
			}
			if slices.Equal(found, []string{key}) {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("got %q, %v, want %s", found, err, key)
			}
		}
	}
	want("ann")
	if name, err := Needs(ctx, p.db, p.ix, "country"); name == "" || err != nil {
		t.Errorf("who needs the country: got %q, %v", name, err)
	}
	must(t, p.db.SetAlias(ctx, "now", "others"))
	want("bob")
	if name, err := Needs(ctx, p.db, other, "country"); name != "swiss" || err != nil {
		t.Errorf("who needs the country of the other index: got %q, %v", name, err)
	}
}

// TestFirstRoundTakesLittle: what a query finds at once is not held record by record.
func TestFirstRoundTakesLittle(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t, 7)
	const records, queries = 20_000, 10
	for from := 0; from < records; from += 1000 {
		var b uproar.Batch
		for i := range 1000 {
			b.Set("country", fmt.Sprint("p", from+i), "ch")
		}
		_, err := p.ix.Write(ctx, &b)
		must(t, err)
	}
	for i := range queries {
		must(t, Set(ctx, p.db, "people", fmt.Sprint("all", i), "country = ch"))
	}
	k := p.rounds()
	defer k.close()
	s := p.ix.Snapshot()
	defer s.Close()
	k.reshape(s)
	must(t, k.define(ctx))
	c := &changes{last: s.Sequence()}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	for name, q := range k.queries {
		must(t, k.ask(ctx, s, name, q, c, nil))
	}
	if took := int64(held()) - int64(before); took > 20*queries*records {
		t.Errorf("%d queries that find %d records hold %d bytes, want less than 20 for each", queries, records, took)
	}
	must(t, k.write(ctx, s, c))
	m := k.members.Snapshot()
	defer m.Close()
	for i := range queries {
		n, err := m.Count(ctx, query.Equal{Field: inField, Value: fmt.Sprint("all", i)})
		must(t, err)
		if want := k.queries[fmt.Sprint("all", i)].found.Len(); n != want || n < records {
			t.Fatalf("query %d: got %d records, want %d", i, n, want)
		}
	}
}
