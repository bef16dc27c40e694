// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"strconv"
	"testing"

	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadTrims: whatever a load is told, it forgets keys when they have no room, and finds them
// again. A load of integers alone once did not.
func TestLoadTrims(t *testing.T) {
	for name, set := range map[string]func(l *Loader, record string, x int) error{
		"SetInt": func(l *Loader, record string, x int) error { return l.SetInt("age", record, int64(x)) },
		"Set":    func(l *Loader, record string, x int) error { return l.Set("city", record, strconv.Itoa(x)) },
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), memstore.New(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			ix, err := db.CreateIndex(t.Context(), "people", Field{Name: "age", Type: Integer},
				Field{Name: "city", Type: Single})
			if err != nil {
				t.Fatal(err)
			}
			load, err := ix.Load(t.Context(), &LoadOptions{MemoryBytes: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			defer load.Abort()
			const people = 40_000
			for i := range 2 * people {
				if err := set(load, "person "+strconv.Itoa(i%people), i%90); err != nil {
					t.Fatal(err)
				}
			}
			if load.round == 0 {
				t.Errorf("%d keys in a megabyte: got none forgotten", people)
			}
			if err := load.Commit(); err != nil {
				t.Fatal(err)
			}
			snap := ix.Snapshot()
			defer snap.Close()
			if n, err := snap.lists.Count(); err != nil || n != people {
				t.Errorf("got %d records (%v), want %d", n, err, people)
			}
		})
	}
}
