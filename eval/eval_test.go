// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/posting"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

const tag = 4

// universe is a plain reference of one set field: the records by row, and all of them.
type universe struct {
	rows map[string]map[uint64]bool
	all  map[uint64]bool
}

// fits evaluates an expression for one record, the obvious way.
func (u *universe) fits(e query.Expr, record uint64) bool {
	switch e := e.(type) {
	case query.All:
		return u.all[record]
	case query.Nothing:
		return false
	case query.Equal:
		return u.rows[e.Value][record]
	case query.Any:
		for _, row := range u.rows {
			if row[record] {
				return true
			}
		}
		return false
	case query.Not:
		return u.all[record] && !u.fits(e.Of, record)
	case query.And:
		for _, k := range e.Of {
			if !u.fits(k, record) {
				return false
			}
		}
		return u.all[record]
	case query.Or:
		for _, k := range e.Of {
			if u.fits(k, record) {
				return true
			}
		}
	}
	return false
}

func (u *universe) answer(e query.Expr) []uint64 {
	var ids []uint64
	for id := range u.all {
		if u.fits(e, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// build makes an index of lists of different shapes: dense, sparse, runs, spread over many chunks, empty; part of it flushed, part in the delta.
func build(t testing.TB, rng *rand.Rand) (*posting.Index, *universe) {
	t.Helper()
	memory, err := posting.NewMemory(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20, Fields: []posting.Field{{ID: tag}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	u := &universe{rows: map[string]map[uint64]bool{}, all: map[uint64]bool{}}
	write := func(n int) {
		var b posting.Batch
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
				set := rng.IntN(5) > 0
				ref := b.Key(posting.KeySpace(tag), name)
				if set {
					b.Set(tag, ref, posting.ID(id))
					b.Set(posting.Exists, posting.ID(0), posting.ID(id))
					u.rows[name][id], u.all[id] = true, true
				} else {
					b.Clear(tag, ref, posting.ID(id))
					delete(u.rows[name], id)
				}
			}
		}
		if _, err := ix.Commit(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write(1500)
	if err := ix.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	write(200)
	return ix, u
}

func bindTags(snap posting.Snapshot) Bind {
	return func(leaf query.Expr) (uint32, uint64, bool, error) {
		if _, ok := leaf.(query.Any); ok {
			return tag, 0, true, nil
		}
		row, ok, err := snap.Lookup(posting.KeySpace(tag), leaf.(query.Equal).Value)
		return tag, row, ok, err
	}
}

func randomExpr(rng *rand.Rand, depth int) query.Expr {
	kind := rng.IntN(10)
	if depth == 0 {
		kind = rng.IntN(6)
	}
	switch {
	case kind == 0:
		return query.All{}
	case kind == 1 && rng.IntN(4) == 0:
		return query.Nothing{}
	case kind == 1:
		return query.Any{Field: "tag"}
	case kind < 6:
		return query.Equal{Field: "tag", Value: fmt.Sprintf("r%d", rng.IntN(9))}
	case kind == 6:
		return query.Not{Of: randomExpr(rng, depth-1)}
	}
	of := make([]query.Expr, 1+rng.IntN(4))
	for i := range of {
		of[i] = randomExpr(rng, depth-1)
	}
	if kind < 9 {
		return query.And{Of: of}
	}
	return query.Or{Of: of}
}

// TestAnswers compares every kind of answer to random expressions with the plain reference, with a delta pending and after a flush.
func TestAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ix, u := build(t, rng)
	rounds := 400
	if testing.Short() {
		rounds = 120
	}
	for round := range rounds {
		if round == rounds/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		e := randomExpr(rng, 4)
		want := u.answer(e)
		checkAnswers(t, ix, rng, e, want)
	}
}

func checkAnswers(t *testing.T, ix *posting.Index, rng *rand.Rand, e query.Expr, want []uint64) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	bind := bindTags(snap)
	if n, err := Count(t.Context(), snap, e, bind); err != nil || n != uint64(len(want)) {
		t.Fatalf("count of %s: got %d, %v, want %d", e, n, err, len(want))
	}
	all, more, err := AppendIDs(t.Context(), []uint64{42}, snap, e, bind, 0, 0)
	if err != nil || more || all[0] != 42 || !slices.Equal(all[1:], want) {
		t.Fatalf("IDs of %s: got %d (%v, %v), want %d", e, len(all)-1, more, err, len(want))
	}
	var paged []uint64
	limit := 1 + rng.IntN(len(want)/3+2)
	for from := uint64(0); ; {
		page, more, err := AppendIDs(t.Context(), nil, snap, e, bind, from, limit)
		if err != nil || len(page) > limit || more && len(page) != limit {
			t.Fatalf("page of %s: got %d of %d, %v, %v", e, len(page), limit, more, err)
		}
		paged = append(paged, page...)
		if !more {
			break
		}
		from = page[len(page)-1] + 1
	}
	if !slices.Equal(paged, want) {
		t.Fatalf("pages of %s: got %d IDs, want %d", e, len(paged), len(want))
	}
	for range 20 {
		record := rng.Uint64N(300_000)
		if len(want) > 0 && rng.IntN(2) == 0 {
			record = want[rng.IntN(len(want))]
		}
		_, in := slices.BinarySearch(want, record)
		if got, err := Contains(t.Context(), snap, e, bind, record); err != nil || got != in {
			t.Fatalf("%s contains %d: got %v, %v, want %v", e, record, got, err, in)
		}
	}
}

func TestErrors(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(1, 2)))
	snap := ix.Snapshot()
	defer snap.Close()
	leaf := query.Equal{Field: "tag", Value: "r1"}
	broken := errors.New("no such field")
	if _, err := Count(t.Context(), snap, query.Or{Of: []query.Expr{query.All{}, leaf, query.Not{Of: leaf}}}, bindTags(snap)); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	if _, err := Count(t.Context(), snap, leaf, func(query.Expr) (uint32, uint64, bool, error) { return 0, 0, false, broken }); err != broken {
		t.Errorf("got %v, want the error of bind", err)
	}
	if _, err := Count(t.Context(), snap, query.Not{}, bindTags(snap)); !errors.Is(err, query.ErrInvalid) {
		t.Errorf("got %v of an expression with a hole, want query.ErrInvalid", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := query.And{Of: []query.Expr{leaf, query.Equal{Field: "tag", Value: "r0"}}}
	for _, e := range []query.Expr{e, leaf} {
		if _, err := Count(ctx, snap, e, bindTags(snap)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", e, err)
		}
	}
	if _, _, err := AppendIDs(ctx, nil, snap, e, bindTags(snap), 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if _, err := Contains(ctx, snap, e, bindTags(snap), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestLimit refuses a query of too many lists, and does not count leaves that can have no records.
func TestLimit(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(1, 2)))
	snap := ix.Snapshot()
	defer snap.Close()
	or := func(n int) query.Expr {
		var of []query.Expr
		for i := range n {
			of = append(of, query.Equal{Field: "tag", Value: fmt.Sprint(i)})
		}
		return query.Or{Of: of}
	}
	unknown := func(query.Expr) (uint32, uint64, bool, error) { return 0, 0, false, nil }
	if n, err := Count(t.Context(), snap, or(50_000), unknown); err != nil || n != 0 {
		t.Errorf("got %d, %v of leaves without records, want 0", n, err)
	}
	known := func(leaf query.Expr) (uint32, uint64, bool, error) { return tag, 0, true, nil }
	if _, err := Count(t.Context(), snap, or(MaxLists+1), known); !errors.Is(err, ErrLimit) {
		t.Errorf("got %v of %d lists, want ErrLimit", err, MaxLists+1)
	}
}

// TestContextInsideOneStep ends while two lists without a common chunk leapfrog.
func TestContextInsideOneStep(t *testing.T) {
	memory, err := posting.NewMemory(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20, Fields: []posting.Field{{ID: tag}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	var b posting.Batch
	for i := range uint64(60_000) {
		b.Set(tag, posting.ID(i%2), posting.ID(i<<16))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	row := uint64(0)
	bind := func(query.Expr) (uint32, uint64, bool, error) {
		row ^= 1
		return tag, row, true, nil
	}
	e := query.And{Of: []query.Expr{query.Equal{Field: "a", Value: "a"}, query.Equal{Field: "b", Value: "b"}}}
	if n, err := Count(t.Context(), snap, e, bind); n != 0 || err != nil {
		t.Fatalf("got %d, %v, want 0", n, err)
	}
	// The context ends once the lists are bound: the walk itself must notice.
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Count(ctx, snap, e, func(leaf query.Expr) (uint32, uint64, bool, error) {
		cancel()
		return bind(leaf)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// raceEnabled is set by a file with a build tag.
var raceEnabled = false

// TestAllocations shows that the allocations of a count do not grow with the lists.
func TestAllocations(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(1, 2)))
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	bind := bindTags(snap)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector empties the pools, which would be counted
	count := func(values ...string) float64 {
		var of []query.Expr
		for _, v := range values {
			of = append(of, query.Equal{Field: "tag", Value: v})
		}
		e := query.And{Of: of}
		least := math.Inf(1) // what Count allocates it allocates every time; a goroutine of an earlier test does not
		for range 3 {
			least = min(least, testing.AllocsPerRun(200, func() {
				if _, err := Count(t.Context(), snap, e, bind); err != nil {
					t.Fatal(err)
				}
			}))
		}
		return least
	}
	few, many := count("r2", "r3"), count("r4", "r5")
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop some of what it is given, so the counts vary")
	}
	if few != many {
		t.Errorf("got %v allocations for two small lists and %v for two over many chunks, want the same", few, many)
	}
	if many > 16 {
		t.Errorf("got %v allocations, want at most 16", many)
	}
}
