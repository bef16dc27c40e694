// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pagecache

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/uproar-db/uproar/internal/hugepage"
	"github.com/uproar-db/uproar/internal/posting/format"
)

// Gatherer turns memory where cached pages lie side by side into huge pages. It does so soon after
// pages have come. Queries that touch many pages then need fewer address translations. The garbage
// collector owns pages as before: the gatherer moves none and holds none for longer.
//
// The process takes hardly more memory. A range is left alone if the system has yet to give much of
// it, beyond the ends of pages. Where the system refuses, nothing happens.
type Gatherer struct {
	cache    *Cache
	pages    hugePages
	pause    time.Duration // until the next pass
	gathered map[uintptr]struct{}
	huge     atomic.Int64 // bytes of what is gathered
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// hugePages is what the system does for huge pages: package hugepage, but in tests.
type hugePages struct {
	size     uintptr // 0: there are none
	missing  func(address uintptr) (bytes uintptr, err error)
	collapse func(address uintptr) error
}

// systemPages returns the huge pages of the system.
func systemPages() hugePages { return hugePages{hugepage.Size(), hugepage.Missing, hugepage.Collapse} }

const (
	// leastGathered is from how many bytes in the cache on they are gathered: the processor's table
	// has room for most of fewer.
	leastGathered = 64 << 20
	// gatherPause is the least time between two passes. A pause also takes at least gatherLooks
	// times as long as looking through all pages.
	gatherPause = 250 * time.Millisecond
	gatherLooks = 50
	// gatherBout is how long a pass works before it rests. A rest takes gatherRest times as long as
	// the work. Meanwhile, a user of the memory being gathered, or of more system memory, must
	// wait.
	gatherBout = time.Millisecond
	gatherRest = 4
	// gatherSlack is the part of a range that the system may have yet to give, at most: ends of
	// pages, beyond their bytes.
	gatherSlack = 16
)

// Gather begins to gather what is in a cache, until end.
func Gather(c *Cache) *Gatherer {
	g := &Gatherer{cache: c, pages: systemPages(), pause: gatherPause}
	ctx, stop := context.WithCancel(context.Background())
	if g.stop = stop; g.pages.size > 0 {
		g.done.Go(func() { g.run(ctx) })
	}
	return g
}

// End ends it, in the middle of a pass if need be.
func (g *Gatherer) End() {
	g.stop()
	g.done.Wait()
}

// Bytes returns how much memory with pages was gathered. Half of each range or more were pages;
// some may have gone since.
func (g *Gatherer) Bytes() int64 { return min(g.huge.Load(), 2*int64(g.cache.Bytes())) }

func (g *Gatherer) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.cache.came:
		}
		if !wait(ctx, g.pause) || !g.pass(ctx) {
			return
		}
	}
}

// pass gathers what lies side by side now. It returns false if it was ended.
func (g *Gatherer) pass(ctx context.Context) bool {
	size := g.pages.size
	before := g.gathered
	g.gathered = make(map[uintptr]struct{}, len(before))
	bout := time.Now()
	ranges := dense(g.cache.pages(), size)
	g.pause = max(gatherPause, gatherLooks*time.Since(bout))
	for _, at := range ranges {
		if ctx.Err() != nil {
			return false
		}
		if _, ok := before[at]; g.pages.isGathered(at, ok) {
			g.gathered[at] = struct{}{}
		}
		if worked := time.Since(bout); worked >= gatherBout {
			if !wait(ctx, gatherRest*worked) {
				return false
			}
			bout = time.Now()
		}
	}
	g.huge.Store(int64(uintptr(len(g.gathered)) * size))
	return true
}

// isGathered reports whether a range is a huge page, or has become one. What was one before and has
// been given back in part is none any more.
func (h *hugePages) isGathered(at uintptr, before bool) bool {
	missing, err := h.missing(at)
	switch {
	case err != nil || missing > h.size/gatherSlack:
		return false
	case before && missing == 0:
		return true
	default:
		return h.collapse(at) == nil
	}
}

// dense returns the memory ranges that pages cover at least half of, ascending. A range begins at a
// multiple of its size.
func dense(pages []*format.Page, size uintptr) []uintptr {
	covered := make(map[uintptr]uintptr)
	for _, p := range pages {
		from := uintptr(unsafe.Pointer(unsafe.SliceData(p.Data)))
		for to := from + uintptr(len(p.Data)); from < to; {
			at := from &^ (size - 1)
			end := min(to, at+size)
			covered[at] += end - from
			from = end
		}
	}
	var ranges []uintptr
	for at, n := range covered {
		if n >= size/2 {
			ranges = append(ranges, at)
		}
	}
	slices.Sort(ranges)
	return ranges
}

// wait waits for a time. It returns false if ctx ends before.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
