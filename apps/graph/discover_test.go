// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

type edge struct {
	relation        graph.Relation
	account, target string
}

// world is a graph of all relations as plain maps.
type world struct {
	edges map[edge]bool
	order []string // accounts that exist, in the order of first appearance
}

func (w *world) exists(account string) {
	if !slices.Contains(w.order, account) {
		w.order = append(w.order, account)
	}
}

func (w *world) apply(c graph.Change) {
	switch e := (edge{c.Relation, c.Account, c.Target}); c.Op {
	case graph.Set:
		w.exists(c.Account)
		w.exists(c.Target)
		w.edges[e] = true
	case graph.Clear:
		delete(w.edges, e)
	case graph.Delete:
		for e := range w.edges {
			if e.account == c.Account || e.target == c.Account {
				delete(w.edges, e)
			}
		}
		w.order = slices.DeleteFunc(w.order, func(x string) bool { return x == c.Account })
	}
}

func (w *world) has(r graph.Relation, account, target string) bool {
	return w.edges[edge{r, account, target}]
}

// all lists the accounts that fit, in order.
func (w *world) all(fits func(x string) bool) string {
	var list []string
	for _, x := range w.order {
		if fits(x) {
			list = append(list, x)
		}
	}
	return strings.Join(list, " ")
}

// hides reports whether a viewer is not shown an account.
func (w *world) hides(viewer, x string) bool {
	return w.has(graph.Blocks, viewer, x) || w.has(graph.Blocks, x, viewer) || w.has(graph.Mutes, viewer, x)
}

func (w *world) follows(x string) (n int) {
	for e := range w.edges {
		if e.relation == graph.Follows && e.account == x {
			n++
		}
	}
	return n
}

// rank orders accounts by a score, leaves out those without one, and shows the first.
func (w *world) rank(limit int, score func(x string) float64, left func(x string) bool) (shown string, all uint64) {
	type scored struct {
		key   string
		score float64
	}
	var list []scored
	for _, x := range w.order {
		if s := score(x); s > 0 && !left(x) {
			list = append(list, scored{x, s})
		}
	}
	// Scores that are equal, as 1/√6 and 2/√24 are, may differ in their last bits as they are
	// calculated here. Those that are not differ by more, as they are made of small numbers.
	slices.SortStableFunc(list, func(a, b scored) int {
		if math.Abs(a.score-b.score) < 1e-12 {
			return 0
		}
		return cmp.Compare(b.score, a.score)
	})
	all = uint64(len(list))
	for _, x := range list[:min(limit, len(list))] {
		shown += fmt.Sprintf("%s:%.9f ", x.key, x.score)
	}
	return shown, all
}

func ranked(list []graph.Ranked) (shown string) {
	for _, x := range list {
		shown += fmt.Sprintf("%s:%.9f ", x.Key, x.Score)
	}
	return shown
}

// common counts whom an account follows who fit.
func (w *world) common(account string, fits func(friend string) bool) (n float64) {
	for _, f := range w.order {
		if w.has(graph.Follows, account, f) && fits(f) {
			n++
		}
	}
	return n
}

// Every verb agrees with plain maps, on random graphs, with writes pending and while flushes run.
func TestDiscoverAgainstModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	g, _ := open(t)
	w := &world{edges: make(map[edge]bool)}
	flushing, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for flushing.Err() == nil {
			_ = g.Index().Flush(flushing)
			time.Sleep(time.Millisecond)
		}
	}()
	defer func() { stop(); <-done }()
	name := func() string { return fmt.Sprintf("a%02d", rng.IntN(24)) }
	relations := []graph.Relation{graph.Follows, graph.Follows, graph.Follows, graph.Follows, graph.Follows,
		graph.Blocks, graph.Mutes, graph.Members}
	rounds := 120
	if testing.Short() {
		rounds = 40
	}
	for round := range rounds {
		var c graph.Changes
		for range 1 + rng.IntN(12) {
			change := graph.Change{Op: graph.Set, Relation: relations[rng.IntN(len(relations))], Account: name(),
				Target: name()}
			switch rng.IntN(20) {
			case 0, 1, 2:
				change.Op = graph.Clear
			case 3:
				change = graph.Change{Op: graph.Delete, Account: name()}
			}
			c.List = append(c.List, change)
		}
		if _, err := g.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, change := range c.List {
			w.apply(change)
		}
		if len(w.order) == 0 {
			continue
		}
		a, b := w.order[rng.IntN(len(w.order))], w.order[rng.IntN(len(w.order))]
		v := w.order[rng.IntN(len(w.order))]
		for _, r := range []graph.Relation{graph.Follows, graph.Blocks, graph.Mutes, graph.Members} {
			same(t, fmt.Sprint(a, " ", r), g.Targets(r, a), w.all(func(x string) bool { return w.has(r, a, x) }))
			same(t, fmt.Sprint(r, " ", a), g.Sources(r, a), w.all(func(x string) bool { return w.has(r, x, a) }))
		}
		reach := func(x string) bool {
			return w.has(graph.Follows, a, x) || w.common(a, func(f string) bool {
				return w.has(graph.Follows, f, x)
			}) > 0
		}
		same(t, "mutuals following", g.MutualsFollowing(a, b), w.all(func(x string) bool {
			return w.has(graph.Follows, a, x) && w.has(graph.Follows, x, a) && w.has(graph.Follows, x, b)
		}))
		same(t, "follows following", g.FollowsFollowing(a, b), w.all(func(x string) bool {
			return w.has(graph.Follows, a, x) && w.has(graph.Follows, x, b)
		}))
		same(t, "reach", g.Reach(a), w.all(reach))
		same(t, "reach for a viewer", g.Reach(a).For(v), w.all(func(x string) bool {
			return reach(x) && !w.hides(v, x)
		}))
		same(t, "followers without followers", g.Followers(a).Without(g.Followers(b)), w.all(func(x string) bool {
			return w.has(graph.Follows, x, a) && !w.has(graph.Follows, x, b)
		}))

		limit := rng.IntN(8)
		top, all, err := g.Suggestions(t.Context(), a, limit)
		shown, count := w.rank(limit, func(x string) float64 {
			return w.common(a, func(f string) bool { return w.has(graph.Follows, f, x) })
		},
			func(x string) bool { return x == a || w.has(graph.Follows, a, x) || w.hides(a, x) })
		if err != nil || ranked(top) != shown || all != count {
			t.Fatalf("round %d: suggestions for %s: got %q of %d (%v), want %q of %d", round, a, ranked(top), all, err,
				shown, count)
		}
		for _, by := range []uproar.Measure{uproar.ByCount, uproar.ByJaccard, uproar.ByCosine} {
			top, all, err := g.Similar(t.Context(), a, by, limit)
			shown, count := w.rank(limit, func(x string) float64 {
				c, own, of := w.common(a, func(f string) bool {
					return w.has(graph.Follows, x, f)
				}), float64(w.follows(x)), float64(w.follows(a))
				return score(by, c, of, own)
			}, func(x string) bool { return x == a || w.hides(a, x) })
			if err != nil || ranked(top) != shown || all != count {
				t.Fatalf("round %d: similar to %s by %s: got %q of %d (%v), want %q of %d", round, a, by, ranked(top),
					all, err, shown, count)
			}
		}
		ids, found, err := g.Lookup(t.Context(), append(slices.Clone(w.order), "nobody", "")...)
		if err != nil || len(ids) != len(w.order)+2 || found[len(w.order)] || found[len(w.order)+1] ||
			slices.Contains(found[:len(w.order)], false) || !slices.IsSorted(ids[:len(w.order)]) {
			t.Fatalf("lookup: got %v %v (%v)", ids, found, err)
		}
		if keys, err := g.LookupIDs(t.Context(), append(ids[:len(w.order)], 1<<40)...); err != nil ||
			strings.Join(keys, " ") != strings.Join(w.order, " ")+" " {
			t.Fatalf("lookup of IDs: got %v (%v), want %v", keys, err, w.order)
		}
		if t.Failed() {
			return
		}
	}
}

