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
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/query"
)

// graphNames are the figures of a follow graph in process, asked by the names of accounts.
var graphNames = [...]string{
	"graph: who of those whom a typical account follows follows another",
	"graph: the same of the account that follows most, and the one most followed",
	"graph: followers that the two most followed have in common", "graph: their list",
}

// followsEach is how many accounts one follows, on average.
const followsEach = 20

// graph is a follow graph in the database, and beside it in a Badger of its own: the list of each
// account in either direction as a value, a serialized roaring bitmap, which is opened where it
// lies. Both are on disk.
type graph struct {
	dir    string
	db     *uproar.DB
	snap   uproar.Snapshot
	peer   *badger.DB
	degree map[string][]int // by field: of each account
}

// newGraph makes a graph, in which few accounts follow many and are followed by many.
func newGraph(accounts int) (g *graph, err error) {
	ctx := context.Background()
	g = &graph{degree: make(map[string][]int)}
	if g.dir, err = os.MkdirTemp("", "uproar-quick-"); err != nil {
		return nil, err
	}
	if g.db, err = command.Open(ctx, filepath.Join(g.dir, "uproar"), new(uproar.Options)); err != nil {
		return g, err
	}
	if g.peer, err = badger.Open(badger.DefaultOptions(filepath.Join(g.dir, "peer")).WithLogger(nil)); err != nil {
		return g, err
	}
	index, err := g.db.CreateIndex(ctx, "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"})
	if err != nil {
		return g, err
	}
	load, err := index.Load(ctx, nil)
	if err != nil {
		return g, err
	}
	defer load.Abort()
	lists := map[string][]*roaring.Bitmap{}
	for range accounts {
		lists["follows"], lists["followers"] = append(lists["follows"], roaring.New()),
			append(lists["followers"], roaring.New())
	}
	r := rand.New(rand.NewPCG(7, 8))
	skewed := func() int { return min(accounts-1, int(float64(accounts)*math.Pow(r.Float64(), 2))) }
	ids := rand.New(rand.NewPCG(9, 10)).Perm(accounts) // numbers say nothing about degrees
	for range accounts * followsEach {
		a, b := ids[skewed()], ids[skewed()]
		lists["follows"][a].Add(uint32(b))
		lists["followers"][b].Add(uint32(a))
	}
	var pairs [][]byte
	for a, of := range lists["follows"] {
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
	batch := g.peer.NewWriteBatch()
	defer batch.Cancel()
	for field, lists := range lists {
		for a, list := range lists {
			g.degree[field] = append(g.degree[field], int(list.GetCardinality()))
			list.RunOptimize()
			data, err := list.ToBytes()
			if err != nil {
				return g, err
			}
			if err := batch.Set([]byte(field+"/"+name(a)), data); err != nil {
				return g, err
			}
		}
	}
	if err := batch.Flush(); err != nil {
		return g, err
	}
	if err := load.Commit(); err != nil {
		return g, err
	}
	g.snap = index.Snapshot()
	return g, nil
}

func name(account int) string { return "account-" + strconv.Itoa(account) }

func (g *graph) close() (err error) {
	if g.snap != (uproar.Snapshot{}) {
		g.snap.Close()
	}
	if g.db != nil {
		err = g.db.Close()
	}
	if g.peer != nil {
		err = errors.Join(err, g.peer.Close())
	}
	return errors.Join(err, os.RemoveAll(g.dir))
}

// intersect has the peer read two lists and combine them.
func (g *graph) intersect(a, b query.Related, combine func(a, b *roaring.Bitmap) int) (n int, err error) {
	err = g.peer.View(func(txn *badger.Txn) error {
		first, err := txn.Get([]byte(a.Field + "/" + a.Key))
		if err != nil {
			return err
		}
		second, err := txn.Get([]byte(b.Field + "/" + b.Key))
		if err != nil {
			return err
		}
		return first.Value(func(x []byte) error {
			return second.Value(func(y []byte) error {
				var of [2]roaring.Bitmap
				if _, err := of[0].FromBuffer(x); err != nil {
					return err
				}
				if _, err := of[1].FromBuffer(y); err != nil {
					return err
				}
				n = combine(&of[0], &of[1])
				return nil
			})
		})
	})
	return n, err
}

// graphHeadlines measures the figures of a graph until a time.
func graphHeadlines(accounts int, slot time.Duration, until time.Time) (list []library.Headline, err error) {
	g, err := newGraph(accounts)
	if g != nil {
		defer func() { err = errors.Join(err, g.close()) }()
	}
	if err != nil {
		return nil, err
	}
	byDegree := func(field string) []string {
		of := g.degree[field]
		numbers := make([]int, len(of))
		for i := range numbers {
			numbers[i] = i
		}
		slices.SortFunc(numbers, func(a, b int) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) })
		names := make([]string, len(of))
		for i, a := range numbers {
			names[i] = name(a)
		}
		return names
	}
	most, popular := byDegree("follows"), byDegree("followers")
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
		combine := func(a, b *roaring.Bitmap) int { return int(a.AndCardinality(b)) }
		ours := func() (int, error) {
			n, err := g.snap.CountAnd(context.Background(), q.a, q.b)
			return int(n), err
		}
		if listed := i == 3; listed {
			both := query.And{Of: []query.Expr{q.a, q.b}}
			combine = func(a, b *roaring.Bitmap) int { return len(roaring.And(a, b).ToArray()) }
			ours = func() (int, error) {
				ids, err := g.snap.IDs(context.Background(), both, uproar.Page{})
				return len(ids.IDs), err
			}
		}
		peer := func() (int, error) { return g.intersect(q.a, q.b, combine) }
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
