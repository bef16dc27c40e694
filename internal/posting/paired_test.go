// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestPaired: two lists that are read together have as many records in common as they have, of all
// sizes, whether one delta has edits of them or two.
func TestPaired(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 602))
			ix := open(t, memstore.New(), testConfig(t, 64<<20))
			sizes := []int{0, 3, 20, 60, 150, 400, 3000, 6000}
			snap, want := layered(t, r, ix, country, sizes, 1<<(13+r.IntN(12)), seed%2 == 0)
			var a, b overlay.List // used again and again
			counted := 0
			for i := range sizes {
				for k := range sizes {
					both := uint64(0)
					for x := range want[i] {
						if want[k][x] {
							both++
						}
					}
					if err := snap.Paired(&[2]reader.Paired{{Field: country, Row: uint64(i), List: &a},
						{Field: country, Row: uint64(k), List: &b}}); err != nil {
						t.Fatal(err)
					}
					if n, ok := overlay.AndLen(&a, &b); ok {
						if counted++; n != both {
							t.Errorf("rows %d and %d: got %d common records, want %d", i, k, n, both)
						}
					}
				}
			}
			if counted < len(sizes)*len(sizes)/2 {
				t.Errorf("got %d pairs counted, want more", counted)
			}
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
			if err := snap.Paired(&[2]reader.Paired{{Field: country, Row: 1, List: &a},
				{Field: country, Row: 2, List: &b}}); !errors.Is(err, model.ErrClosed) {
				t.Errorf("got %v of a closed index, want ErrClosed", err)
			}
		})
	}
}

// TestPairedDeleted: records that were deleted and are not flushed yet are left out of two lists
// that are read together.
func TestPairedDeleted(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	defer ix.Close()
	var batch Batch
	for x := range uint64(500) {
		record := batch.Key(model.RecordSpace, fmt.Sprint(x))
		batch.Set(model.Exists, model.ID(0), record)
		batch.Set(country, model.ID(1), record)
		batch.Set(country, model.ID(2), record)
	}
	if _, err := ix.Commit(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	var deletes Batch
	deletes.Delete(deletes.Key(model.RecordSpace, "77"))
	if _, err := ix.Commit(t.Context(), &deletes); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var a, b overlay.List
	if err := snap.Paired(&[2]reader.Paired{{Field: country, Row: 1, List: &a},
		{Field: country, Row: 2, List: &b}}); err != nil {
		t.Fatal(err)
	}
	if n, ok := overlay.AndLen(&a, &b); ok && n != 499 || !ok && (a.Len() != 499 || b.Len() != 499) {
		t.Errorf("got %d in common, %t, of lists of %d and %d, want 499", n, ok, a.Len(), b.Len())
	}
}

// TestPairedAllocates: what two lists of many edits have in common is counted chunk by chunk, or
// record by record, without allocating.
func TestPairedAllocates(t *testing.T) {
	for _, c := range []struct {
		short  int
		spread uint64
		want   overlay.CountPlan
	}{{300, 1 << 17, overlay.ByChunks}, {20, 1 << 21, overlay.ByProbes}, {3000, 1 << 25, overlay.ByProbes}} {
		t.Run(fmt.Sprint(c.short), func(t *testing.T) { pairedAllocates(t, c.short, c.spread, c.want) })
	}
}

func pairedAllocates(t *testing.T, short int, spread uint64, want overlay.CountPlan) {
	r := rand.New(rand.NewPCG(7, 603))
	config := testConfig(t, 64<<20)
	config.unmerged = true
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	snap, _ := layered(t, r, ix, country, []int{short, 6000}, spread, true)
	var a, b overlay.List
	ask := func() {
		if err := snap.Paired(&[2]reader.Paired{{Field: country, Row: 0, List: &a},
			{Field: country, Row: 1, List: &b}}); err != nil {
			t.Fatal(err)
		}
		if way := overlay.PlanCount(&a, &b); way != want {
			t.Fatalf("got way %d, want %d", way, want)
		}
		if _, ok := overlay.AndLen(&a, &b); !ok {
			t.Fatal("got no number")
		}
	}
	ask()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if n := testing.AllocsPerRun(50, ask); n >= 1 && !raceEnabled {
		t.Errorf("got %v allocations, want none", n)
	}
}
