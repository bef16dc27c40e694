// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestParts: a server that takes small requests only has the same graph after random changes, large
// replacements among them, as a model. After each request of a replacement the account has the
// edges of the records that it had before and has after.
func TestParts(t *testing.T) {
	t.Parallel()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	h, err := server.New(db, &server.Options{MaxBody: 20_000, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		t.Fatal(err)
	}
	var stays map[string]string // records, while others are replaced
	requests := 0
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		requests++
		for record, target := range stays {
			if there, err := g.Follows(t.Context(), strings.Fields(record)[1], target); err != nil || !there {
				t.Errorf("%s: got %t, %v, want it through the whole replacement", record, there, err)
			}
		}
	}))
	defer at.Close()
	c, err := client.New(at.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	sink := &remote{client: c}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	model := livetest.NewGraph()
	targets := 600
	account := func() string { return fmt.Sprintf("did:plc:%04d", rng.IntN(targets)) }
	key := func() string { return fmt.Sprintf("3m6i4wtqk%04d", rng.IntN(900)) }
	for i := range 40 {
		changes := graph.Changes{Stream: "test", Position: int64(i)}
		for range 1 + rng.IntN(3)*3 {
			x := graph.Change{Op: graph.Set, Relation: graph.Follows, Key: key(),
				Account: fmt.Sprint("did:plc:", rng.IntN(2))}
			switch rng.IntN(3) {
			case 0:
				x.Op, x.Key = graph.Replace, ""
				used := map[string]bool{}
				targets = []int{1, 3, 600, 600}[rng.IntN(4)] // few have many records
				for range rng.IntN(500) {
					if e := (graph.Edge{Target: account(), Key: key()}); !used[e.Key] {
						x.Edges, used[e.Key] = append(x.Edges, e), true
					}
				}
			case 1:
				x.Op = graph.Clear
			default:
				x.Target = account()
			}
			changes.List = append(changes.List, x)
		}
		before := model.Records()
		if _, err := model.Write(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		stays = nil
		if len(changes.List) == 1 && changes.List[0].Op == graph.Replace {
			stays = model.Records()
			maps.DeleteFunc(stays, func(record, target string) bool { return before[record] != target })
		}
		if _, err := sink.Write(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		position, ok, err := sink.Position("test")
		if err != nil || !ok || position != int64(i) {
			t.Fatalf("got position %d, %t, %v, want %d", position, ok, err, i)
		}
		compareRecords(t, g, model)
	}
	if sink.most > 32<<10 || sink.most < leastBytes || requests < 60 {
		t.Errorf("got %d requests, of %d bytes at the end, want many that are small", requests, sink.most)
	}
}

// compareRecords compares whom two accounts follow by which records.
func compareRecords(t *testing.T, g *graph.Graph, model *livetest.Graph) {
	t.Helper()
	s := g.Index().Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys(string(graph.Follows))
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, account := range []string{"did:plc:0", "did:plc:1"} {
		id, err := s.ID(account)
		if err != nil {
			continue // no change of it yet
		}
		records, err := keys.Append(nil, id, 1<<64-1, 1<<31-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			text, err := keys.AppendText(nil, r.Key)
			if err != nil {
				t.Fatal(err)
			}
			if got[fmt.Sprintf("follows %s %s", account, text)], err = s.Key(r.Target); err != nil {
				t.Fatal(err)
			}
		}
	}
	if difference := livetest.Difference(got, model.Records()); difference != "" {
		t.Fatal(difference)
	}
}

// TestNeed: a server that refuses the changes of a single record is told of no smaller requests.
func TestNeed(t *testing.T) {
	t.Parallel()
	requests := 0
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	}))
	defer at.Close()
	c, err := client.New(at.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	long := strings.Repeat("a", 20_000)
	sink := &remote{client: c, keyed: true, most: 50_000}
	_, err = sink.Write(t.Context(), graph.Changes{List: []graph.Change{{Op: graph.Set, Relation: graph.Follows,
		Account: "did:plc:0", Target: long, Key: long}}})
	if !isTooLarge(err) || sink.most < 40_000 || requests != 2 {
		t.Errorf("got %v after %d requests, %d bytes at the end, want two of at least 40 kB", err, requests, sink.most)
	}
}
