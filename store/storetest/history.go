// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// testHistory applies random batches, and compares reads and scans with a plain map.
func testHistory(t *testing.T, s store.Store) {
	rounds := 700
	switch {
	case testing.Short():
		rounds = 300
	case long:
		rounds = 3000
	}
	m := model{}
	step(t, newRand(t), s, m, rounds)
	m.check(t, s)
}

// step applies rounds random batches to s and m, comparing them on the way.
func step(t *testing.T, rng *rand.Rand, s store.Store, m model, rounds int) {
	t.Helper()
	for range rounds {
		b := randomBatch(rng)
		if err := s.Apply(b, rng.IntN(10) == 0); err != nil {
			t.Fatal(err)
		}
		m.apply(b)
		for range 3 {
			key := string(randomKey(rng))
			got, ok := read(t, s, key)
			if want, there := m[key]; ok != there || got != want {
				t.Fatalf("Get(%q): got %d bytes (found: %v), want %d (found: %v)", key, len(got), ok, len(want), there)
			}
		}
		switch rng.IntN(20) {
		case 0:
			prefix, start := randomKey(rng)[:1], randomKey(rng)
			compare(t, fmt.Sprintf("Scan(%q, %q)", prefix, start), list(t, s, prefix, start), m.list(prefix, start))
		case 1:
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// testReopen closes and opens the store again and again within one random history.
func testReopen(t *testing.T, open func(t *testing.T, dir string) store.Store) {
	dir, rng, m := t.TempDir(), newRand(t), model{}
	cycles := 40
	if testing.Short() {
		cycles = 8
	}
	for range cycles {
		s := open(t, dir)
		m.check(t, s)
		step(t, rng, s, m, rng.IntN(60)) // also none at all
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); !errors.Is(err, store.ErrClosed) {
			t.Fatalf("the second Close: got %v, want %v", err, store.ErrClosed)
		}
	}
	s := open(t, dir)
	m.check(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// testReopenLarge reopens a store with values enough to fill several of an engine's files, replaced
// and deleted in part.
func testReopenLarge(t *testing.T, open func(t *testing.T, dir string) store.Store) {
	megabytes := 96 // more than what engines keep in memory before they write their first table
	if long {
		megabytes = 256
	}
	const pageSize, pagesPerBatch = 32 << 10, 64
	pages := megabytes << 20 / pageSize
	dir, rng := t.TempDir(), newRand(t)
	page := func(i, round int) []byte {
		value := make([]byte, pageSize)
		src := rand.NewPCG(uint64(i), uint64(round))
		for j := 0; j < len(value); j += 8 {
			value[j] = byte(src.Uint64())
		}
		return value
	}
	rounds := make(map[int]int) // the round in which each page was written last; none when deleted
	s := open(t, dir)
	for round := range 2 {
		for first := 0; first < pages; first += pagesPerBatch {
			b := new(store.Batch)
			for i := first; i < first+pagesPerBatch; i++ {
				switch {
				case round == 0 || rng.IntN(3) == 0:
					b.Put(fmt.Appendf(nil, "page/%06d", i), page(i, round))
					rounds[i] = round
				case rng.IntN(3) == 0:
					b.Delete(fmt.Appendf(nil, "page/%06d", i))
					delete(rounds, i)
				}
			}
			apply(t, s, b)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir)
		seen := 0
		err := s.Scan([]byte("page/"), nil, func(k, v []byte) error {
			var i int
			if _, err := fmt.Sscanf(string(k), "page/%d", &i); err != nil {
				return err
			}
			last, there := rounds[i]
			if !there || string(v) != string(page(i, last)) {
				return fmt.Errorf("page %d (there: %v, written in round %d): got %d other bytes", i, there, last,
					len(v))
			}
			seen++
			return nil
		})
		if err != nil || seen != len(rounds) {
			t.Fatalf("after round %d: %d pages, want %d: %v", round, seen, len(rounds), err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
