// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// human is a record of the reference that answers are compared with.
type human struct {
	id    uint64
	likes map[string]bool
	knows map[string]bool
	city  string
	age   int64 // below 0: none
}

// society is the plain reference of an index.
type society struct {
	humans map[string]*human
	saved  map[uint64]bool
}

func (c *society) human(key string) *human {
	if c.humans[key] == nil {
		c.humans[key] = &human{likes: map[string]bool{}, knows: map[string]bool{}, age: -1, id: math.MaxUint64}
	}
	return c.humans[key]
}

// fits reports whether an expression fits a record, the obvious way.
func (c *society) fits(e query.Expr, key string) bool {
	h := c.humans[key]
	count := func(of []query.Expr) (n int) {
		for _, x := range of {
			if c.fits(x, key) {
				n++
			}
		}
		return n
	}
	number := func(text string) int64 { x, _ := strconv.ParseInt(text, 10, 64); return x }
	switch e := e.(type) {
	case query.All:
		return true
	case query.Nothing:
		return false
	case query.Equal:
		switch e.Field {
		case "likes":
			return h.likes[e.Value]
		case "knows":
			return h.knows[e.Value]
		case "city":
			return h.city == e.Value
		}
		return h.age == number(e.Value)
	case query.Prefix:
		for like := range h.likes {
			if strings.HasPrefix(like, e.Value) {
				return true
			}
		}
		return false
	case query.Compare:
		x := number(e.Value)
		return h.age >= 0 && (e.Order == query.Less && h.age < x || e.Order == query.GreaterEqual && h.age >= x)
	case query.Between:
		return h.age >= 0 && number(e.From) <= h.age && h.age <= number(e.To)
	case query.Any:
		return e.Field == "likes" && len(h.likes) > 0 || e.Field == "city" && h.city != "" || e.Field == "age" &&
			h.age >= 0 || e.Field == "knows" && len(h.knows) > 0
	case query.Related:
		return c.humans[e.Key].knows[key]
	case query.Through:
		for other, x := range c.humans {
			if x.knows[key] && c.fits(e.Of, other) {
				return true
			}
		}
		return false
	case query.Saved:
		return c.saved[h.id]
	case query.Not:
		return !c.fits(e.Of, key)
	case query.And:
		return count(e.Of) == len(e.Of)
	case query.Or:
		return count(e.Of) > 0
	case query.Xor:
		return count(e.Of)%2 != 0
	case query.AtLeast:
		return count(e.Of) >= e.N
	}
	panic(fmt.Sprintf("no %T", e))
}

// random returns an expression with every operator and leaf now and then.
func (c *society) random(rng *rand.Rand, depth int) query.Expr {
	some := func() string { // that exists
		keys := slices.Sorted(maps.Keys(c.humans))
		return keys[rng.IntN(len(keys))]
	}
	age := func(n int) string { return strconv.Itoa(n) }
	kinds := 18
	if depth == 0 {
		kinds = 12
	}
	operands := func() (of []query.Expr) {
		for range 2 + rng.IntN(3) {
			of = append(of, c.random(rng, depth-1))
		}
		return of
	}
	switch rng.IntN(kinds) {
	case 0:
		return query.All{}
	case 1:
		return query.Equal{Field: "city", Value: fmt.Sprint("c", rng.IntN(6))}
	case 2:
		return query.Equal{Field: "age", Value: age(rng.IntN(60))}
	case 3:
		return query.Equal{Field: "knows", Value: some()}
	case 4:
		return query.Prefix{Field: "likes", Value: fmt.Sprint("l", rng.IntN(3))}
	case 5:
		return query.Compare{Field: "age", Order: query.Less, Value: age(rng.IntN(60))}
	case 6:
		return query.Compare{Field: "age", Order: query.GreaterEqual, Value: age(rng.IntN(60))}
	case 7:
		from := rng.IntN(60)
		return query.Between{Field: "age", From: age(from), To: age(from + rng.IntN(20))}
	case 8:
		return query.Any{Field: []string{"likes", "city", "age", "knows"}[rng.IntN(4)]}
	case 9:
		return query.Related{Field: "knows", Key: some()}
	case 10:
		return query.Saved{Name: "some"}
	case 11:
		return query.Equal{Field: "likes", Value: fmt.Sprint("l", rng.IntN(30))}
	case 12:
		return query.And{Of: operands()}
	case 13:
		return query.Or{Of: operands()}
	case 14:
		return query.Xor{Of: operands()}
	case 15:
		return query.AtLeast{N: 1 + rng.IntN(3), Of: operands()}
	case 16:
		return query.Through{Field: "knows", Of: c.random(rng, depth-1)}
	default:
		return query.Not{Of: c.random(rng, depth-1)}
	}
}

