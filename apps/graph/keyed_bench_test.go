// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/store/memstore"
)

// keyedNetwork is a graph of accounts whose follows have keys: bursts of six, of one clock, as the
// network's servers make them. It returns their keys by account.
func keyedNetwork(b *testing.B, accounts, follows int) (*graph.Graph, [][]string) {
	b.Helper()
	db, err := uproar.Open(b.Context(), memstore.New(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	g, err := graph.OpenWith(b.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows}})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	keys := make([][]string, accounts)
	for a := range keys {
		micros, c := int64(1_700_000_000_000_000), graph.Changes{}
		for i := range follows {
			if i%6 == 0 {
				micros += int64(r.ExpFloat64() * 700 * 86400e6 * 6 / float64(follows))
			}
			micros += 1 + int64(r.ExpFloat64()*12e6)
			keys[a] = append(keys[a], tidOf(micros, a%32))
			c.List = append(c.List, put(fmt.Sprintf("a%d", a), keys[a][i], fmt.Sprintf("a%d", (a+1+7*i)%accounts)))
		}
		if _, err := g.Write(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	if err := g.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	return g, keys
}

// BenchmarkDeletesByKey clears records of random accounts by their keys, a thousand in a commit.
func BenchmarkDeletesByKey(b *testing.B) {
	g, keys := keyedNetwork(b, 2000, 500)
	r := rand.New(rand.NewPCG(3, 4))
	used := processor.Time()
	for done := 0; b.Loop(); done++ {
		var c graph.Changes
		for range 1000 {
			a := r.IntN(len(keys))
			if n := len(keys[a]); n > 0 {
				c.List = append(c.List, drop(fmt.Sprintf("a%d", a), keys[a][n-1]))
				keys[a] = keys[a][:n-1]
			}
		}
		if _, err := g.Write(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "deletes/s")
	b.ReportMetric(float64((processor.Time()-used).Microseconds())/1000/float64(b.N), "cpu-µs/delete")
}

// BenchmarkNewest lists a hundred edges of lists of several lengths: the newest, the oldest, and
// some between.
func BenchmarkNewest(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := longList(b, n)
			at := longListStart + int64(n/2)*1e6
			for name, page := range map[string]graph.EdgesPage{"newest": {Limit: 100},
				"oldest": {Limit: 100, Oldest: true},
				"middle": {Limit: 100, Cursor: fmt.Sprintf("%d__%s", at/1000, tidOf(at, 3))}} {
				b.Run(name, func(b *testing.B) { listPage(b, g, page) })
			}
		})
	}
}

// listPage lists a page again and again.
func listPage(b *testing.B, g *graph.Graph, page graph.EdgesPage) {
	used := processor.Time()
	for b.Loop() {
		edges, _, err := g.Edges(b.Context(), graph.Follows, "a", page)
		if err != nil || len(edges) < 50 {
			b.Fatalf("got %d edges, %v", len(edges), err)
		}
	}
	b.ReportMetric(float64((processor.Time()-used).Microseconds())/float64(b.N), "cpu-µs/op")
}

const longListStart = 1_700_000_000_000_000

// longList is a graph with one account that follows n others, one each second.
func longList(b *testing.B, n int) *graph.Graph {
	b.Helper()
	db, err := uproar.Open(b.Context(), memstore.New(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	g, err := graph.OpenWith(b.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows}})
	if err != nil {
		b.Fatal(err)
	}
	for from := 0; from < n; from += 20_000 {
		var c graph.Changes
		for i := from; i < min(n, from+20_000); i++ {
			c.List = append(c.List, put("a", tidOf(longListStart+int64(i)*1e6, 3), fmt.Sprintf("did:plc:%024d", i)))
		}
		if _, err := g.Write(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	if err := g.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	return g
}