func score(by uproar.Measure, c, of, own float64) float64 {
	switch {
	case c == 0:
		return 0
	case by == uproar.ByJaccard:
		return c / (of + own - c)
	case by == uproar.ByCosine:
		return c / math.Sqrt(of*own)
	}
	return c
}

// same compares a set with the accounts that it should have, listed, paged, and counted.
func same(t *testing.T, what string, got graph.Accounts, want string) {
	t.Helper()
	check(t, what, got, strings.Join(slices.Sorted(strings.FieldsSeq(want)), " "))
	var keys []string
	for p := (uproar.Page{Limit: 3}); ; {
		page, err := got.Page(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, page.Keys...)
		if p.From = page.Next; !page.More {
			break
		}
	}
	if strings.Join(keys, " ") != want {
		t.Errorf("%s: got pages %v, want %s", what, keys, want)
	}
}

// The position of a stream is written with its events, or not at all.
func TestPosition(t *testing.T) {
	g, _ := open(t)
	if x, ok, err := g.Position("firehose"); x != 0 || ok || err != nil {
		t.Errorf("before anything: got %d, %t, %v", x, ok, err)
	}
	for i := range int64(4) {
		c := graph.Changes{List: []graph.Change{{Op: graph.Set, Relation: graph.Follows, Account: "a",
			Target: fmt.Sprint("b", i)}}, Stream: "firehose", Position: 1 << 50 * (i - 1)}
		if _, err := g.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if x, ok, err := g.Position("firehose"); x != c.Position || !ok || err != nil {
			t.Errorf("got %d, %t, %v, want %d", x, ok, err, c.Position)
		}
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wrong := graph.Changes{List: []graph.Change{{Op: graph.Set, Relation: "likes", Account: "a", Target: "b"}},
		Stream: "firehose", Position: 9}
	_, err := g.Write(t.Context(), wrong)
	var at *graph.ChangeError
	if !errors.As(err, &at) || at.Position != 0 || !errors.As(err, new(*graph.RelationError)) {
		t.Errorf("got %v, want an error about change 0 and its relation", err)
	}
	if x, _, _ := g.Position("firehose"); x != 2<<50 {
		t.Errorf("after a refused batch: got position %d", x)
	}
	for _, c := range []graph.Change{{}, {Account: "a"}, {Op: "put", Relation: graph.Follows, Account: "a",
		Target: "b"}, {Op: graph.Set, Relation: graph.Follows, Account: "a"},
		{Op: graph.Delete, Account: "a", Target: "b"}, {Op: graph.Delete, Relation: graph.Blocks, Account: "a"},
		{Op: graph.Delete}} {
		if _, err := g.Write(t.Context(), graph.Changes{List: []graph.Change{c}}); !errors.As(err, &at) {
			t.Errorf("%+v: got %v, want an error", c, err)
		}
	}
	if _, err := g.Targets("likes", "a").Count(t.Context()); !errors.As(err, new(*graph.RelationError)) {
		t.Errorf("got %v, want a RelationError", err)
	}
	if _, _, err := g.Suggestions(t.Context(), "nobody", 3); !errors.As(err, new(*graph.UnknownAccountError)) {
		t.Errorf("got %v, want an UnknownAccountError", err)
	}
}
