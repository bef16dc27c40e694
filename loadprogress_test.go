// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadProgress: a load tells how far it is also while it merges values of which a record has
// one, and ends with all of all.
func TestLoadProgress(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "age", Type: uproar.Integer}, uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	const records = 20_000
	for round := range 2 {
		var told [][2]int64
		load, err := ix.Load(t.Context(), &uproar.LoadOptions{MemoryBytes: 1 << 18,
			Progress: func(done, total int64) { told = append(told, [2]int64{done, total}) }})
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			key := fmt.Sprint("p", i)
			for _, err := range []error{load.Set("city", key, fmt.Sprint("c", i%(7+round))),
				load.SetInt("age", key, int64(i%90+round)), load.Set("likes", key, fmt.Sprint("l", i%5))} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := load.Commit(); err != nil {
			t.Fatal(err)
		}
		before := [2]int64{}
		for _, x := range told {
			if x[0] > x[1] || x[0] < before[0] || x[1] < before[1] {
				t.Fatalf("round %d: got %d of %d after %d of %d", round, x[0], x[1], before[0], before[1])
			}
			before = x
		}
		among := 0 // told while assignments merged: what follows from them is not counted yet
		for _, x := range told {
			if x[0] > 0 && x[1] < before[1] {
				among++
			}
		}
		if among < 5 || before[0] != before[1] || before[1] < 3*records {
			t.Errorf("round %d: told %d times while values are merged, of %d; the last was %d of %d", round, among,
				len(told), before[0], before[1])
		}
	}
}