// TestAnswersWhileFlushing asks every operator and every answer while flushes run. The data and the
// pending delta are random. It compares with a plain evaluation.
func TestAnswersWhileFlushing(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "crowd", uproar.Field{Name: "likes", Type: uproar.Set,
		Column: uproar.SmallColumn}, uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "age", Type: uproar.Integer}, uproar.Field{Name: "knows", Type: uproar.Relation,
			Inverse: "known"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var flushing sync.WaitGroup
	flushing.Go(func() {
		for ctx.Err() == nil {
			if err := ix.Flush(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("flush: %v", err)
				return
			}
		}
	})
	defer flushing.Wait()
	defer stop()
	const seed = 2026
	rng := rand.New(rand.NewPCG(seed, 1))
	c := &society{humans: map[string]*human{}, saved: map[uint64]bool{}}
	rounds := 30
	switch {
	case os.Getenv("UPROAR_LONG") == "1":
		rounds = 500
	case testing.Short():
		rounds = 10
	}
	for round := range rounds {
		c.write(t, rng, ix, 40)
		snap := ix.Snapshot()
		c.number(t, snap)
		if round%5 == 0 {
			q := c.random(rng, 0)
			if round == 0 {
				q = query.Any{Field: "likes"}
			}
			saved := map[uint64]bool{}
			for key, h := range c.humans {
				if c.fits(q, key) {
					saved[h.id] = true
				}
			}
			c.saved = saved
			if _, err := ix.Save(t.Context(), "some", q); err != nil {
				t.Fatalf("seed %d, round %d: save %s: %v", seed, round, q, err)
			}
			snap.Close()
			snap = ix.Snapshot()
		}
		for range 8 {
			if e := c.random(rng, 2); !c.check(t, rng, snap, e) {
				t.Fatalf("seed %d, round %d: %s", seed, round, e)
			}
		}
		snap.Close()
	}
}

