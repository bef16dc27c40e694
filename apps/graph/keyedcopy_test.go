// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/folder"
)

// copyInFolder opens a copy of the database whose log is in a folder.
func copyInFolder(t *testing.T, log string, role ship.Role) *uproar.DB {
	t.Helper()
	e, err := folder.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ship.Open(t.Context(), memstore.New(), e, ship.Options{Role: role, Unchecked: true,
		Poll: time.Millisecond, Node: ship.Node{ID: string(role)}})
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 16 << 20, DeltaBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// sequence returns the number of the last commit that a graph has.
func sequence(g *graph.Graph) uint64 {
	s := g.Index().Snapshot()
	defer s.Close()
	return s.Sequence()
}

// edgesByTime lists all edges of an account page by page.
func edgesByTime(t *testing.T, g *graph.Graph, account string, p graph.EdgesPage) (list []graph.Edge) {
	t.Helper()
	for {
		edges, cursor, err := g.Edges(t.Context(), graph.Follows, account, p)
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, edges...); cursor == "" {
			return list
		}
		p.Cursor = cursor
	}
}

// TestCopiesHaveRecords: a copy that reads has the records of the copy that writes, whom it hides,
// and its lists by time, before pages are written and after.
func TestCopiesHaveRecords(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h, m := newKeyedHistory(seed), keyedModel{}
	log := t.TempDir()
	g, err := graph.OpenWith(t.Context(), copyInFolder(t, log, ship.Writer), graph.Records)
	if err != nil {
		t.Fatal(err)
	}
	reader := copyInFolder(t, log, ship.Reader)
	hidden := make(map[string]bool)
	var there *graph.Graph
	for round := range 8 {
		var list []graph.Change
		for i := range 400 { // of which large gets more than a page of keys has
			list = append(list, put("large", tidOf(1_700_000_000_000_000+int64(400*round+i)*977_000, i%3),
				fmt.Sprintf("t%d", 400*round+i)))
		}
		for range 60 {
			c := h.change()
			if account := h.account(); h.IntN(6) == 0 {
				c = graph.Change{Op: graph.Hide, Account: account}
				if hidden[account] = !hidden[account]; !hidden[account] {
					c.Op = graph.Show
				}
			}
			list = append(list, c)
		}
		mustWrite(t, g, list...)
		for _, c := range list {
			if c.Op != graph.Hide && c.Op != graph.Show {
				m.apply(c)
			}
		}
		if round%3 == 1 {
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for there == nil || sequence(there) < sequence(g) { // until it has come
			if there == nil {
				there, _ = graph.Open(t.Context(), reader)
			}
			time.Sleep(time.Millisecond)
		}
		if !there.Keyed(graph.Follows) || there.Keyed(graph.Mutes) {
			t.Fatal("the reader has other relations with keys")
		}
		for _, account := range []string{"large", h.account(), h.account(), h.account()} {
			if _, known, err := g.Lookup(t.Context(), account); err != nil || !known[0] {
				continue
			}
			if got, want := recordsOf(t, there, account), m.list(account); got != want {
				t.Fatalf("round %d, %s: got %s, want %s", round, account, got, want)
			}
			for _, p := range []graph.EdgesPage{{Limit: 700}, {Limit: 700, Oldest: true}, {Limit: 3, Hidden: true}} {
				got, want := edgesByTime(t, there, account, p), edgesByTime(t, g, account, p)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("round %d, %s, %+v: got %d edges, want %d", round, account, p, len(got), len(want))
				}
				for _, e := range got {
					if hidden[e.Target] && !p.Hidden {
						t.Fatalf("round %d: %s is hidden, and listed of %s", round, e.Target, account)
					}
				}
			}
		}
	}
	got := edgesByTime(t, there, "large", graph.EdgesPage{Limit: 1000})
	if len(got) != 3200 || got[0].Target != "t3199" {
		t.Errorf("got %d edges, want 3200, the newest first", len(got))
	}
	if err := reader.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
