// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pagecache

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/uproar-db/uproar/internal/hugepage"
	"github.com/uproar-db/uproar/internal/posting/format"
)

// TestDense compares the ranges that are gathered with what pages cover of them, byte by byte.
func TestDense(t *testing.T) {
	const seed, size, most = 19, 1 << 12, 40
	rng := rand.New(rand.NewPCG(seed, 0))
	memory := make([]byte, (most+1)*size)
	first := uintptr(unsafe.Pointer(&memory[0]))
	memory = memory[-first&(size-1):]
	first += -first & (size - 1)
	for round := range 200 {
		var pages []*format.Page
		var covered [most]int
		for at := 0; ; {
			at += rng.IntN(1 + rng.IntN(3*size))
			n := rng.IntN(2 * size)
			if at+n > most*size {
				break
			}
			pages = append(pages, &format.Page{Data: memory[at : at+n]})
			for i := range n {
				covered[(at+i)/size]++
			}
			at += n
		}
		var want []uintptr
		for i, n := range covered {
			if n >= size/2 {
				want = append(want, first+uintptr(i)*size)
			}
		}
		rng.Shuffle(len(pages), func(i, k int) { pages[i], pages[k] = pages[k], pages[i] })
		if got := dense(pages, size); !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: got %d ranges %x, want %d: %x", seed, round, len(got), got, len(want), want)
		}
	}
}

// offersHugePages skips a test where the system gives no huge page when one is asked for.
func offersHugePages(t *testing.T) {
	t.Helper()
	size := hugepage.Size()
	if size == 0 {
		t.Skip("the system has no huge pages")
	}
	memory := make([]byte, 2*size)
	for i := range memory {
		memory[i] = 1
	}
	first := uintptr(unsafe.Pointer(&memory[0]))
	if err := hugepage.Collapse(first + -first&(size-1)); err != nil {
		t.Skip(err)
	}
}

// fill fills the bytes of a page by its number, and reports whether they were those already.
func fill(data []byte, generation uint64) (same bool) {
	rng := rand.New(rand.NewPCG(20, generation))
	same = true
	for ; len(data) >= 8; data = data[8:] {
		x := rng.Uint64()
		same = same && binary.LittleEndian.Uint64(data) == x
		binary.LittleEndian.PutUint64(data, x)
	}
	return same
}

// manyPages fills a cache with pages of 32 KB up to a number of bytes. It returns the number of
// pages.
func manyPages(c *Cache, bytes int64) (n uint64) {
	for ; c.held.Load() < bytes; n++ {
		p := cachedPage(n, 32<<10)
		fill(p.Data, n)
		c.Put(1, n, p)
	}
	return n
}

// TestGather: pages of a cache that has many are gathered soon, and their bytes are what they were;
// those of a cache that has few are not.
func TestGather(t *testing.T) {
	offersHugePages(t)
	c := New(128 << 20)
	g := Gather(c)
	defer g.End()
	manyPages(c, leastGathered-1<<20)
	time.Sleep(2 * gatherPause)
	if n := g.Bytes(); n != 0 {
		t.Errorf("got %d bytes gathered of %d in the cache, want none of less than %d", n, c.Bytes(), leastGathered)
	}
	c.Bound(0)
	c.Bound(128 << 20)
	n := manyPages(c, leastGathered+8<<20)
	for start := time.Now(); g.Bytes() == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("got nothing gathered after a minute")
		}
	}
	if n := g.Bytes(); n > 2*int64(c.Bytes()) {
		t.Errorf("got %d bytes gathered with %d in the cache, want twice as many at most", n, c.Bytes())
	}
	for generation := range n {
		if p, ok := c.Get(1, generation); !ok || !fill(p.Data, generation) {
			t.Fatalf("page %d: got %v, want its bytes", generation, ok)
		}
	}
	c.Bound(0)
	if n := g.Bytes(); n != 0 {
		t.Errorf("got %d bytes gathered with none in the cache, want none", n)
	}
}

