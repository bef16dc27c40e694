// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// The fields of the index of the tests.
const (
	tag       = 4 // a set field with the rows r0 to r7
	number    = 8 // an integer field
	follows   = 12
	followers = 16
)

// universe is a plain reference of the index.
type universe struct {
	rows    map[string]map[uint64]bool
	numbers map[uint64]int64
	follows map[uint64]map[uint64]bool
	all     map[uint64]bool
	ids     []uint64 // of all, ascending
}

// set returns, for each of u.ids, whether an expression fits it, the obvious way.
func (u *universe) set(e query.Expr) []bool {
	set := make([]bool, len(u.ids))
	fill := func(fits func(id uint64) bool) []bool {
		for i, id := range u.ids {
			set[i] = fits(id)
		}
		return set
	}
	var of [][]bool
	count := func(i int) (n int) {
		for _, s := range of {
			if s[i] {
				n++
			}
		}
		return n
	}
	operands := func(list []query.Expr, fits func(n int) bool) []bool {
		for _, k := range list {
			of = append(of, u.set(k))
		}
		for i := range set {
			set[i] = fits(count(i))
		}
		return set
	}
	switch e := e.(type) {
	case query.All:
		return fill(func(uint64) bool { return true })
	case query.Equal:
		if e.Field == "number" {
			return fill(func(id uint64) bool {
				x, ok := u.numbers[id]
				return ok && strconv.FormatInt(x, 10) == e.Value
			})
		}
		return fill(func(id uint64) bool { return u.rows[e.Value][id] })
	case query.Prefix:
		return fill(func(id uint64) bool {
			for row, records := range u.rows {
				if strings.HasPrefix(row, e.Value) && records[id] {
					return true
				}
			}
			return false
		})
	case query.Between:
		from, to := parse(e.From), parse(e.To)
		return fill(func(id uint64) bool { x, ok := u.numbers[id]; return ok && from <= x && x <= to })
	case query.Any:
		if e.Field == "number" {
			return fill(func(id uint64) bool { _, ok := u.numbers[id]; return ok })
		}
		return u.set(query.Prefix{Field: "tag"})
	case query.Related:
		return fill(func(id uint64) bool { return u.follows[parseID(e.Key)][id] })
	case query.Through:
		reached := map[uint64]bool{}
		for i, in := range u.set(e.Of) {
			if in {
				maps.Copy(reached, u.follows[u.ids[i]])
			}
		}
		return fill(func(id uint64) bool { return reached[id] })
	case query.Bitmap:
		v, _ := view.Open(e.Bytes)
		return fill(v.Contains)
	case query.Not:
		return operands([]query.Expr{e.Of}, func(n int) bool { return n == 0 })
	case query.And:
		return operands(e.Of, func(n int) bool { return n == len(e.Of) })
	case query.Or:
		return operands(e.Of, func(n int) bool { return n > 0 })
	case query.Xor:
		return operands(e.Of, func(n int) bool { return n%2 != 0 })
	case query.AtLeast:
		return operands(e.Of, func(n int) bool { return n >= e.N })
	}
	return set
}

func parse(s string) int64 {
	x, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return x
}

func parseID(s string) uint64 { return uint64(parse(s)) }

func (u *universe) answer(e query.Expr) (ids []uint64) {
	for i, in := range u.set(e) {
		if in {
			ids = append(ids, u.ids[i])
		}
	}
	return ids
}

