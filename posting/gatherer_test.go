// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/uproar-db/uproar/internal/hugepage"
	"github.com/uproar-db/uproar/store/memstore"
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
		var pages []*page
		var covered [most]int
		for at := 0; ; {
			at += rng.IntN(1 + rng.IntN(3*size))
			n := rng.IntN(2 * size)
			if at+n > most*size {
				break
			}
			pages = append(pages, &page{data: memory[at : at+n]})
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

// manyPages puts so many bytes in pages of 32 KB into a cache, and returns how many pages they are.
func manyPages(c *cache, bytes int64) (n uint64) {
	for ; c.held.Load() < bytes; n++ {
		p := cachedPage(1, n, 32<<10)
		fill(p.data, n)
		c.put(p)
	}
	return n
}

// TestGather: pages of a cache that has many are gathered soon, and their bytes are what they were; those of a cache that has few are not.
func TestGather(t *testing.T) {
	offersHugePages(t)
	m, err := NewMemory(128 << 20)
	if err != nil {
		t.Fatal(err)
	}
	config := testConfig(t, 1<<20)
	config.Memory = m
	ix := open(t, memstore.New(), config)
	manyPages(m.cache, leastGathered-1<<20)
	time.Sleep(2 * gatherPause)
	if u := m.Use(); u.Huge != 0 {
		t.Errorf("got %d bytes gathered of %d in the cache, want none of less than %d", u.Huge, u.Cache, leastGathered)
	}
	m.cache.bound(0)
	m.cache.bound(128 << 20)
	n := manyPages(m.cache, leastGathered+8<<20)
	for start := time.Now(); m.Use().Huge == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("got nothing gathered after a minute")
		}
	}
	if u := m.Use(); u.Huge > 2*u.Cache {
		t.Errorf("got %d bytes gathered with %d in the cache, want twice as many at most", u.Huge, u.Cache)
	}
	for generation := range n {
		if p, ok := m.cache.get(1, generation); !ok || !fill(p.data, generation) {
			t.Fatalf("page %d: got %v, want its bytes", generation, ok)
		}
	}
	m.cache.bound(0)
	if u := m.Use(); u.Huge != 0 {
		t.Errorf("got %d bytes gathered with none in the cache, want none", u.Huge)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if m.gatherer != nil {
		t.Error("got a gatherer without an index, want none")
	}
}

// TestGatherAgain: what is gathered already stays so, what is missing beyond the slack is left alone, and an end comes in the middle of a pass.
func TestGatherAgain(t *testing.T) {
	offersHugePages(t)
	size := hugepage.Size()
	memory := make([]byte, 3*size)
	first := uintptr(unsafe.Pointer(&memory[0]))
	skip := -first & (size - 1)
	at := first + skip
	missing, err := hugepage.Missing(at)
	if err != nil {
		t.Fatal(err)
	}
	if missing > size/gatherSlack && isGathered(at, size, false) {
		t.Errorf("got a range gathered of which %d bytes were missing, want at most %d", missing, size/gatherSlack)
	}
	for i := range memory {
		memory[i] = byte(i)
	}
	if !isGathered(at, size, false) || !isGathered(at, size, true) {
		t.Skip("no huge page was left")
	}
	c := newCache(1 << 30)
	manyPages(c, 16<<20)
	g := &gatherer{cache: c}
	ctx, stop := context.WithCancel(t.Context())
	if !g.pass(ctx) {
		t.Error("got a pass that was ended, want all of it")
	}
	if stop(); g.pass(ctx) {
		t.Error("got all of a pass that was ended")
	}
}
