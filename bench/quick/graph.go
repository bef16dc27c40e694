// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package quick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// graphNames are the figures of a follow graph in process, asked by the names of accounts.
var graphNames = [...]string{
	"graph: who of those whom a typical account follows follows another", "graph: the same of the account that follows most, and the one most followed",
	"graph: followers that the two most followed have in common", "graph: their list",
}

// followsEach is how many accounts one follows, on average.
const followsEach = 30

// graph is a follow graph in the database, and beside it in roaring bitmaps in a map by name.
type graph struct {
	db      *uproar.DB
	snap    uproar.Snapshot
	ids     map[string]uint32
	follow  []*roaring.Bitmap
	follow2 []*roaring.Bitmap // the other way round
}

// newGraph makes a graph, in which few accounts follow many and are followed by many.
func newGraph(accounts int) (g *graph, err error) {
	ctx := context.Background()
	g = &graph{ids: make(map[string]uint32, accounts)}
	if g.db, err = uproar.Open(ctx, memstore.New(), nil); err != nil {
		return nil, err
	}
	index, err := g.db.CreateIndex(ctx, "accounts", uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers"})
	if err != nil {
		return g, err
	}
	load, err := index.Load(ctx, nil)
	if err != nil {
		return g, err
	}
	defer load.Abort()
	for i := range accounts {
		g.ids[name(i)] = uint32(i)
		g.follow, g.follow2 = append(g.follow, roaring.New()), append(g.follow2, roaring.New())
	}
	r := rand.New(rand.NewPCG(7, 8))
	skewed := func() int { return min(accounts-1, int(float64(accounts)*math.Pow(r.Float64(), 3))) }
	for range accounts * followsEach {
		a, b := skewed(), skewed()
		g.follow[a].Add(uint32(b))
		g.follow2[b].Add(uint32(a))
	}
	var pairs [][]byte
	for a, of := range g.follow {
		for _, b := range of.ToArray() {
			pairs = append(pairs, []byte(name(a)), []byte(name(int(b))))
		}
		if len(pairs) > 2000 || a == accounts-1 {
			if err := load.SetAll("follows", pairs); err != nil {
				return g, err
			}
			pairs = pairs[:0]
		}
	}
	if err := load.Commit(); err != nil {
		return g, err
	}
	g.snap = index.Snapshot()
	return g, nil
}

func name(account int) string { return "account-" + strconv.Itoa(account) }

func (g *graph) close() error {
	if g.snap != (uproar.Snapshot{}) {
		g.snap.Close()
	}
	return g.db.Close()
}

// graphHeadlines measures the figures of a graph until a time. Peers look the names of accounts up as well.
func graphHeadlines(accounts int, slot time.Duration, until time.Time) (list []library.Headline, err error) {
	g, err := newGraph(accounts)
	if g != nil {
		defer func() { err = errors.Join(err, g.close()) }()
	}
	if err != nil {
		return nil, err
	}
	byDegree := func(of []*roaring.Bitmap) []string {
		names := make([]string, len(of))
		for i := range names {
			names[i] = name(i)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Compare(of[g.ids[b]].GetCardinality(), of[g.ids[a]].GetCardinality())
		})
		return names
	}
	most, popular := byDegree(g.follow), byDegree(g.follow2)
	related := func(field, key string) query.Related { return query.Related{Field: field, Key: key} }
	for i, q := range []struct{ a, b query.Related }{
		{related("follows", most[accounts/2]), related("followers", popular[accounts/20])},
		{related("follows", most[0]), related("followers", popular[0])},
		{related("followers", popular[0]), related("followers", popular[1])},
		{related("followers", popular[0]), related("followers", popular[1])},
	} {
		if time.Now().After(until) {
			break
		}
		of := func(r query.Related) *roaring.Bitmap {
			if r.Field == "follows" {
				return g.follow[g.ids[r.Key]]
			}
			return g.follow2[g.ids[r.Key]]
		}
		var ours, peer func() (int, error)
		if listed := i == 3; listed {
			both := query.And{Of: []query.Expr{q.a, q.b}}
			ours = func() (int, error) {
				ids, err := g.snap.IDs(context.Background(), both, uproar.Page{})
				return len(ids.IDs), err
			}
			peer = func() (int, error) { return len(roaring.And(of(q.a), of(q.b)).ToArray()), nil }
		} else {
			ours = func() (int, error) {
				n, err := g.snap.CountAnd(context.Background(), q.a, q.b)
				return int(n), err
			}
			peer = func() (int, error) { return int(of(q.a).AndCardinality(of(q.b))), nil }
		}
		h := library.Headline{Name: graphNames[i]}
		if h.Ours, h.Peer, err = race(ours, peer, slot); err != nil {
			return list, fmt.Errorf("%s: %w", h.Name, err)
		}
		list = append(list, h)
	}
	return list, nil
}

// rounds is how often two that race take turns: the medians count.
const rounds = 7

// race returns how many nanoseconds each takes. Their answers must be equal.
func race(ours, peer func() (int, error), slot time.Duration) (a, b float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := library.ThreadClock()
	var took [2][]float64
	for range rounds {
		var answers [2]int
		for i, ask := range []func() (int, error){ours, peer} {
			n, start := 0, now()
			for ; n == 0 || now()-start < slot.Nanoseconds(); n += 16 {
				for range 16 {
					if answers[i], err = ask(); err != nil {
						return 0, 0, err
					}
				}
			}
			took[i] = append(took[i], float64(now()-start)/float64(n))
		}
		if answers[0] != answers[1] {
			return 0, 0, fmt.Errorf("got %d, the peer %d", answers[0], answers[1])
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	return took[0][rounds/2], took[1][rounds/2], nil
}
