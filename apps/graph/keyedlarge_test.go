// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// tidOf returns a TID of a time in microseconds since 1970.
func tidOf(micros int64, clock int) string {
	const digits = "234567abcdefghijklmnopqrstuvwxyz"
	var text [13]byte
	for i, x := 12, uint64(micros)<<10|uint64(clock); i >= 0; i, x = i-1, x>>5 {
		text[i] = digits[x&31]
	}
	return string(text[:])
}

// TestLargeAccounts: an account with more records than a page has, which come and go between
// flushes, and neighbours with few.
func TestLargeAccounts(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	db, g := keyedGraph(t)
	m := keyedModel{}
	micros := int64(1_700_000_000_000_000)
	var keys []string
	write := func(list []graph.Change) {
		mustWrite(t, g, list...)
		for _, c := range list {
			m.apply(c)
		}
	}
	for round := range 10 {
		var list []graph.Change
		for range 100 + r.IntN(3000) {
			micros += r.Int64N(1 << r.IntN(40))
			key := tidOf(micros, r.IntN(4))
			keys = append(keys, key)
			list = append(list, put("large", key, fmt.Sprintf("t%d", r.IntN(6000))))
			if r.IntN(20) == 0 {
				list = append(list, put(fmt.Sprintf("small%d", r.IntN(50)), key, "large"))
			}
		}
		write(list)
		list = nil
		most := 1 + r.IntN(len(keys)/3)
		if from := r.IntN(len(keys)); round%3 == 2 { // most of some pages
			for _, key := range keys[from:min(len(keys), from+most)] {
				list = append(list, drop("large", key))
			}
		} else {
			for range most / 4 {
				list = append(list, drop("large", keys[r.IntN(len(keys))]))
			}
		}
		write(list)
		if round == 9 {
			if _, err := g.Write(t.Context(), graph.Changes{List: []graph.Change{{Op: graph.Delete,
				Account: "t7"}}}); err != nil {
				t.Fatal(err)
			}
			m.apply(graph.Change{Op: graph.Delete, Account: "t7"})
		}
		for _, flushed := range []bool{false, true} {
			if flushed {
				if err := g.Index().Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, account := range []string{"large", "small3", "small44"} {
				if got, want := recordsOf(t, g, account), m.list(account); got != want {
					t.Fatalf("round %d, flushed %v: %s differs: got %d bytes, want %d", round, flushed, account, len(got),
						len(want))
				}
			}
		}
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	checkParts(t, g, r)
	var list []graph.Change
	for range 300 { // checked as deltas have it
		list = append(list, drop("large", keys[r.IntN(len(keys))]), put("large", keys[r.IntN(len(keys))],
			fmt.Sprintf("t%d", r.IntN(6000))))
	}
	write(append(list, graph.Change{Op: graph.Delete, Account: "t8"}))
	checkParts(t, g, r)
	write([]graph.Change{{Op: graph.Replace, Relation: graph.Follows, Account: "large",
		Edges: []graph.Edge{{Target: "x", Key: "one"}}}})
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := recordsOf(t, g, "large"); got != "x=one" {
		t.Errorf("got %d bytes", len(got))
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// checkParts reads some of the last records below a key, and compares them with all.
func checkParts(t *testing.T, g *graph.Graph, r *rand.Rand) {
	t.Helper()
	s := g.Index().Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys("follows")
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.ID("large")
	if err != nil {
		t.Fatal(err)
	}
	all, err := keys.Append(nil, id, 1<<64-1, 1<<31)
	if err != nil || len(all) < 3000 {
		t.Fatalf("got %d records, %v", len(all), err)
	}
	for range 200 {
		at, most := r.IntN(len(all)), r.IntN(len(all))
		got, err := keys.Append([]uproar.EdgeKey{{Key: 1}}, id, all[at].Key, most)
		want := slices.Insert(slices.Clone(all[max(0, at-most):at]), 0, uproar.EdgeKey{Key: 1})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d below record %d of %d: got %d, %v, want %d", most, at, len(all), len(got), err, len(want))
		}
		got, err = keys.AppendFrom([]uproar.EdgeKey{{Key: 1}}, id, all[at].Key, most)
		want = slices.Insert(slices.Clone(all[at:min(at+most, len(all))]), 0, uproar.EdgeKey{Key: 1})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d from record %d of %d: got %d, %v, want %d", most, at, len(all), len(got), err, len(want))
		}
		for _, key := range []uint64{all[at].Key, all[at].Key + 1} {
			target, ok, err := keys.Find(id, key)
			there := key == all[at].Key || at+1 < len(all) && all[at+1].Key == key
			if err != nil || ok != there || key == all[at].Key && target != all[at].Target {
				t.Fatalf("key %d: got %d, %v, %v, want %v", key, target, ok, err, all[at])
			}
		}
	}
}

// TestEdgesByTime lists edges page by page, both ways, while others come and go.
func TestEdgesByTime(t *testing.T) {
	_, g := keyedGraph(t)
	const start = int64(1_764_100_801_000_000)
	var list []graph.Change
	for i := range 50 {
		list = append(list, put("a", tidOf(start+int64(i)*1_000_000, 3), fmt.Sprintf("t%02d", i)))
	}
	list = append(list, put("a", tidOf(start+100_000_000, 3), "t07"), put("a", "self", "t60"),
		graph.Change{Op: graph.Hide, Account: "t11"})
	mustWrite(t, g, list...)
	for _, flushed := range []bool{false, true} {
		if flushed {
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, oldest := range []bool{false, true} {
			for _, hidden := range []bool{false, true} {
				var want []string
				for i := range 50 {
					if i != 11 || hidden {
						want = append(want, fmt.Sprintf("t%02d=%s", i, tidOf(start+int64(i)*1_000_000, 3)))
					}
				}
				want = append([]string{"t60=self"}, want...)
				if !oldest {
					for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
						want[i], want[j] = want[j], want[i]
					}
				}
				var got []string
				p := graph.EdgesPage{Oldest: oldest, Limit: 2, Hidden: hidden}
				for {
					edges, cursor, err := g.Edges(t.Context(), graph.Follows, "a", p)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range edges {
						got = append(got, e.Target+"="+e.Key)
					}
					if cursor == "" {
						break
					}
					p.Cursor = cursor
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("oldest %v, hidden %v: got %v, want %v", oldest, hidden, got, want)
				}
			}
		}
	}
	mustWrite(t, g, graph.Change{Op: graph.Show, Account: "t11"})
	first, cursor, err := g.Edges(t.Context(), graph.Follows, "a", graph.EdgesPage{Limit: 45})
	if err != nil || len(first) != 45 {
		t.Fatalf("got %d edges, %v", len(first), err)
	}
	mustWrite(t, g, put("a", tidOf(start+200_000_000, 1), "new"), drop("a", first[44].Key),
		put("a", "3m6i2wtqkuf2l", "old"))
	rest, cursor, err := g.Edges(t.Context(), graph.Follows, "a", graph.EdgesPage{Limit: 45, Cursor: cursor})
	if err != nil || cursor != "" || len(rest) != 7 || rest[0].Target != "t04" || rest[5].Target != "old" {
		t.Errorf("the second page: got %v, %q, %v", rest, cursor, err)
	}
	for _, bad := range []string{"x", "::", "1764100801250::3m6i4wtqkuf2l", "0__zz__", "1__3m6i4wtqkuf2l", "__",
		"0__-1"} {
		if _, _, err := g.Edges(t.Context(), graph.Follows, "a", graph.EdgesPage{Limit: 1, Cursor: bad}); err == nil {
			t.Errorf("cursor %q is taken", bad)
		}
	}
	keys, err := g.RecordKeys(t.Context(), graph.EdgeQuestion{Relation: graph.Follows, Account: "a", Target: "t07"},
		graph.EdgeQuestion{Relation: graph.Follows, Account: "a", Target: "nobody"},
		graph.EdgeQuestion{Relation: graph.Follows, Account: "a", Target: "t60"},
		graph.EdgeQuestion{Relation: graph.Blocks, Account: "a", Target: "t07"},
		graph.EdgeQuestion{Relation: graph.Follows, Account: "nobody", Target: "a"},
		graph.EdgeQuestion{Relation: graph.Follows, Account: "t07", Target: "a"})
	want := []string{tidOf(start+7_000_000, 3), "", "self", "", "", ""}
	if err != nil || !slices.Equal(keys, want) {
		t.Errorf("got keys %q, %v, want %q", keys, err, want)
	}
}

// TestPageMakesLittle: what a page of edges is made of does not grow with each edge, nor with the
// records on its page of keys.
func TestPageMakesLittle(t *testing.T) {
	_, g := keyedGraph(t)
	var c graph.Changes
	for i := range 1_000 {
		c.List = append(c.List, put("a", tidOf(longListStart+int64(i)*1e6, 3), fmt.Sprintf("b%d", i)))
	}
	if _, err := g.Write(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, page := range []graph.EdgesPage{{Limit: 100}, {Limit: 100, Oldest: true}} {
		made := testing.AllocsPerRun(20, func() {
			if edges, _, err := g.Edges(t.Context(), graph.Follows, "a", page); err != nil || len(edges) != 100 {
				t.Fatalf("got %d edges, %v", len(edges), err)
			}
		})
		if made > 90 {
			t.Errorf("%+v: got %.0f allocations, want at most 90 for 100 edges", page, made)
		}
	}
}
