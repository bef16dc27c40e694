// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// people is an index whose commits are remembered: what each query finds after each of them.
type people struct {
	t      *testing.T
	db     *uproar.DB
	ix     *uproar.Index
	rng    *rand.Rand
	texts  map[string]string
	wanted map[uint64]map[string]map[string]bool // by commit and query
}

func newPeople(t *testing.T, seed uint64) *people {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	ix, err := db.CreateIndex(t.Context(), "people", peopleFields...)
	must(t, err)
	p := &people{t: t, db: db, ix: ix, rng: rand.New(rand.NewPCG(seed, 1)), texts: maps.Clone(peopleQueries),
		wanted: make(map[uint64]map[string]map[string]bool)}
	var b uproar.Batch
	b.Set(uproar.SavedField, "p1", "vips")
	_, err = ix.Write(t.Context(), &b)
	must(t, err)
	for name, text := range p.texts {
		must(t, Set(t.Context(), db, "people", name, text))
	}
	p.remember()
	return p
}

// remember evaluates all queries anew.
func (p *people) remember() {
	p.t.Helper()
	s := p.ix.Snapshot()
	defer s.Close()
	at := make(map[string]map[string]bool)
	for name, text := range p.texts {
		e, err := query.Parse(text)
		must(p.t, err)
		keys, err := s.Keys(p.t.Context(), e, uproar.Page{})
		must(p.t, err)
		at[name] = make(map[string]bool)
		for _, key := range keys.Keys {
			at[name][key] = true
		}
		if before := p.wanted[s.Sequence()-1][name]; maps.Equal(before, at[name]) && before != nil {
			at[name] = before // not kept twice
		}
	}
	p.wanted[s.Sequence()] = at
}

// live writes a random batch.
func (p *people) live() {
	p.t.Helper()
	_, err := p.ix.Write(p.t.Context(), batchOf(randomOps(p.rng)))
	must(p.t, err)
	if p.rng.IntN(50) == 0 {
		must(p.t, p.ix.Flush(p.t.Context()))
	}
	p.remember()
}

// check follows the events of all queries from the beginning: none is missing, none double, and
// what has come together is what the query finds. apart says from which commit on each comes by
// itself.
func (p *people) check(apart uint64) (events int) {
	p.t.Helper()
	members, err := Members(p.t.Context(), p.db, "people")
	must(p.t, err)
	s := p.ix.Snapshot()
	last := s.Sequence()
	s.Close()
	for name := range p.texts {
		f := newFollower(name)
		for e, err := range Events(p.t.Context(), members, name, 0) {
			must(p.t, err)
			must(p.t, f.apply(e, func(commit uint64) (map[string]bool, bool) {
				at, ok := p.wanted[commit]
				return at[name], ok
			}))
		}
		if want := p.wanted[last][name]; !maps.Equal(f.found, want) {
			p.t.Fatalf("%s in the end: got %v, want %v", name, f.found, want)
		}
		for commit := apart + 1; commit <= last && !several[name]; commit++ {
			if changed := !maps.Equal(p.wanted[commit][name], p.wanted[commit-1][name]); changed != f.told[commit] {
				p.t.Errorf("%s: commit %d has changed it from %v to %v: got an event %v, want %v", name, commit,
					p.wanted[commit-1][name], p.wanted[commit][name], f.told[commit], changed)
			}
		}
		events += f.events
	}
	return events
}

// await waits until the results are those of the newest commit.
func (p *people) await() {
	p.t.Helper()
	s := p.ix.Snapshot()
	want := p.wanted[s.Sequence()]
	s.Close()
	awaitResults(p.t, p.db, want)
}

// awaitResults waits until the queries of the index people have found some records.
func awaitResults(t *testing.T, db *uproar.DB, want map[string]map[string]bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		got := make(map[string]map[string]bool)
		for name := range want {
			got[name] = resultOf(t, db, name)
		}
		if maps.EqualFunc(got, want, maps.Equal) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("got %v after a minute, want %v", got, want)
		}
	}
}

// resultOf returns what a query has found.
func resultOf(t *testing.T, db *uproar.DB, name string) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	members, err := Members(t.Context(), db, "people")
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return found
	}
	must(t, err)
	s := members.Snapshot()
	defer s.Close()
	keys, err := s.Keys(t.Context(), query.Equal{Field: inField, Value: name}, uproar.Page{})
	must(t, err)
	for _, key := range keys.Keys {
		found[key] = true
	}
	return found
}

