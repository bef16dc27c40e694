// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// comparePlaces compares kernels that find the place of a value in a packed payload whose low width is 16: in valid ones, in the smallest room or with 8 bytes more,
// and in random bytes. Where got says -1, which it may if more values than shortMost share the upper bits or the payload is not valid, want is not asked.
func comparePlaces(t *testing.T, got, want func(room []byte, size, n int, d uint64) (i int, found bool)) {
	r := rand.New(rand.NewPCG(110, 1))
	x := newArena(t, 4*4096)
	compared, left := 0, 0
	compare := func(bytes []byte, size, n int, d uint64) {
		t.Helper()
		room := x.place(len(bytes), []int{atEnd, atBegin, 8 * r.IntN(8)}[r.IntN(3)], bytes)
		i, found := got(room, size, n, d)
		if !x.intact() || !equal(room, bytes) {
			t.Fatalf("%d of %d bytes, %d values: memory was changed", size, len(room), n)
		}
		if i < 0 {
			left++
			return
		}
		compared++
		if wantI, wantFound := want(room, size, n, d); i != wantI || found != wantFound {
			t.Fatalf("place of %d among %d values in %d of %d bytes % x: got %d, %v, want %d, %v", d, n, size, len(room), room, i, found, wantI, wantFound)
		}
	}
	for _, values := range shortLists(r) {
		n := len(values)
		payload := append([]byte{shortLow}, appendPacked(nil, values, shortLow)...)
		room := padded(payload)
		if r.IntN(2) == 0 {
			room = append(room, bytes.Repeat([]byte{byte(r.Uint32())}, 8)...)
		}
		if len(room) < shortFrom || len(room) > 8192 {
			continue
		}
		for range 20 {
			y := values[r.IntN(n)]
			for _, d := range []uint64{y, y - 1, y + 1, y ^ 1<<16, values[n-1] + 1<<16, r.Uint64N(1 << 30)} {
				before := left
				compare(room, len(payload), n, d)
				lo, _ := slices.BinarySearch(values, d>>16<<16)
				hi, _ := slices.BinarySearch(values, d>>16<<16+1<<16)
				if left > before && hi-lo <= shortMost && len(payload) >= 2*n+shortMost*2+1 {
					t.Fatalf("%d values share the upper bits of %d: they were not compared", hi-lo, d)
				}
			}
		}
	}
	for range 20_000 {
		room := make([]byte, shortFrom+8*r.IntN(20))
		for i := range room {
			room[i] = byte(r.Uint32() & r.Uint32())
		}
		compare(room, r.IntN(len(room)+1), 1+r.IntN(len(room)), r.Uint64()>>(30+r.IntN(34)))
	}
	if compared < 10_000 || left == 0 {
		t.Fatalf("%d places compared, %d left to the other kernel: some of both are wanted", compared, left)
	}
}

// compareSearches compares kernels that look a value up in an array of at least 64 values, one byte more than which does not count.
func compareSearches[T comparable](t *testing.T, got, want func(lows []byte, x uint16) T) {
	r := rand.New(rand.NewPCG(111, 1))
	x := newArena(t, 4*4096)
	for n := 64; n <= 4096; n += 1 + r.IntN(1+n/16) {
		for range 4 {
			values := ascending(n, func() uint64 { return r.Uint64N(1 << 16) })
			if r.IntN(3) == 0 {
				values = ascending(n, func() uint64 { return 1<<16 - uint64(n) + r.Uint64N(uint64(n)) })
			}
			if len(values) < 64 {
				continue
			}
			lows := make([]byte, 2*len(values), 2*len(values)+1)
			for i, y := range values {
				store16(lows, 2*i, uint16(y))
			}
			if r.IntN(4) == 0 {
				lows = append(lows, 0)
			}
			room := x.place(len(lows), []int{atEnd, atBegin, r.IntN(64)}[r.IntN(3)], lows)
			for k := range 60 {
				y := uint16(values[r.IntN(len(values))])
				for _, d := range []uint16{y, y - 1, y + 1, uint16(r.Uint32()), uint16(k - 1), uint16(values[0]), uint16(values[len(values)-1])} {
					if g, w := got(room, d), want(room, d); g != w {
						t.Fatalf("%d in %d values: got %v, want %v", d, len(values), g, w)
					}
				}
			}
			if !x.intact() || !equal(room, lows) {
				t.Fatalf("%d values: memory was changed", len(values))
			}
		}
	}
}
