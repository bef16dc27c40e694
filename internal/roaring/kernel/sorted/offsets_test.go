// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// TestOffsetsAnd compares lists longer than one call compares, piece by piece too.
func TestOffsetsAnd(t *testing.T) {
	r := rand.New(rand.NewPCG(155, 1))
	draw := func(n int) (list []uint32) {
		for range n {
			list = append(list, r.Uint32N(1<<20))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	for range 20 {
		a, b := draw(3*maxMeeting), draw(r.IntN(4*maxMeeting))
		var want []uint32
		for _, x := range a {
			if _, ok := slices.BinarySearch(b, x); ok {
				want = append(want, x)
			}
		}
		dst := make([]uint32, min(len(a), len(b)))
		n, i, j := OffsetsAnd(dst, a, b)
		k, p, q := OffsetsAndLen(a, b)
		if !slices.Equal(dst[:n], want) || k != n || i < len(a) && j < len(b) || p < len(a) && q < len(b) {
			t.Fatalf("%d and %d values: got %d and %d in common, want %d", len(a), len(b), n, k, len(want))
		}
		// In pieces of any lengths.
		n, i, j = 0, 0, 0
		for ends := [2]int{}; i < len(a) && j < len(b); {
			if ends[0] == i {
				ends[0] += 1 + r.IntN(len(a)-i)
			}
			if ends[1] == j {
				ends[1] += 1 + r.IntN(len(b)-j)
			}
			k, p, q := OffsetsAndLen(a[i:ends[0]], b[j:ends[1]])
			n, i, j = n+k, i+p, j+q
		}
		if n != len(want) {
			t.Fatalf("in pieces: got %d in common, want %d", n, len(want))
		}
	}
}

// TestOffsetsLows writes any number of offsets with room for as many, more and less.
func TestOffsetsLows(t *testing.T) {
	r := rand.New(rand.NewPCG(156, 1))
	for n := range 40 {
		for room := range 2*n + 6 {
			offsets := make([]uint32, n)
			for i := range offsets {
				offsets[i] = r.Uint32()
			}
			dst := make([]byte, room)
			OffsetsLows(dst, offsets)
			for i := range min(n, room/2) {
				if got := swar.Uint16(dst, 2*i); got != uint16(offsets[i]) {
					t.Fatalf("%d offsets, room for %d bytes: number %d is %x, want %x", n, room, i, got,
						uint16(offsets[i]))
				}
			}
			for _, b := range dst[min(2*n, room&^1):] {
				if b != 0 {
					t.Fatalf("%d offsets, room for %d bytes: more was written", n, room)
				}
			}
		}
	}
}