// TestGatherAgain: what is gathered already stays so, and what is missing beyond the slack is left
// alone.
func TestGatherAgain(t *testing.T) {
	offersHugePages(t)
	h := systemPages()
	memory := make([]byte, 3*h.size)
	first := uintptr(unsafe.Pointer(&memory[0]))
	at := first + -first&(h.size-1)
	missing, err := h.missing(at)
	if err != nil {
		t.Fatal(err)
	}
	if missing > h.size/gatherSlack && h.isGathered(at, false) {
		t.Errorf("got a range gathered of which %d bytes were missing, want at most %d", missing, h.size/gatherSlack)
	}
	for i := range memory {
		memory[i] = byte(i)
	}
	if !h.isGathered(at, false) || !h.isGathered(at, true) {
		t.Skip("no huge page was left")
	}
}

// fakePages are huge pages of a system that notes what it is asked for, and does nothing.
type fakePages struct {
	missing   map[uintptr]uintptr // what the system has not given yet
	refused   map[uintptr]bool
	looked    int
	collapsed []uintptr
}

func (f *fakePages) pages(size uintptr) hugePages {
	return hugePages{size: size,
		missing: func(at uintptr) (uintptr, error) {
			if f.looked++; f.refused[at] {
				return 0, hugepage.ErrRefused
			}
			return f.missing[at], nil
		},
		collapse: func(at uintptr) error {
			f.collapsed = append(f.collapsed, at)
			return nil
		}}
}

// TestGatherPass: a pass gathers what pages cover and the system has given, the next one only what
// is new or has been taken back, and an ended one nothing.
func TestGatherPass(t *testing.T) {
	const size = 64 << 10
	c := New(1 << 30)
	for at, memory := uint64(0), make([]byte, 4<<20); at < 128; at++ {
		c.Put(1, at, &format.Page{Data: memory[at*32<<10:][:32<<10]})
	}
	ranges := dense(c.pages(), size)
	if len(ranges) < 63 { // all, but that the memory may begin in the midst of one
		t.Fatalf("got %d ranges, want 63", len(ranges))
	}
	system := &fakePages{missing: map[uintptr]uintptr{ranges[0]: size/gatherSlack + 1, ranges[1]: size / gatherSlack},
		refused: map[uintptr]bool{ranges[2]: true}}
	g := &Gatherer{cache: c, pages: system.pages(size)}
	check := func(what string, held int, want ...uintptr) {
		t.Helper()
		if got := g.huge.Load(); got != int64(held*size) {
			t.Errorf("%s: got %d bytes, want %d", what, got, held*size)
		}
		if !slices.Equal(system.collapsed, want) {
			t.Errorf("%s: got %d gathered, %x, want %d: %x", what, len(system.collapsed), system.collapsed, len(want),
				want)
		}
		system.collapsed = nil
	}
	if !g.pass(t.Context()) || system.looked != len(ranges) {
		t.Errorf("got %d looks in a pass, want %d", system.looked, len(ranges))
	}
	check("first", len(ranges)-2, slices.Concat(ranges[1:2], ranges[3:])...)

	clear(system.refused)
	system.missing = map[uintptr]uintptr{ranges[5]: 4 << 10, ranges[6]: size}
	if !g.pass(t.Context()) {
		t.Error("got a pass that was ended, want all of it")
	}
	check("again", len(ranges)-1, ranges[0], ranges[2], ranges[5])

	ctx, stop := context.WithCancel(t.Context())
	if stop(); g.pass(ctx) {
		t.Error("got all of a pass that was ended")
	}
	if system.collapsed != nil {
		t.Errorf("got %d ranges gathered by a pass that was ended", len(system.collapsed))
	}
	c.Bound(0)
	if !g.pass(t.Context()) {
		t.Error("got a pass that was ended, want all of it")
	}
	check("empty", 0)
}