// TestEventsAreTheDifference: whatever is written, and however often the keeper ends and begins
// again, the events of a query add up to what it finds.
func TestEventsAreTheDifference(t *testing.T) {
	rounds, commits := 20, 100
	switch {
	case testing.Short():
		rounds = 5
	case os.Getenv("UPROAR_LONG") == "1":
		rounds, commits = 100, 1000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := newPeople(t, seed)
	for range rounds {
		ctx, stop := context.WithCancel(t.Context())
		var keeper sync.WaitGroup
		keeper.Go(func() { Keep(ctx, p.db, slog.New(slog.DiscardHandler)) })
		for range 1 + p.rng.IntN(commits) {
			p.live()
			if p.rng.IntN(10) == 0 {
				time.Sleep(time.Duration(p.rng.IntN(8)) * time.Millisecond)
			}
		}
		stop() // anywhere
		keeper.Wait()
		for range p.rng.IntN(10) {
			p.live()
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var keeper sync.WaitGroup
	keeper.Go(func() { Keep(ctx, p.db, slog.New(slog.DiscardHandler)) })
	p.await()
	stop()
	keeper.Wait()
	if n := p.check(math.MaxUint64 - 1); n < rounds {
		t.Errorf("got %d events in %d rounds: this tests too little", n, rounds)
	}
}

// TestCommitsComeApart: however many commits come between two rounds, each has an event of its own.
func TestCommitsComeApart(t *testing.T) {
	windows := 30
	switch {
	case testing.Short():
		windows = 8
	case os.Getenv("UPROAR_LONG") == "1":
		windows = 2000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := newPeople(t, seed)
	for range 200 {
		p.live()
	}
	k := p.rounds()
	defer k.close()
	must(t, k.round(t.Context()))
	began := k.asked
	for range windows {
		for range 1 + p.rng.IntN(40) {
			p.live()
		}
		must(t, k.round(t.Context()))
	}
	if n := p.check(began); n < windows {
		t.Errorf("got %d events in %d rounds: this tests too little", n, windows)
	}
}

// TestDeletedMeanwhile: commits are told apart, too, when records that they name are deleted while
// they are read.
func TestDeletedMeanwhile(t *testing.T) {
	p := newPeople(t, 1)
	k := p.rounds()
	defer k.close()
	must(t, k.round(t.Context()))
	write := func(ops ...op) {
		t.Helper()
		_, err := p.ix.Write(t.Context(), batchOf(ops))
		must(t, err)
	}
	write(op{uproar.ChangeSet, "likes", "ann", "bob"}, op{uproar.ChangeSet, "likes", "cid", "bob"})
	write(op{uproar.ChangeClear, "likes", "cid", "bob"}, op{uproar.ChangeDeleteRow, "likes", "", "bob"})
	s := p.ix.Snapshot()
	defer s.Close()
	id, err := s.ID("bob")
	must(t, err)
	write(op{uproar.ChangeDeleteRecord, "", "ann", ""}, op{uproar.ChangeDeleteRecord, "", "bob", ""})
	must(t, p.ix.Flush(t.Context()))
	c, err := changesOf(t.Context(), p.ix, s, k.asked, k.fields, k.history(s))
	must(t, err)
	if c.history == nil {
		t.Fatal("got no history, want that of both commits")
	}
	told := ""
	for _, e := range c.history.edits[id] {
		told += fmt.Sprintln(e.commit-k.asked, e.kind, e.field, e.value)
	}
	const want = "1 addRecord  \n1 set likers ann\n1 set likers cid\n2 deleteRow likes \n2 clear likers cid\n"
	if told != want {
		t.Errorf("got %s, want %s", told, want)
	}
}

// rounds returns a keeper that does a round when it is told to.
func (p *people) rounds() *rounds {
	p.t.Helper()
	definitions, err := p.db.Index(Definitions)
	must(p.t, err)
	k, err := newRounds(p.t.Context(), p.db, definitions, "people", slog.New(slog.DiscardHandler))
	must(p.t, err)
	return k
}

// TestLifeOfAQuery: a query is replaced, then dropped, and its records enter and leave.
func TestLifeOfAQuery(t *testing.T) {
	p := newPeople(t, 1)
	for i := range 10 {
		var b uproar.Batch
		b.Set("country", fmt.Sprint("p", i), []string{"ch", "de"}[i%2])
		_, err := p.ix.Write(t.Context(), &b)
		must(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var keeper sync.WaitGroup
	defer keeper.Wait()
	defer stop()
	keeper.Go(func() { Keep(ctx, p.db, slog.New(slog.DiscardHandler)) })
	want := func(name string, records uint64) {
		t.Helper()
		for until := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
			list, err := List(t.Context(), p.db, "people")
			must(t, err)
			i := slices.IndexFunc(list, func(q Query) bool { return q.Name == name })
			if i >= 0 && list[i].Records == records {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("%s: got %+v, want %d records", name, list, records)
			}
		}
	}
	must(t, Set(t.Context(), p.db, "people", "new", "country = ch"))
	want("new", 5)
	must(t, Set(t.Context(), p.db, "people", "new", "country in (ch, de) and not country = fr"))
	want("new", 10)
	must(t, p.db.DropField(t.Context(), "people", "age"))
	must(t, Set(t.Context(), p.db, "people", "new", "country = de"))
	want("new", 5)
	must(t, Drop(t.Context(), p.db, "people", "new"))
	if err := Drop(t.Context(), p.db, "people", "new"); !errors.Is(err, ErrUnknown) {
		t.Errorf("dropped twice: got %v, want %v", err, ErrUnknown)
	}
	members, err := Members(t.Context(), p.db, "people")
	must(t, err)
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		entered, left := 0, 0
		for e, err := range Events(t.Context(), members, "new", 0) {
			must(t, err)
			entered, left = entered+len(e.Entered), left+len(e.Left)
		}
		if entered == 10 && left == 10 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("got %d that entered and %d that left, want 10 and 10", entered, left)
		}
	}
	for name, text := range map[string]string{"": "all", "a/b": "all", "x": "country =", "y": "colour = red"} {
		if err := Set(t.Context(), p.db, "people", name, text); err == nil {
			t.Errorf("%q: %s: got no error", name, text)
		}
	}
	if err := Set(t.Context(), p.db, "nowhere", "x", "all"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("an unknown index: got %v", err)
	}
	if err := Set(t.Context(), p.db, Definitions, "x", "all"); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("the index of definitions: got %v", err)
	}
}

// TestFieldsChange: a query follows a relation that is added after it began to be kept, and forgets
// the values of a field that was dropped and added anew.
func TestFieldsChange(t *testing.T) {
	p := newPeople(t, 2)
	ctx, stop := context.WithCancel(t.Context())
	var keeper sync.WaitGroup
	defer keeper.Wait()
	defer stop()
	write := func(field, record, value string) {
		t.Helper()
		var b uproar.Batch
		b.Set(field, record, value)
		_, err := p.ix.Write(t.Context(), &b)
		must(t, err)
	}
	want := func(name string, records uint64) {
		t.Helper()
		for until := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
			list, err := List(t.Context(), p.db, "people")
			must(t, err)
			i := slices.IndexFunc(list, func(q Query) bool { return q.Name == name })
			if i >= 0 && list[i].Records == records {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("%s: got %+v, want %d records", name, list, records)
			}
		}
	}
	keeper.Go(func() { Keep(ctx, p.db, slog.New(slog.DiscardHandler)) })
	write("country", "p1", "ch")
	want("swiss", 1)
	_, err := p.db.AddFields(t.Context(), "people", uproar.Field{Name: "knows", Type: uproar.Relation,
		Inverse: "known"})
	must(t, err)
	must(t, Set(t.Context(), p.db, "people", "known", "knows(p1)"))
	write("knows", "p1", "p7")
	want("known", 1)
	write("knows", "p1", "p8")
	want("known", 2)
	must(t, p.db.DropField(t.Context(), "people", "country"))
	_, err = p.db.AddFields(t.Context(), "people", uproar.Field{Name: "country", Type: uproar.Single})
	must(t, err)
	write("tag", "p9", "c") // a commit, with which the keeper looks again
	want("swiss", 0)
}
