// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pagecache

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
)

// cachedPage returns a page that takes size bytes in the cache's account. It begins with number.
func cachedPage(number uint64, size int) *format.Page {
	p := &format.Page{Data: make([]byte, size-PageOverhead)}
	binary.LittleEndian.PutUint64(p.Data, number)
	return p
}

// same reports whether two pages have their bytes in the same place.
func same(a, b *format.Page) bool { return &a.Data[0] == &b.Data[0] }

// checkCache fails when what the cache holds is not what it counts, or cannot be found.
func checkCache(t *testing.T, c *Cache) {
	t.Helper()
	sum, pages := int64(0), 0
	for place, p := range c.clock {
		if p == nil {
			continue
		}
		sum, pages = sum+p.held(), pages+1
		if at := int(p.state.Load() >> placeShift); at != place {
			t.Fatalf("page %d/%d: got place %d, want %d", p.index, p.generation, at, place)
		}
		if got, ok := c.Get(p.index, p.generation); !ok || got != &p.page {
			t.Fatalf("page %d/%d has place %d in the clock: got %p (%v) by its name, want %p", p.index, p.generation,
				place, got, ok, &p.page)
		}
	}
	if sum != c.held.Load() || sum > c.Limit() || pages+len(c.free) != len(c.clock) {
		t.Fatalf("got %d bytes held and a limit of %d, want %d; %d pages and %d free places of %d", c.held.Load(),
			c.Limit(), sum, pages, len(c.free), len(c.clock))
	}
	linked, table := 0, *c.table.Load()
	for i := range table {
		for p := table[i].Load(); p != nil; p = p.next.Load() {
			linked++
		}
	}
	if linked != pages {
		t.Fatalf("got %d pages in the table, want %d", linked, pages)
	}
}

// TestCache compares the cache with a map: what it gives is what was put, and it never holds more
// than it may.
func TestCache(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 0))
	c := New(1 << 20)
	all := make(map[cacheName]*format.Page)
	hits := 0
	for i := range 20_000 {
		name := cacheName{uint32(1 + rng.IntN(3)), rng.Uint64N(3000)}
		switch got, ok := c.Get(name.index, name.generation); {
		case ok && !same(got, all[name]):
			t.Fatalf("seed %d, step %d: %v: got another page than was put", seed, i, name)
		case ok:
			hits++
		default:
			p := cachedPage(uint64(i), 300+rng.IntN(3000))
			all[name] = p
			c.Put(name.index, name.generation, p)
			if got, ok := c.Get(name.index, name.generation); !ok || !same(got, p) {
				t.Fatalf("seed %d, step %d: %v: got no page that was just put", seed, i, name)
			}
		}
		switch rng.IntN(100) {
		case 0:
			c.Drop(name.index, name.generation)
			if _, ok := c.Get(name.index, name.generation); ok {
				t.Fatalf("seed %d, step %d: %v: got a page that was dropped", seed, i, name)
			}
		case 1:
			c.Bound(1<<18 + rng.Int64N(1<<20))
			checkCache(t, c)
		}
	}
	checkCache(t, c)
	if hits == 0 {
		t.Error("got no hit")
	}
	c.Put(9, 9, cachedPage(9, 1<<22))
	if _, ok := c.Get(9, 9); ok {
		t.Error("got a page that is larger than the cache")
	}
	c.Bound(0)
	if checkCache(t, c); c.Bytes() != 0 {
		t.Errorf("got %d bytes, want none in a cache of none", c.Bytes())
	}
}

// cacheName is what the cache knows a page by.
type cacheName struct {
	index      uint32
	generation uint64
}

// TestCacheKeepsWhatIsAsked: pages that are read once do not evict pages that are read again and
// again.
func TestCacheKeepsWhatIsAsked(t *testing.T) {
	c := New(1 << 20)
	const asked, size = 100, 4096
	for i := range uint64(asked) {
		c.Put(1, i, cachedPage(i, size))
	}
	missed := 0
	for i := range uint64(20_000) {
		if _, ok := c.Get(1, i%asked); !ok {
			missed++
		}
		c.Put(2, i, cachedPage(i, size))
	}
	if missed > 0 {
		t.Errorf("got %d misses of pages that were asked for beside a scan, want none", missed)
	}
}

// TestCacheAtOnce reads, puts, drops and changes the bound at a time: under the race detector it
// finds what is not guarded.
func TestCacheAtOnce(t *testing.T) {
	c := New(1 << 18)
	var busy sync.WaitGroup
	for worker := range 4 {
		busy.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 5000 {
				generation := rng.Uint64N(600)
				p, ok := c.Get(1, generation)
				switch {
				case ok && binary.LittleEndian.Uint64(p.Data) != generation:
					t.Errorf("generation %d: got %d", generation, binary.LittleEndian.Uint64(p.Data))
				case !ok:
					c.Put(1, generation, cachedPage(generation, 512))
				case rng.IntN(50) == 0:
					c.Drop(1, generation)
				case rng.IntN(500) == 0:
					c.Bound(1<<17 + rng.Int64N(1<<18))
				}
			}
		})
	}
	busy.Wait()
	checkCache(t, c)
}
