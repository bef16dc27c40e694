// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestAppendAnd compares conjunctions of lists of all densities with those of plain sets: clustered
// and spread over several containers, with pending edits and without, all records and the first few
// of them.
func TestAppendAnd(t *testing.T) {
	const lists, universe, rows = 4, 135_000, 7
	rng := rand.New(rand.NewPCG(21, 22))
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: lists}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	in := func(row, id uint64) bool { // row 0 to 3: alternating, in runs, at random, with a gap; from 4 on: few
		x := (id*2654435761 + row*97) >> 7
		switch row {
		case 0:
			return id%2 == 0
		case 1:
			return id/500%4 == 1
		case 2:
			return x%5 < 2
		case 3:
			return id > 60_000 && id < 130_000 && x%3 > 0
		default:
			return x%(row*row*row*20) == 0
		}
	}
	var sets [rows][universe]bool
	var b posting.Batch
	for row := range uint64(rows) {
		for id := range uint64(universe) {
			if in(row, id) {
				sets[row][id] = true
				b.Set(lists, model.ID(row), model.ID(id))
			}
		}
	}
	commit := func() {
		t.Helper()
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		b = posting.Batch{}
	}
	commit()
	for round := range 3 {
		switch round {
		case 1:
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 2:
			for range 500 {
				row, id := rng.Uint64N(rows), rng.Uint64N(universe)
				if sets[row][id] {
					b.Clear(lists, model.ID(row), model.ID(id))
				} else {
					b.Set(lists, model.ID(row), model.ID(id))
				}
				sets[row][id] = !sets[row][id]
			}
			commit()
		}
		snap := ix.Snapshot()
		for mask := 1; mask < 1<<rows; mask++ {
			var of []Row
			for row := range uint64(rows) {
				if mask>>row&1 != 0 {
					of = append(of, Row{lists, row})
				}
			}
			rng.Shuffle(len(of), func(i, k int) { of[i], of[k] = of[k], of[i] })
			var want []uint64
			for id := range uint64(universe) {
				if !slices.ContainsFunc(of, func(r Row) bool { return !sets[r.Row][id] }) {
					want = append(want, id)
				}
			}
			for _, limit := range []int{0, 1, 2, 8, 9, 1000} {
				most := len(want)
				if limit > 0 {
					most = min(most, limit)
				}
				ids, more, err := AppendAnd(t.Context(), []uint64{7}, snap, limit, of...)
				if err != nil || ids[0] != 7 || !slices.Equal(ids[1:], want[:most]) || more != (most < len(want)) {
					t.Fatalf("round %d, rows %v, limit %d: got %d records, more %v, %v; want %d of %d", round, of,
						limit, len(ids)-1, more, err, most, len(want))
				}
			}
		}
		snap.Close()
	}
}
