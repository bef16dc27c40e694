// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/maypok86/otter/v2"
)

// cache is a bounded cache of pages, shared by the indexes of a database. Pages never change and so are never invalidated; a page that is dropped from
// the cache stays valid for whoever holds a view of it. Safe for concurrent use; a hit allocates nothing and takes no lock.
type cache struct {
	pages *otter.Cache[cacheKey, *page]
}

type cacheKey struct {
	index      uint32
	generation uint64
}

// pageOverhead is what a cached page takes beside its bytes.
const pageOverhead = 256

// newCache returns a cache that holds pages of up to so many bytes together.
func newCache(bytes int64) (*cache, error) {
	pages, err := otter.New(&otter.Options[cacheKey, *page]{
		MaximumWeight: uint64(max(bytes, 0)),
		Weigher:       func(_ cacheKey, p *page) uint32 { return uint32(len(p.data) + pageOverhead) },
	})
	if err != nil {
		return nil, err
	}
	return &cache{pages: pages}, nil
}

// bytes returns the bytes that the cache holds, about.
func (c *cache) bytes() uint64 { return c.pages.WeightedSize() }

// bound sets how many bytes the cache holds from now on. Pages beyond that are dropped at once.
func (c *cache) bound(bytes int64) { c.pages.SetMaximum(uint64(max(bytes, 0))) }

func (c *cache) get(index uint32, generation uint64) (*page, bool) {
	return c.pages.GetIfPresent(cacheKey{index, generation})
}

func (c *cache) put(index uint32, generation uint64, p *page) {
	c.pages.Set(cacheKey{index, generation}, p)
}

func (c *cache) drop(index uint32, generation uint64) {
	c.pages.Invalidate(cacheKey{index, generation})
}
