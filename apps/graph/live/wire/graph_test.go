// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/apps/graph/live/wire"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// newGraph returns a graph with keys in a store.
func newGraph(t testing.TB, s store.Store) *graph.Graph {
	t.Helper()
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// edgesOf returns the edges of a graph as the model has them.
func edgesOf(t *testing.T, g *graph.Graph, n *livetest.Network) map[string]string {
	t.Helper()
	edges := make(map[string]string)
	read := func(r graph.Relation, account string) []string {
		targets, err := live.Graph(g).Targets(context.Background(), r, account, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets {
			edges[fmt.Sprintf("%s %s %s", r, account, target)] = "yes"
		}
		return targets
	}
	s := g.Index().Snapshot()
	defer s.Close()
	for _, account := range n.Accounts() {
		read(graph.Follows, account)
		read(graph.Blocks, account)
		for _, list := range read(graph.Members, live.ItemsOf(account)) {
			read(graph.Members, list)
		}
		if hidden, err := s.Has(graph.HiddenField, account, graph.HiddenRow); err == nil && hidden {
			edges["hidden "+account] = "yes"
		}
	}
	return edges
}

// checkedSink is a graph that is compared with the network after each write, and now and then ends
// the process.
type checkedSink struct {
	live.Sink
	random *rand.Rand
	check  func(position int64)
}

func (s *checkedSink) Write(ctx context.Context, c graph.Changes) (uint64, error) {
	if s.random.IntN(15) == 0 {
		return 0, livetest.ErrKilled
	}
	sequence, err := s.Sink.Write(ctx, c)
	if err == nil && c.Position > 1 {
		s.check(c.Position)
	}
	if err == nil && s.random.IntN(15) == 0 {
		return 0, livetest.ErrKilled
	}
	return sequence, err
}

// TestGraph: what is true of the model is of a graph in a database.
func TestGraph(t *testing.T) {
	t.Parallel()
	n := newNetwork(21, 10)
	s := livetest.NewJetstream(n, 22)
	defer s.Close()
	s.Break = 200
	for range 900 {
		n.Step()
	}
	n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"})
	source := open(t, s.URL(2))
	g := newGraph(t, memstore.New())
	if _, err := g.Write(t.Context(), graph.Changes{Stream: source.Name(), Position: 1}); err != nil {
		t.Fatal(err)
	}
	checked := 0
	sink := &checkedSink{live.Graph(g), rand.New(rand.NewPCG(23, 24)), func(position int64) {
		checked++
		difference := livetest.Difference(edgesOf(t, g, n), livetest.Edges(n.At(position)))
		if difference != "" {
			t.Errorf("at %d of %d:\n%s", position, n.Last(), difference)
		}
	}}
	follow(t, sink, source, quick, func() bool {
		position, _, _ := g.Position(source.Name())
		return t.Failed() || position == n.Last()
	})
	if position, _, _ := g.Position(source.Name()); position != n.Last() || checked < 20 {
		t.Errorf("got position %d of %d after %d commits, want all in many", position, n.Last(), checked)
	}
}

// BenchmarkFollow follows a network of many accounts into a database on the disk. The server is in
// the same process: the time of the processor has its part.
func BenchmarkFollow(b *testing.B) {
	for _, accounts := range []int{64, 1_000_000} {
		b.Run(fmt.Sprint("accounts=", accounts), func(b *testing.B) {
			disk, err := pebblestore.Open(b.TempDir(), nil)
			if err != nil {
				b.Fatal(err)
			}
			g := newGraph(b, disk)
			n := livetest.NewNetwork(25, accounts)
			for n.Last() < int64(b.N) {
				n.Follow()
			}
			s := livetest.NewJetstream(n, 26)
			defer s.Close()
			source, err := wire.Open(s.URL(2))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := g.Write(b.Context(), graph.Changes{Stream: source.Name(), Position: 1}); err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			sink := &lastSink{live.Graph(g), int64(b.N), cancel}
			f := live.New(sink, source, live.Options{})
			b.ResetTimer()
			work := processor.Begin()
			if err := f.Run(ctx); ctx.Err() == nil {
				b.Fatal(err)
			}
			_, used := work.Took()
			b.ReportMetric(float64(b.N)/used.Seconds(), "events/s-of-processor")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(b.N)/float64(f.Figures().Commits), "events/commit")
		})
	}
}

// lastSink ends a run at a position.
type lastSink struct {
	live.Sink
	last int64
	end  func()
}

func (s *lastSink) Write(ctx context.Context, c graph.Changes) (uint64, error) {
	sequence, err := s.Sink.Write(ctx, c)
	if c.Position >= s.last {
		s.end()
	}
	return sequence, err
}
