// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRename renames numbers and IDs in runs.
func TestRename(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(9, 4))
	runs := pairRuns{}
	defer func() { _ = runs.Close() }()
	const base = 1000
	given := make(map[uint64]uint64)
	for range 50 {
		given[base+rng.Uint64N(500)] = rng.Uint64N(base)
	}
	want := make(map[uint64]bool)
	id := func(half uint64) uint64 {
		if half&numberBit != 0 {
			half = base + half&^numberBit
		}
		if other, ok := given[half]; ok {
			return other
		}
		return half
	}
	for range 20 {
		var words []uint64
		for range 500 {
			half := func() uint64 { return rng.Uint64N(2)*numberBit + rng.Uint64N(500) }
			w := half()<<32 | half()
			words = append(words, w)
			want[id(w>>32)<<32|id(w&(1<<32-1))] = true
		}
		slices.Sort(words)
		if err := runs.add(words); err != nil {
			t.Fatal(err)
		}
	}
	runs.Numbered, runs.Base = true, base
	if err := runs.rename(given, 100); err != nil {
		t.Fatal(err)
	}
	var got []uint64
	err := runs.merge(func(row uint32, records []uint32) error {
		for _, x := range records {
			got = append(got, uint64(row)<<32|uint64(x))
		}
		return nil
	})
	if err != nil || !slices.IsSorted(got) || len(got) != len(want) {
		t.Fatalf("got %d pairs, sorted: %v, %v; want %d", len(got), slices.IsSorted(got), err, len(want))
	}
	for _, w := range got {
		if !want[w] {
			t.Fatalf("got %x, which is not one of the pairs", w)
		}
	}
}

// TestAssignedRuns writes more runs of assignments than are merged at a time. The last one of each
// record counts.
func TestAssignedRuns(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(5, 4))
	runs := pairRuns{single: true}
	defer runs.Close()
	want := make(map[uint32]uint32)
	for range 2*mostRuns + 10 {
		words := make([]uint64, rng.IntN(200))
		for i := range words {
			record, row := uint32(rng.IntN(3000)), rng.Uint32()>>rng.IntN(32)
			words[i] = uint64(record)<<32 | uint64(row)
			want[record] = row
		}
		words, _ = sortAssigned(words, make([]uint64, len(words)))
		if err := runs.add(words); err != nil {
			t.Fatal(err)
		}
	}
	last := -1
	err := runs.merge(func(record uint32, rows []uint32) error {
		if row, ok := want[record]; !ok || len(rows) != 1 || rows[0] != row || int(record) <= last {
			return fmt.Errorf("record %d after %d: got rows %d, want %d", record, last, rows, row)
		}
		delete(want, record)
		last = int(record)
		return nil
	})
	if err != nil || len(want) > 0 {
		t.Errorf("got %v, and %d records are missing", err, len(want))
	}
}
