// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/store/memstore"
)

// countedSink counts what it is asked and told. It finds no records.
type countedSink struct {
	Sink
	asked, changes int
}

func (s *countedSink) Targets(ctx context.Context, r graph.Relation, account string, limit int) ([]string, error) {
	s.asked++
	return s.Sink.Targets(ctx, r, account, limit)
}

func (s *countedSink) Write(ctx context.Context, c graph.Changes) (uint64, error) {
	s.changes += len(c.List)
	return s.Sink.Write(ctx, c)
}

// finding is a countedSink that finds records.
type finding struct {
	*countedSink
	Finder
}

// TestItemsOfManyLists: an item that is written leaves the list where it was. A sink that finds it
// is told a few changes, whatever the number of lists; another is asked once for them.
func TestItemsOfManyLists(t *testing.T) {
	for _, finds := range []bool{false, true} {
		t.Run(fmt.Sprint("finds=", finds), func(t *testing.T) {
			const lists, items = 50, 200
			g := livetest.NewGraph()
			counted := &countedSink{Sink: g}
			sink := Sink(counted)
			if finds {
				sink = finding{counted, g}
			}
			r := testRules(sink, named{})
			r.begin()
			want := make(map[string]string)
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range items * 3 {
				key := fmt.Sprint("k", rng.IntN(items))
				list := fmt.Sprintf("at://%s/app.bsky.graph.list/%d", anna, rng.IntN(lists))
				e := item(key, list)
				want[key] = list
				if rng.IntN(4) == 0 {
					e = Event{Kind: Deleted, Account: anna, Collection: ListItem, Key: key}
					delete(want, key)
				}
				if err := r.add(t.Context(), &e, 0); err != nil {
					t.Fatal(err)
				}
				if i%7 == 0 || i == items*3-1 { // several of a commit are of one item
					c, _ := r.take()
					if _, err := sink.Write(t.Context(), c); err != nil {
						t.Fatal(err)
					}
				}
			}
			records := make(map[string]string)
			for key, list := range want {
				records["members "+list+" "+key] = bob
				records["members "+ItemsOf(anna)+" "+key] = list
			}
			if difference := livetest.Difference(g.Records(), records); difference != "" {
				t.Error(difference)
			}
			if finds && (counted.asked > 0 || counted.changes > 5*3*items) {
				t.Errorf("asked for lists %d times and made %d changes, want none and few", counted.asked, counted.changes)
			}
			if !finds && counted.asked != 1 {
				t.Errorf("asked for lists %d times, want once", counted.asked)
			}
		})
	}
}

// TestFindInGraph: a graph finds what its records say, before and after a flush.
func TestFindInGraph(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: Keyed})
	if err != nil {
		t.Fatal(err)
	}
	sink := Graph(g)
	want := func(key, list string) {
		t.Helper()
		got, ok, err := sink.(Finder).Find(t.Context(), graph.Members, ItemsOf(anna), key)
		if err != nil || got != list || ok != (list != "") {
			t.Errorf("%s: got %q, %t, %v, want %q", key, got, ok, err, list)
		}
	}
	want(first, "")
	write := func(e Event) {
		t.Helper()
		r := testRules(sink, named{})
		r.begin()
		if err := r.add(t.Context(), &e, 0); err != nil {
			t.Fatal(err)
		}
		c, _ := r.take()
		if _, err := sink.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	write(item(first, ours))
	write(item("self", other))
	for range 2 {
		want(first, ours)
		want("self", other)
		want(later, "")
		want("never", "")
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write(item(first, other))
	want(first, other)
	write(Event{Kind: Deleted, Account: anna, Collection: ListItem, Key: first})
	want(first, "")
	want("self", other)
	// Of the lists that bob is on, and of those that these are on, the follower's own is none.
	for account, lists := range map[string]string{bob: "[" + other + "]", other: "[]"} {
		var shown []string
		for list, err := range g.Sources(graph.Members, account).Shown().All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, list)
		}
		if fmt.Sprint(shown) != lists {
			t.Errorf("lists of %s: got %v, want %s", account, shown, lists)
		}
	}
}
