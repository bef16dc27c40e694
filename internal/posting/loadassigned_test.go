// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadAssigned assigns rows to records again and again, in many runs, one by one and many at a
// time, over those of an earlier load and below those of a later one. In the middle come IDs beyond
// 31 bits, which are no pairs. Of the assignments of a record the last one counts, in its value and
// in the lists.
func TestLoadAssigned(t *testing.T) {
	for seed := range uint64(6) {
		ix := open(t, memstore.New(), columnConfig(t))
		want := make(map[uint64]uint64)
		rng := rand.New(rand.NewPCG(seed, 61))
		for load := range 3 {
			l, err := ix.Load(t.Context(), int64(1000+rng.IntN(20_000)), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Abort()
			for at := range 3000 {
				var records, rows []model.Ref
				for range 1 + rng.IntN(3) {
					record, row := rng.Uint64N(700), rng.Uint64N(9)
					if wide := load == 1 && at > 1500; wide && rng.IntN(50) == 0 {
						record += 1 << 33
					} else if wide && rng.IntN(50) == 0 {
						row += 1 << 32
					}
					records, rows = append(records, model.ID(record)), append(rows, model.ID(row))
					want[record] = row
				}
				if at%2 == 0 {
					err = l.AssignMany(zone, records, rows)
				} else {
					for i := range records {
						if err == nil {
							err = l.Assign(zone, records[i], rows[i])
						}
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := l.Commit(); err != nil {
				t.Fatal(err)
			}
			checkAssigned(t, ix, want)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkAssigned compares the rows of records, and the lists of rows.
func checkAssigned(t *testing.T, ix *Index, want map[uint64]uint64) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	lens := make(map[uint64]uint64)
	for record, row := range want {
		lens[row]++
		if got, ok, err := snap.Value(zone, record); err != nil || !ok || got != row {
			t.Fatalf("record %d: got row %d, %v, %v, want %d", record, got, ok, err, row)
		}
		if ok, err := snap.Contains(zone, row, record); err != nil || !ok {
			t.Fatalf("row %d: got record %d: %v, %v", row, record, ok, err)
		}
	}
	var list overlay.List
	for row, n := range lens {
		if err := snap.List(zone, row, &list); err != nil || list.Len() != n {
			t.Fatalf("row %d: got %d records, %v, want %d", row, list.Len(), err, n)
		}
	}
}
