// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestAnswers compares every kind of answer to random expressions with the plain reference. A delta
// is pending first, then flushed.
func TestAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ix, u := build(t, rng)
	rounds := paced(300, 60)
	for round := range rounds {
		if round == rounds/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		e := randomExpr(rng, 3)
		want := u.answer(e)
		checkAnswers(t, ix, rng, e, want)
	}
}

func checkAnswers(t *testing.T, ix *posting.Index, rng *rand.Rand, e query.Expr, want []uint64) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	bind := bindTags()
	if n, err := Count(t.Context(), snap, e, bind); err != nil || n != uint64(len(want)) {
		t.Fatalf("count of %s: got %d, %v, want %d", e, n, err, len(want))
	}
	all, more, err := AppendIDs(t.Context(), []uint64{42}, snap, e, bind, 0, 0)
	if err != nil || more || all[0] != 42 || !slices.Equal(all[1:], want) {
		t.Fatalf("IDs of %s: got %d (%v, %v), want %d", e, len(all)-1, more, err, len(want))
	}
	set, err := Bitmap(t.Context(), snap, e, bind, pack.Smallest)
	if err != nil || !slices.Equal(set.View().AppendTo(nil), want) {
		t.Fatalf("bitmap of %s: got %v, want %d records", e, err, len(want))
	}
	var paged []uint64
	limit := 1 + len(want)/30 + rng.IntN(len(want)/3+2)
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
	for range 8 {
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

// TestCountsOneAfterTheOther counts conjunctions of lists, and then other operations on the same
// lists. They are planned in the memory of the one before: nothing of that may be left.
func TestCountsOneAfterTheOther(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(1, 2)))
	snap := ix.Snapshot()
	defer snap.Close()
	bind, found := bindTags(), 0
	for row := range 12 {
		of := []query.Expr{query.Equal{Field: "tag", Value: fmt.Sprintf("r%d", row)},
			query.Equal{Field: "tag", Value: fmt.Sprintf("r%d", row/2+1)}}
		for _, e := range []query.Expr{query.And{Of: of}, query.Or{Of: of}, query.And{Of: of}, query.Xor{Of: of},
			query.And{Of: of}, query.AtLeast{N: 1, Of: of}} {
			want, _, err := AppendIDs(t.Context(), nil, snap, e, bind, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Count(t.Context(), snap, query.And{Of: of}, bind); err != nil {
				t.Fatal(err)
			}
			if n, err := Count(t.Context(), snap, e, bind); err != nil || n != uint64(len(want)) {
				t.Fatalf("count of %s: got %d, %v, want %d", e, n, err, len(want))
			}
			found += len(want)
		}
	}
	if found == 0 {
		t.Fatal("nothing was found: this tests nothing")
	}
}

func TestErrors(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(1, 2)))
	snap := ix.Snapshot()
	defer snap.Close()
	leaf := query.Equal{Field: "tag", Value: "r1"}
	broken := errors.New("no such field")
	if _, err := Count(t.Context(), snap, query.Or{Of: []query.Expr{query.All{}, leaf, query.Not{Of: leaf}}},
		bindTags()); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	if _, err := Count(t.Context(), snap, leaf, func(query.Expr) (Leaf, error) {
		return Leaf{}, broken
	}); err != broken {
		t.Errorf("got %v, want the error of bind", err)
	}
	if _, err := Count(t.Context(), snap, query.Not{}, bindTags()); !errors.Is(err, query.ErrInvalid) {
		t.Errorf("got %v of an expression with a hole, want query.ErrInvalid", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := query.And{Of: []query.Expr{leaf, query.Equal{Field: "tag", Value: "r0"}}}
	for _, e := range []query.Expr{e, leaf} {
		if _, err := Count(ctx, snap, e, bindTags()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", e, err)
		}
	}
	if _, _, err := AppendIDs(ctx, nil, snap, e, bindTags(), 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if _, err := Contains(ctx, snap, e, bindTags(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestContextInsideOneStep ends while two lists without a common chunk leapfrog.
func TestContextInsideOneStep(t *testing.T) {
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: tag}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	var b posting.Batch
	for i := range uint64(150_000) { // more than are counted in one step
		b.Set(tag, model.ID(i%2), model.ID(i<<16))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	row := uint64(0)
	bind := func(query.Expr) (Leaf, error) {
		row ^= 1
		return Leaf{Kind: List, Field: tag, Row: row}, nil
	}
	e := query.And{Of: []query.Expr{query.Equal{Field: "a", Value: "a"}, query.Equal{Field: "b", Value: "b"}}}
	// The context ends once the lists are bound: the walk itself must notice.
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Count(ctx, snap, e, func(leaf query.Expr) (Leaf, error) {
		cancel()
		return bind(leaf)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if n, err := Count(t.Context(), snap, e, bind); n != 0 || err != nil {
		t.Fatalf("got %d, %v, want 0", n, err)
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
	bind := bindTags()
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

// CountAnd counts what Count of the conjunction counts, whatever of the lists is in pages and in
// the delta.
func TestCountAnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	ix, u := build(t, rng)
	names := slices.Sorted(maps.Keys(u.rows))
	snap := ix.Snapshot()
	defer snap.Close()
	for range 300 {
		var rows []Row
		var and query.And
		for range 1 + rng.IntN(4) {
			name := names[rng.IntN(len(names))]
			id, ok, err := snap.Lookup(model.KeySpace(tag), name)
			if err != nil || !ok {
				t.Fatal(err, ok)
			}
			rows = append(rows, Row{tag, id})
			and.Of = append(and.Of, query.Equal{Field: "tag", Value: name})
		}
		n, err := CountAnd(t.Context(), snap, rows...)
		if want := len(u.answer(and)); err != nil || n != uint64(want) {
			t.Fatalf("%v: got %d (%v), want %d", and, n, err, want)
		}
	}
	if n, err := CountAnd(t.Context(), snap); n != 0 || err != nil {
		t.Errorf("of no lists: got %d, %v", n, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CountAnd(ended, snap, Row{tag, 0}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: got %v", err)
	}
}