// build makes an index of lists of different shapes: dense, sparse, runs, spread over many chunks,
// empty; part of it flushed, part in the delta.
func build(t testing.TB, rng *rand.Rand) (*posting.Index, *universe) {
	t.Helper()
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: tag},
			{ID: number, Kind: model.Integers}, {ID: follows, Inverse: followers},
			{ID: followers, Inverse: follows, Derived: true}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	u := &universe{rows: map[string]map[uint64]bool{}, numbers: map[uint64]int64{},
		follows: map[uint64]map[uint64]bool{}, all: map[uint64]bool{}}
	write := func(n int) {
		var b posting.Batch
		u.writeTags(&b, rng, n)
		u.writeNumbers(&b, rng, n)
		u.writeFollows(&b, rng, n)
		if _, err := ix.Commit(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write(1500)
	if err := ix.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	write(200)
	u.ids = slices.Sorted(maps.Keys(u.all))
	return ix, u
}

func (u *universe) exist(b *posting.Batch, id uint64) {
	b.Set(model.Exists, model.ID(0), model.ID(id))
	u.all[id] = true
}

func (u *universe) writeTags(b *posting.Batch, rng *rand.Rand, n int) {
	for row := range 8 {
		name := fmt.Sprintf("r%d", row)
		if u.rows[name] == nil {
			u.rows[name] = map[uint64]bool{}
		}
		for i := range n {
			id := rng.Uint64N(300_000)
			switch row {
			case 0:
				id = uint64(i) // one run
			case 1:
				id = rng.Uint64N(5000) // dense
			case 2:
				id = 65_530 + rng.Uint64N(12) // around the border of a chunk
			case 3:
				if i > 3 {
					continue
				}
			case 4:
				id = rng.Uint64N(40) << 16 // one in each chunk
			}
			ref := b.Key(model.KeySpace(tag), name)
			if rng.IntN(5) > 0 {
				b.Set(tag, ref, model.ID(id))
				u.exist(b, id)
				u.rows[name][id] = true
			} else {
				b.Clear(tag, ref, model.ID(id))
				delete(u.rows[name], id)
			}
		}
	}
}

// randomNumber returns small integers of either sign, and some that have all the bits there are.
func randomNumber(rng *rand.Rand) int64 {
	switch rng.IntN(20) {
	case 0:
		return math.MaxInt64 - rng.Int64N(3)
	case 1:
		return math.MinInt64 + rng.Int64N(3)
	case 2:
		return 0
	case 3:
		return rng.Int64() - rng.Int64()
	}
	return rng.Int64N(60) - 20
}

func (u *universe) writeNumbers(b *posting.Batch, rng *rand.Rand, n int) {
	for range n {
		id := rng.Uint64N(5000)
		if rng.IntN(3) == 0 {
			id = rng.Uint64N(300_000)
		}
		if rng.IntN(6) == 0 {
			b.Unassign(number, model.ID(id))
			delete(u.numbers, id)
			continue
		}
		x := randomNumber(rng)
		b.AssignInt(number, model.ID(id), x)
		u.exist(b, id)
		u.numbers[id] = x
	}
}

func (u *universe) writeFollows(b *posting.Batch, rng *rand.Rand, n int) {
	for range n {
		who, whom := rng.Uint64N(100), rng.Uint64N(300)<<rng.IntN(8)
		u.exist(b, who)
		u.exist(b, whom)
		if u.follows[who] == nil {
			u.follows[who] = map[uint64]bool{}
		}
		if rng.IntN(5) == 0 {
			b.Clear(follows, model.ID(who), model.ID(whom))
			delete(u.follows[who], whom)
			continue
		}
		b.Set(follows, model.ID(who), model.ID(whom))
		u.follows[who][whom] = true
	}
}

func bindTags() Bind {
	return func(leaf query.Expr) (Leaf, error) {
		switch leaf := leaf.(type) {
		case query.Any:
			if leaf.Field == "number" {
				return Leaf{Kind: Any, Field: number}, nil
			}
			return Leaf{Kind: Any, Field: tag}, nil
		case query.Prefix:
			return Leaf{Kind: Prefix, Field: tag, Space: model.KeySpace(tag)}, nil
		case query.Between:
			return Leaf{Kind: Integers, Field: number, From: parse(leaf.From), To: parse(leaf.To)}, nil
		case query.Related:
			return Leaf{Kind: List, Field: follows, Row: parseID(leaf.Key)}, nil
		case query.Through:
			return Leaf{Kind: Rows, Field: follows}, nil
		case query.Bitmap:
			v, err := view.Open(leaf.Bytes)
			return Leaf{Kind: Set, Set: v}, cmp.Or(err, v.Validate())
		case query.Equal:
			if leaf.Field == "number" {
				x := parse(leaf.Value)
				return Leaf{Kind: Integers, Field: number, From: x, To: x}, nil
			}
			return Leaf{Kind: Key, Field: tag, Space: model.KeySpace(tag), Key: leaf.Value}, nil
		}
		return Leaf{}, fmt.Errorf("got a %T", leaf)
	}
}

// randomLeaf returns a leaf about the fields of the tests.
func randomLeaf(rng *rand.Rand) query.Expr {
	decimal := func(x int64) string { return strconv.FormatInt(x, 10) }
	switch rng.IntN(16) {
	case 0:
		return query.All{}
	case 1:
		if rng.IntN(4) == 0 {
			return query.Nothing{}
		}
		return query.Any{Field: "tag"}
	case 2:
		return query.Any{Field: "number"}
	case 3:
		return query.Equal{Field: "number", Value: decimal(randomNumber(rng))}
	case 4, 5:
		return query.Between{Field: "number", From: decimal(randomNumber(rng)), To: decimal(randomNumber(rng))}
	case 6:
		bounds := []int64{math.MinInt64, math.MaxInt64, -1, 0, randomNumber(rng)}
		return query.Between{Field: "number", From: decimal(bounds[rng.IntN(5)]), To: decimal(bounds[rng.IntN(5)])}
	case 7:
		return query.Related{Field: "follows", Key: decimal(rng.Int64N(120))}
	case 8:
		return query.Prefix{Field: "tag", Value: []string{"", "r", "r1", "x"}[rng.IntN(4)]}
	case 9:
		var values []uint64
		for range rng.IntN(3000) {
			values = append(values, rng.Uint64N(6000)<<rng.IntN(60))
		}
		return query.Bitmap{Bytes: pair.Of(values...).Bytes()}
	}
	return query.Equal{Field: "tag", Value: fmt.Sprintf("r%d", rng.IntN(9))}
}

func randomExpr(rng *rand.Rand, depth int) query.Expr {
	if depth == 0 || rng.IntN(3) == 0 {
		return randomLeaf(rng)
	}
	of := make([]query.Expr, 2+rng.IntN(4))
	for i := range of {
		of[i] = randomExpr(rng, depth-1)
	}
	switch rng.IntN(10) {
	case 0:
		return query.Not{Of: of[0]}
	case 1:
		return query.Through{Field: "follows", Of: of[0]}
	case 2:
		return query.Xor{Of: of}
	case 3, 4:
		return query.AtLeast{N: 1 + rng.IntN(len(of)), Of: of}
	case 5, 6:
		return query.Or{Of: of}
	}
	return query.And{Of: of}
}
