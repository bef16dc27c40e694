// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"strconv"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestWordCloudAllocations: the hundred best values of 100 000 take at most 200 allocations, no
// more than those of 10 000, over value columns as over lists.
func TestWordCloudAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	measured := make(map[string]float64)
	for _, lists := range []int{10_000, 100_000} {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "plain", Type: uproar.Set},
			uproar.Field{Name: "fast", Type: uproar.Set, Column: uproar.FastColumn})
		if err != nil {
			t.Fatal(err)
		}
		load, err := ix.Load(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer load.Abort()
		for i := range lists {
			record, value := "p"+strconv.Itoa(i%5000), "v"+strconv.Itoa(i)
			for _, field := range []string{"plain", "fast"} {
				if err := load.Set(field, record, value); err != nil {
					t.Fatal(err)
				}
				if err := load.Set(field, record, "half"+strconv.Itoa(i%5000%2)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := load.Commit(); err != nil {
			t.Fatal(err)
		}
		snap := ix.Snapshot()
		defer snap.Close()
		for _, field := range []string{"plain", "fast"} {
			selected, err := snap.Select(t.Context(), query.Equal{Field: field, Value: "half0"})
			if err != nil {
				t.Fatal(err)
			}
			for _, by := range []uproar.Measure{uproar.ByCount, uproar.ByLift} {
				top := func() {
					if got, err := selected.Top(t.Context(), field, uproar.TopOptions{By: by,
						Limit: 100}); err != nil || len(got) != 100 {
						t.Fatalf("%s by %s: got %d values, %v, want 100", field, by, len(got), err)
					}
				}
				name := field + " by " + string(by)
				got := allocationsOf(3, top)
				switch before, known := measured[name]; {
				case got > 200:
					t.Errorf("%s of %d lists: got %v allocations, want at most 200", name, lists, got)
				case known && got > before+20:
					t.Errorf("%s of %d lists: got %v allocations, of 10 000 %v, want as many", name, lists, got, before)
				}
				measured[name] = got
			}
		}
	}
	t.Log(measured)
}
