// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestPlaces adds keys, some of them again, beside a map. Each copy of the slice goes on having
// what it had, also after who adds went back to one of them, and added others.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 2))
	type copied struct {
		places *Places
		keys   []string
		want   map[string]int
	}
	var copies []copied
	var now copied
	now.want = make(map[string]int)
	add := func(key string) {
		now.keys = append(now.keys, key)
		now.places = now.places.Add(now.keys)
		now.want[key] = len(now.keys) - 1
	}
	for range 60 {
		for range rng.IntN(200) {
			add(fmt.Sprint("k", rng.IntN(2000)))
		}
		saved := copied{now.places, now.keys, maps.Clone(now.want)}
		copies = append(copies, saved)
		if rng.IntN(4) == 0 {
			for range rng.IntN(300) {
				add(fmt.Sprint("undone", rng.IntN(2000)))
			}
			now = copied{saved.places, saved.keys, maps.Clone(saved.want)}
		}
	}
	for i, c := range copies {
		for n := range 2000 {
			key := fmt.Sprint("k", n)
			place, ok := c.places.Find(c.keys, key)
			if want, known := c.want[key]; ok != known || place != want {
				t.Fatalf("copy %d, %s: got %d, %v, want %d, %v", i, key, place, ok, want, known)
			}
			if _, ok := c.places.Find(c.keys, fmt.Sprint("undone", n)); ok {
				t.Fatalf("copy %d has a key that was undone", i)
			}
		}
	}
}

// TestPlacesTogether looks for keys while others are added.
func TestPlacesTogether(t *testing.T) {
	var p *Places
	var keys []string
	var readers sync.WaitGroup
	for n := range 5000 {
		keys = append(keys, fmt.Sprint("k", n))
		p = p.Add(keys)
		if n%500 > 0 {
			continue
		}
		p, keys := p, keys
		readers.Go(func() {
			for i := range 2 * n {
				if at, ok := p.Find(keys, fmt.Sprint("k", i)); ok != (i <= n) || ok && at != i {
					t.Errorf("key %d of %d: got %d, %v", i, n, at, ok)
					return
				}
			}
		})
	}
	readers.Wait()
}
