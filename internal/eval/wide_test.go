// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/query"
)

// TestWideOperators compares operators of more operands than are walked beside one another with the
// plain reference.
func TestWideOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	ix, u := build(t, rng)
	rounds := paced(20, 2)
	for round := range rounds {
		if round == rounds/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var of, large []query.Expr
		for range fewOperands + 1 + rng.IntN(fewOperands) {
			of = append(of, randomExpr(rng, rng.IntN(2)))
			large = append(large, query.Or{Of: []query.Expr{query.All{}, randomLeaf(rng)}})
			if rng.IntN(3) > 0 {
				large[len(large)-1] = query.Not{Of: query.Equal{Field: "number", Value: strconv.Itoa(len(of))}}
			}
			if rng.IntN(3) == 0 {
				large[len(large)-1] = query.Or{Of: []query.Expr{query.Between{Field: "number", From: "-9",
					To: strconv.Itoa(50 + len(of))}, randomLeaf(rng)}}
			}
		}
		for _, e := range []query.Expr{query.Or{Of: of}, query.Xor{Of: of}, query.AtLeast{N: 2 + rng.IntN(5), Of: of},
			query.And{Of: large},
			query.And{Of: append([]query.Expr{query.Not{Of: query.Or{Of: of}}}, large...)}} {
			checkAnswers(t, ix, rng, e, u.answer(e))
		}
	}
}

// TestIntegersIn compares operations on integers and ranges with the plain reference. They are
// disjunctions, exclusive ors and "at least n of", each one pass over the bits.
func TestIntegersIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 2))
	ix, u := build(t, rng)
	rounds := paced(300, 60)
	decimal := func(x int64) string { return strconv.FormatInt(x, 10) }
	for round := range rounds {
		if round == rounds/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var of []query.Expr
		for range 1 + rng.IntN(1<<rng.IntN(9)) {
			switch x := randomNumber(rng); rng.IntN(8) {
			case 0:
				of = append(of, query.Between{Field: "number", From: decimal(x),
					To: decimal(x + min(rng.Int64N(9), math.MaxInt64-max(x, 0)))})
			default:
				of = append(of, query.Equal{Field: "number", Value: decimal(x)})
			}
		}
		e := []query.Expr{query.Or{Of: of}, query.Xor{Of: append(of, of[0])}, query.AtLeast{N: 1 + rng.IntN(3),
			Of: append(of, of[0])},
			query.Xor{Of: append(slices.Clone(of), randomExpr(rng, 1), query.Equal{Field: "number", Value: "7"})},
			query.AtLeast{N: 2, Of: append(slices.Clone(of), randomExpr(rng, 1))}}[rng.IntN(5)]
		if rng.IntN(3) == 0 {
			e = query.And{Of: []query.Expr{randomExpr(rng, 1), e}}
		}
		if rng.IntN(4) == 0 {
			e = query.Not{Of: e}
		}
		checkAnswers(t, ix, rng, e, u.answer(e))
	}
}

// TestNoNumberOfLists answers queries of many lists within the least limit: a page that has many
// lists counts once, and memory does not grow with the number of lists.
func TestNoNumberOfLists(t *testing.T) {
	ix, u := build(t, rand.New(rand.NewPCG(1, 2)))
	ctx := WithLimit(t.Context(), 1<<20+1<<19)
	snap := ix.Snapshot()
	defer snap.Close()
	count := func(e query.Expr, bind Bind, want uint64) {
		t.Helper()
		if n, err := Count(ctx, snap, e, bind); err != nil || n != want {
			t.Errorf("%.60s: got %d, %v, want %d", e, n, err, want)
		}
	}
	const many = 100_000
	of := make([]query.Expr, many)
	for i := range of {
		of[i] = query.Equal{Field: "tag", Value: fmt.Sprint(i)}
	}
	row := func(query.Expr) (Leaf, error) {
		return Leaf{Kind: Key, Field: tag, Space: model.KeySpace(tag), Key: "r1"}, nil
	}
	r1 := uint64(len(u.rows["r1"]))
	count(query.Or{Of: of}, row, r1)
	count(query.And{Of: of}, row, r1)
	count(query.Xor{Of: of[:many/4]}, row, 0)
	count(query.AtLeast{N: many / 4, Of: of[:many/4]}, row, r1)
	count(query.Or{Of: of}, bindTags(), 0)
	var numbers []query.Expr
	for i := range many {
		numbers = append(numbers, query.Equal{Field: "number", Value: fmt.Sprint(2 * (i - many/2))})
	}
	even := uint64(0)
	for _, x := range u.numbers {
		if x%2 == 0 && -many <= x && x < many {
			even++
		}
	}
	wide := WithLimit(t.Context(), 6<<20)
	if n, err := Count(wide, snap, query.Or{Of: numbers}, bindTags()); err != nil || n != even {
		t.Errorf("%d integers: got %d, %v, want %d", many, n, err, even)
	}
	if _, err := Count(ctx, snap, query.Or{Of: numbers}, bindTags()); !errors.Is(err, ErrLimit) {
		t.Errorf("%d integers in 1.5 MiB: got %v, want ErrLimit", many, err)
	}
	for name, e := range map[string]query.Expr{"or": query.Or{Of: of}, "and": query.And{Of: of},
		"xor": query.Xor{Of: of}, "at least": query.AtLeast{N: 3, Of: of}} {
		calls := 0
		stopped, cancel := context.WithCancel(ctx)
		defer cancel()
		_, err := Count(stopped, snap, e, func(e query.Expr) (Leaf, error) {
			if calls++; calls == many+2 { // all names are checked, and the plan is being made
				cancel()
			}
			return row(e)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", name, err)
		}
		if calls > 2*many-many/8 {
			t.Errorf("%s: went on for %d steps", name, calls)
		}
	}
}

// TestSpans compares the spans of intervals with the intervals.
func TestSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 3))
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64 - 1, math.MaxInt64}
	random := func() int64 {
		if rng.IntN(3) == 0 {
			return edges[rng.IntN(len(edges))]
		}
		return rng.Int64N(200) - 100
	}
	for range 2000 {
		of := make([]interval, rng.IntN(8))
		for i := range of {
			of[i] = interval{random(), random()}
		}
		all := slices.Clone(of)
		m := merged(of)
		var spans [2][]span
		appendMagnitudes(&spans, m)
		for range 50 {
			x := random()
			want := slices.ContainsFunc(all, func(r interval) bool { return r.from <= x && x <= r.to })
			got := false
			if x < 0 {
				got = has(spans[1], magnitude(x))
			} else {
				got = has(spans[0], uint64(x))
			}
			if got != want {
				t.Fatalf("%v as %v and %v: has %d: got %v, want %v", all, m, spans, x, got, want)
			}
		}
		for i, x := range m {
			if i > 0 && m[i-1].to >= x.from-1 {
				t.Fatalf("%v: got %v, want ranges apart from one another", all, m)
			}
		}
	}
}
