// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pagecache

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/format"
)

// Cache is a bounded cache of pages, shared by the indexes of a database. Pages never change and so
// are never invalidated; a page that is dropped from the cache stays valid for whoever holds a view
// of it. Safe for concurrent use; a hit allocates nothing, takes no lock, and costs two looks at
// memory: a slot of the table, and the page itself, which knows who it is.
//
// Which pages stay is decided by a clock (Corbató 1968) that counts: a hit raises the count of its
// page up to a bound, a hand that goes round lowers it, and takes away the pages that have none. A
// page that is read once is gone after one round, so that scans do not drive out what is asked for;
// and unlike with queues, where each hit moves something, reading writes nothing once a page has
// the most.
type Cache struct {
	table atomic.Pointer[[]atomic.Pointer[cached]] // lists of pages by hash, linked by next
	held  atomic.Int64                             // bytes
	// signals new pages, once the cache has enough to be worth gathering
	came chan struct{}

	mu    sync.Mutex // of changes, and of what is below
	most  int64
	clock []*cached // nil: a free place
	free  []uint32  // the free places
	hand  int
}

// cached is a page in the cache.
//
// Of many pages, asked for at random, none is in the processor's caches: both together are one line
// of them, 64 bytes.
type cached struct {
	next       atomic.Pointer[cached] // in the list of a slot
	generation uint64
	index      uint32
	state      atomic.Uint32 // hits, up to mostHits; above these two bits, the place in the clock
	page       format.Page
}

// A compile-time check.
const _ = 64 - unsafe.Sizeof(cached{})

const (
	// PageOverhead is what a cached page takes beside its bytes.
	PageOverhead = 256
	// mostHits is how many rounds of the hand a page stays that was asked for often: all bits below
	// the place.
	mostHits   = 1<<placeShift - 1
	placeShift = 2
	// leastCacheSlots is the least number of slots; there are at least as many as pages.
	leastCacheSlots = 256
)

// New returns a cache that holds pages of up to the given size together.
func New(bytes int64) *Cache {
	c := &Cache{most: max(bytes, 0), came: make(chan struct{}, 1)}
	table := make([]atomic.Pointer[cached], leastCacheSlots)
	c.table.Store(&table)
	return c
}

// Bytes returns the bytes that the cache holds.
func (c *Cache) Bytes() uint64 { return uint64(c.held.Load()) }

// Limit returns how many bytes the cache may hold.
func (c *Cache) Limit() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.most
}

// Bound sets how many bytes the cache holds from now on. Pages beyond that are dropped at once.
func (c *Cache) Bound(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.most = max(bytes, 0)
	c.shrink(c.most)
}

// slot returns where the list of a page begins. Generations are numbered one after the other, which
// a multiplication spreads evenly.
func slot(table []atomic.Pointer[cached], index uint32, generation uint64) *atomic.Pointer[cached] {
	hash := (generation ^ uint64(index)<<40) * 0x9e3779b97f4a7c15
	return &table[hash>>(64-bits.Len(uint(len(table)-1)))]
}

// Get returns a page that is in the cache.
func (c *Cache) Get(index uint32, generation uint64) (*format.Page, bool) {
	for p := slot(*c.table.Load(), index, generation).Load(); p != nil; p = p.next.Load() {
		if p.generation == generation && p.index == index {
			if state := p.state.Load(); state&mostHits != mostHits {
				p.state.Store(state + 1) // of two hits at a time one may be lost
			}
			return &p.page, true
		}
	}
	return nil, false
}

// Put takes in a page that was not in the cache before; not if it is there.
func (c *Cache) Put(index uint32, generation uint64, of *format.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &cached{generation: generation, index: index, page: *of}
	size := p.held()
	if _, there := c.Get(index, generation); there || size > c.most {
		return
	}
	c.shrink(c.most - size)
	if table := *c.table.Load(); len(c.clock)-len(c.free) >= len(table) {
		c.grow(2 * len(table))
	}
	c.held.Add(size)
	place := uint32(len(c.clock))
	if n := len(c.free); n > 0 {
		place, c.free = c.free[n-1], c.free[:n-1]
		c.clock[place] = p
	} else {
		c.clock = append(c.clock, p)
	}
	p.state.Store(place << placeShift)
	at := slot(*c.table.Load(), p.index, p.generation)
	p.next.Store(at.Load())
	at.Store(p)
	if c.held.Load() >= leastGathered {
		select {
		case c.came <- struct{}{}:
		default:
		}
	}
}

// pages returns the pages that the cache holds.
func (c *Cache) pages() []*format.Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	pages := make([]*format.Page, 0, len(c.clock)-len(c.free))
	for _, p := range c.clock {
		if p != nil {
			pages = append(pages, &p.page)
		}
	}
	return pages
}

// grow makes a larger table. Who looks for a page meanwhile may not find one that is there, and
// reads it again.
func (c *Cache) grow(slots int) {
	table := make([]atomic.Pointer[cached], slots)
	for _, p := range c.clock {
		if p != nil {
			at := slot(table, p.index, p.generation)
			p.next.Store(at.Load())
			at.Store(p)
		}
	}
	c.table.Store(&table)
}

// shrink drops pages until the cache holds at most to bytes.
func (c *Cache) shrink(to int64) {
	for c.held.Load() > max(to, 0) {
		if c.hand++; c.hand >= len(c.clock) {
			c.hand = 0
		}
		switch p := c.clock[c.hand]; {
		case p == nil:
		case p.state.Load()&mostHits == 0:
			c.remove(p)
		default:
			p.state.Store(p.state.Load() - 1)
		}
	}
}

// remove takes a page out.
func (c *Cache) remove(p *cached) {
	at := slot(*c.table.Load(), p.index, p.generation)
	for at.Load() != p {
		at = &at.Load().next
	}
	at.Store(p.next.Load())
	// who holds the page does not hold those behind it; who is passing by misses one that is there,
	// at worst
	p.next.Store(nil)
	place := p.state.Load() >> placeShift
	c.clock[place] = nil
	c.free = append(c.free, place)
	c.held.Add(-p.held())
}

// Drop takes a page out that nobody will ask for again.
func (c *Cache) Drop(index uint32, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := slot(*c.table.Load(), index, generation).Load(); p != nil; p = p.next.Load() {
		if p.generation == generation && p.index == index {
			c.remove(p)
			return
		}
	}
}

// held returns how much memory a page takes in the cache.
func (p *cached) held() int64 { return int64(len(p.page.Data) + PageOverhead) }