// write writes random changes to index and reference.
func (c *society) write(t *testing.T, rng *rand.Rand, ix *uproar.Index, changes int) {
	t.Helper()
	var b uproar.Batch
	for range changes {
		key := fmt.Sprint("p", rng.IntN(120))
		h := c.human(key)
		switch rng.IntN(9) {
		case 0, 1, 2:
			like := fmt.Sprint("l", rng.IntN(30))
			b.Set("likes", key, like)
			h.likes[like] = true
		case 3:
			like := fmt.Sprint("l", rng.IntN(30))
			b.AddRecord(key)
			b.Clear("likes", key, like)
			delete(h.likes, like)
		case 4:
			h.city = fmt.Sprint("c", rng.IntN(6))
			b.Set("city", key, h.city)
		case 5:
			h.age = rng.Int64N(60)
			b.SetInt("age", key, h.age)
		case 6:
			other := fmt.Sprint("p", rng.IntN(120))
			b.Set("knows", key, other)
			h.knows[other] = true
			c.human(other)
		case 7:
			h.city, h.age = "", -1
			b.AddRecord(key)
			b.Unset("city", key)
			b.Unset("age", key)
		default:
			if rng.IntN(3) > 0 {
				b.AddRecord(key)
				continue
			}
			b.DeleteRecord(key)
			delete(c.humans, key)
			delete(c.saved, h.id)
			for _, x := range c.humans {
				delete(x.knows, key)
			}
		}
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

// number looks up the IDs of all records.
func (c *society) number(t *testing.T, snap uproar.Snapshot) {
	t.Helper()
	for key, h := range c.humans {
		id, err := snap.ID(key)
		if err != nil {
			t.Fatal(err)
		}
		h.id = id
	}
}

// check compares all answers to a question.
func (c *society) check(t *testing.T, rng *rand.Rand, snap uproar.Snapshot, e query.Expr) bool {
	t.Helper()
	var want []uint64
	likes, cities, all := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	pairs := map[string]uint64{}
	var ages []int64
	for key, h := range c.humans {
		for like := range h.likes {
			all[like]++
		}
		if !c.fits(e, key) {
			continue
		}
		want = append(want, h.id)
		for like := range h.likes {
			likes[like]++
			if h.city != "" {
				pairs[h.city+" "+like]++
			}
		}
		if h.city != "" {
			cities[h.city]++
		}
		if h.age >= 0 {
			ages = append(ages, h.age)
		}
	}
	slices.Sort(want)
	slices.Sort(ages)
	fail := func(what string, got, want any, err error) bool {
		t.Errorf("%s: got %v, %v, want %v", what, got, err, want)
		return false
	}
	ctx := t.Context()
	if n, err := snap.Count(ctx, e); err != nil || n != uint64(len(want)) {
		return fail("count", n, len(want), err)
	}
	if ids, err := snap.IDs(ctx, e, uproar.Page{}); err != nil || !slices.Equal(ids.IDs, want) {
		return fail("IDs", ids.IDs, want, err)
	}
	keys := slices.Sorted(maps.Keys(c.humans))
	probe := keys[rng.IntN(len(keys))]
	if ok, err := snap.Contains(ctx, e, probe); err != nil || ok != c.fits(e, probe) {
		return fail("contains "+probe, ok, !ok, err)
	}
	of, err := snap.Select(ctx, e)
	if err != nil {
		return fail("select", nil, nil, err)
	}
	for _, by := range []uproar.Measure{uproar.ByCount, uproar.ByLift} {
		top, err := of.Top(ctx, "likes", uproar.TopOptions{By: by})
		if err != nil || len(top) != len(likes) || !slices.IsSortedFunc(top, func(a, b uproar.Ranked) int {
			return cmp.Compare(b.Score, a.Score)
		}) {
			return fail("top by "+string(by), top, likes, err)
		}
		for _, r := range top {
			if r.Count != likes[r.Key] || r.Total != all[r.Key] {
				return fail("top by "+string(by), r, likes[r.Key], nil)
			}
		}
	}
	groups, err := of.Groups(ctx, 0, "city", "likes")
	if err != nil || len(groups) != len(pairs) {
		return fail("groups", groups, pairs, err)
	}
	for _, g := range groups {
		if g.Count != pairs[strings.Join(g.Keys, " ")] {
			return fail("groups", g, pairs[strings.Join(g.Keys, " ")], nil)
		}
	}
	if n, err := of.Distinct(ctx, "city"); err != nil || n != uint64(len(cities)) {
		return fail("distinct", n, len(cities), err)
	}
	numbers, err := of.Numbers(ctx, "age", 0.5)
	if err != nil || numbers.Sum.Len != uint64(len(ages)) || len(ages) > 0 &&
		(numbers.Min != ages[0] || numbers.Max != ages[len(ages)-1] ||
			numbers.Quantiles[0] != ages[(len(ages)+1)/2-1]) {
		return fail("numbers", numbers, ages, err)
	}
	if sample := of.Sample(5, rng.Uint64()); len(sample) != min(5, len(want)) ||
		slices.ContainsFunc(sample, func(id uint64) bool {
			_, ok := slices.BinarySearch(want, id)
			return !ok
		}) {
		return fail("sample", sample, want, nil)
	}
	cake, err := snap.Select(ctx, query.Any{Field: "likes"})
	if err != nil {
		return fail("select", nil, nil, err)
	}
	matrix, err := uproar.Overlap(ctx, of, cake)
	both := uint64(0)
	for key, h := range c.humans {
		if len(h.likes) > 0 && c.fits(e, key) {
			both++
		}
	}
	if err != nil || matrix[0][1] != both {
		return fail("overlap", matrix, both, err)
	}
	return true
}
