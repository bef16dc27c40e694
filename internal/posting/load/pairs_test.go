// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortPairs sorts random words of several widths, and turns them.
func TestSortPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for range 200 {
		words := make([]uint64, rng.IntN(3000))
		rows, records := uint32(1)<<rng.IntN(32)-1, uint32(1)<<rng.IntN(32)-1
		for i := range words {
			words[i] = uint64(rng.Uint32()&rows)<<32 | uint64(rng.Uint32()&records)
		}
		want, turned := slices.Sorted(slices.Values(words)), make([]uint64, len(words))
		for i, w := range words {
			turned[i] = w<<32 | w>>32
		}
		slices.Sort(turned)
		got, scratch := sortPairs(words, make([]uint64, len(words)))
		if !slices.Equal(got, want) {
			t.Fatalf("got %x, want %x", got, want)
		}
		if got, _ := turnPairs(got, scratch); !slices.Equal(got, turned) {
			t.Fatalf("turned: got %x, want %x", got, turned)
		}
	}
}

// TestPairRuns writes more runs than are merged at a time, and merges them. Their rows have few and
// very many records.
func TestPairRuns(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(3, 4))
	var runs pairRuns
	defer runs.Close()
	want := make(map[uint64]bool)
	for range 2*mostRuns + 10 {
		var words []uint64
		for range rng.IntN(200) {
			words = append(words, uint64(rng.Uint32()>>rng.IntN(32))<<32|uint64(rng.Uint32()>>rng.IntN(32)))
		}
		for range rng.IntN(2) * 3000 {
			words = append(words, 77<<32|uint64(rng.Uint32()))
		}
		slices.Sort(words)
		if err := runs.add(words); err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			want[w] = true
		}
	}
	if len(runs.Open) > mostRuns {
		t.Errorf("got %d files, want at most %d", len(runs.Open), mostRuns)
	}
	last := uint64(0)
	err := runs.merge(func(row uint32, records []uint32) error {
		for _, x := range records {
			w := uint64(row)<<32 | uint64(x)
			if !want[w] || w <= last && last > 0 {
				return fmt.Errorf("got %x after %x", w, last)
			}
			delete(want, w)
			last = w
		}
		return nil
	})
	if err != nil || len(want) > 0 {
		t.Errorf("got %v, and %d pairs are missing", err, len(want))
	}
	// A run that is cut short is an error, wherever it is cut.
	var cut pairRuns
	defer cut.Close()
	if err := cut.add([]uint64{1<<32 | 5, 1<<32 | 300_000, 9<<32 | 7}); err != nil {
		t.Fatal(err)
	}
	size, err := cut.Open[0].Seek(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	for size--; size > 0; size-- {
		if err := cut.Open[0].Truncate(size); err != nil {
			t.Fatal(err)
		}
		n := 0
		err := cut.merge(func(_ uint32, records []uint32) error { n += len(records); return nil })
		if whole := size == 6 && n == 2; err == nil && !whole { // all of the first row, and nothing of the second
			t.Errorf("%d bytes: got no error and %d pairs", size, n)
		}
	}
}
