// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/memstore"
)

// keyedGraph is a graph whose relations keep keys, in memory.
func keyedGraph(t *testing.T) (*uproar.DB, *graph.Graph) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows, graph.Blocks,
		graph.Members}})
	if err != nil {
		t.Fatal(err)
	}
	return db, g
}

// mustWrite commits changes.
func mustWrite(t *testing.T, g *graph.Graph, list ...graph.Change) {
	t.Helper()
	if _, err := g.Write(context.Background(), graph.Changes{List: list}); err != nil {
		t.Fatal(err)
	}
}

func put(account, key, target string) graph.Change {
	return graph.Change{Op: graph.Set, Relation: graph.Follows, Account: account, Target: target, Key: key}
}

func drop(account, key string) graph.Change {
	return graph.Change{Op: graph.Clear, Relation: graph.Follows, Account: account, Key: key}
}

// recordsOf lists what an account follows with the keys of all records, as edges and index have it.
func recordsOf(t *testing.T, g *graph.Graph, account string) string {
	t.Helper()
	s := g.Index().Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys("follows")
	if err != nil {
		t.Fatal(err)
	}
	follows := make(map[string]bool)
	for target, err := range g.Following(account).All(t.Context()) {
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		follows[target] = true
	}
	id, err := s.ID(account)
	if err != nil {
		t.Fatal(err)
	}
	records, err := keys.Append(nil, id, 1<<64-1, 1<<31)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	keyed := make(map[string]bool)
	for _, k := range records {
		target, err := s.Key(k.Target)
		if err != nil {
			t.Fatal(err)
		}
		text, err := keys.AppendText(nil, k.Key)
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, target+"="+string(text)); !follows[target] {
			t.Errorf("%s has a record %s of no edge", account, list[len(list)-1])
		}
		keyed[target] = true
	}
	for target := range follows {
		if !keyed[target] {
			list = append(list, target+"=")
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestRecordsOfEdges has each rule that a consumer of a network follows.
func TestRecordsOfEdges(t *testing.T) {
	const k1, k2, k3 = "3m6i4wtqkuf2l", "3m6i4wtqkuf3l", "self"
	for _, c := range []struct {
		name string
		list []graph.Change
		want string
	}{
		{"a record", []graph.Change{put("a", k1, "b")}, "b=" + k1},
		{"the same again", []graph.Change{put("a", k1, "b"), put("a", k1, "b")}, "b=" + k1},
		{"an update takes the old target away", []graph.Change{put("a", k1, "b"), put("a", k1, "c")}, "c=" + k1},
		{"two records of one edge", []graph.Change{put("a", k1, "b"), put("a", k2, "b")}, "b=" + k1 + " b=" + k2},
		{"the edge stays with a record", []graph.Change{put("a", k1, "b"), put("a", k2, "b"),
			drop("a", k1)}, "b=" + k2},
		{"it goes with the last", []graph.Change{put("a", k1, "b"), put("a", k2, "b"), drop("a", k1),
			drop("a", k2)}, ""},
		{"unknown keys and accounts are nothing", []graph.Change{drop("x", k1), put("a", k1, "b"), drop("a", k2),
			drop("a", k3)}, "b=" + k1},
		{"a key may be any text", []graph.Change{put("a", k3, "b"), put("a", k2, "c")}, "b=" + k3 + " c=" + k2},
		{"a key is free again", []graph.Change{put("a", k3, "b"), drop("a", k3), put("a", k3, "c")}, "c=" + k3},
		{"oneself", []graph.Change{put("a", k1, "a")}, "a=" + k1},
		{"an edge with its records", []graph.Change{put("a", k1, "b"), put("a", k2, "b"), put("a", k3, "c"),
			{Op: graph.Clear, Relation: graph.Follows, Account: "a", Target: "b"}}, "c=" + k3},
		{"an edge without a record", []graph.Change{{Op: graph.Set, Relation: graph.Follows, Account: "a",
			Target: "b"}}, "b="},
		{"all of it", []graph.Change{put("a", k1, "b"), put("a", k2, "c"), {Op: graph.Set, Relation: graph.Follows,
			Account: "a", Target: "d"}, {Op: graph.Replace, Relation: graph.Follows, Account: "a",
			Edges: []graph.Edge{{Target: "c", Key: k2}, {Target: "e", Key: k1}}}}, "c=" + k2 + " e=" + k1},
		{"nothing of it", []graph.Change{put("a", k1, "b"), {Op: graph.Replace, Relation: graph.Follows,
			Account: "a"}}, ""},
	} {
		for _, each := range []bool{false, true} {
			_, g := keyedGraph(t)
			if each {
				for _, change := range c.list {
					mustWrite(t, g, change)
				}
			} else {
				mustWrite(t, g, c.list...)
			}
			if got := recordsOf(t, g, "a"); got != c.want {
				t.Errorf("%s (each in a commit: %v): got %q, want %q", c.name, each, got, c.want)
			}
		}
	}
}

// TestChangesThatCannotBe are refused, and nothing is written.
func TestChangesThatCannotBe(t *testing.T) {
	db, g := keyedGraph(t)
	for _, c := range []graph.Change{
		{Op: graph.Set, Relation: graph.Mutes, Account: "a", Target: "b", Key: "k"},
		{Op: graph.Set, Relation: graph.Follows, Account: "a", Target: "b", Key: string(make([]byte, 513))},
		{Op: graph.Clear, Relation: graph.Follows, Account: "a", Target: "b", Key: "k"},
		{Op: graph.Replace, Relation: graph.Follows, Account: "a", Key: "k"},
		{Op: graph.Replace, Relation: graph.Mutes, Account: "a"},
		{Op: graph.Hide, Relation: graph.Follows, Account: "a"},
		{Op: "like", Relation: graph.Follows, Account: "a", Target: "b", Key: "k"},
		{Op: graph.Delete, Account: "a", Key: "k"},
	} {
		_, err := g.Write(t.Context(), graph.Changes{List: []graph.Change{put("a", "k1", "b"), c}})
		var change *graph.ChangeError
		if !errors.Is(err, graph.ErrInvalidChange) || !errors.As(err, &change) || change.Position != 1 {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	if _, err := g.Following("a").Count(t.Context()); !errors.Is(err, uproar.ErrUnknownRecord) {
		t.Errorf("got %v, want nobody", err)
	}
	var b uproar.Batch
	for _, write := range []func(){func() { b.Clear("follows", "a", "b") }, func() { b.DeleteRow("followers", "a") },
		func() { b.SetEdge("mutes", "a", "b", "k") }, func() { b.SetEdge("followers", "a", "b", "k") }} {
		b.Reset()
		if write(); b.Len() != 1 {
			t.Fatal("nothing to write")
		}
		if _, err := g.Index().Write(t.Context(), &b); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
	}
	if _, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Mutes}}); !errors.Is(err,
		graph.ErrInvalidChange) {
		t.Errorf("opening mutes with keys: got %v", err)
	}
}

// TestKeysWithoutNotes: a graph that does not say which edges have several records is refused.
func TestKeysWithoutNotes(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	follows := uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers", Column: uproar.KeyColumn}
	if _, err := db.CreateIndex(t.Context(), graph.IndexName, follows); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Open(t.Context(), db); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}
