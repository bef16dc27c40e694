// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// TestOffsets decodes blocks of all low widths that offsets have, in pieces of all sizes, on each
// path, and blocks with bytes that are not valid.
func TestOffsets(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		r := rand.New(rand.NewPCG(154, 1))
		fit := 0
		for i := range 3000 {
			width := 1 + r.IntN(33)
			values := ascending(1+r.IntN(1<<(i%12)), func() uint64 { return r.Uint64N(1 << width) })
			block := packOf(values, PackedLow(len(values), values[len(values)-1])+uint(r.IntN(3)))
			if !block.FitOffsets() {
				if last := values[len(values)-1]; last < 1<<31 && block.Low < 24 {
					t.Fatalf("%d values up to %d, low width %d: do not fit", len(values), last, block.Low)
				}
				continue
			}
			fit++
			if i%7 == 0 {
				for k := range block.Block {
					block.Block[k] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
				}
			}
			it, n := block.Iter(), 0
			dst := make([]uint32, 1+r.IntN(len(values)+70))
			for k := it.Offsets(dst); k > 0; k = it.Offsets(dst) {
				for _, x := range dst[:k] {
					if i%7 != 0 && uint64(x) != values[n] {
						t.Fatalf("value %d of %d, low width %d: got %d, want %d", n, len(values), block.Low, x,
							values[n])
					}
					n++
				}
			}
			if n > len(values) || i%7 != 0 && n != len(values) {
				t.Fatalf("got %d values, want %d", n, len(values))
			}
		}
		if fit < 2000 {
			t.Fatalf("%d blocks fit", fit)
		}
	}
}

// TestOffsetsOfTooLargeValues are not decoded: such blocks do not fit.
func TestOffsetsOfTooLargeValues(t *testing.T) {
	for _, last := range []uint64{1 << 32, 1 << 40, 1<<64 - 1} {
		for n := 1; n < 300; n += 13 {
			values := []uint64{}
			for i := range uint64(n - 1) {
				values = append(values, i)
			}
			values = append(values, last)
			for low := PackedLow(n, last); low <= min(maxOffsetLow+2, PackedLow(n, last)+3); low++ {
				if p := packOf(values, low); p.FitOffsets() {
					t.Fatalf("%d values up to %d, low width %d: fit", n, last, low)
				}
			}
		}
	}
}

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

// BenchmarkOffsets decodes blocks, compares lists, and looks offsets up in 128 KiB of bits, on
// every path.
func BenchmarkOffsets(b *testing.B) {
	r := rand.New(rand.NewPCG(156, 1))
	var dst [1 << 14]uint32
	for _, n := range []int{100, 1000} {
		for _, width := range []int{20, 24, 31} {
			draw := func() []uint64 { return ascending(n, func() uint64 { return r.Uint64N(1 << width) }) }
			values := draw()
			p := packOf(values, PackedLow(n, values[n-1]))
			onPaths(b, fmt.Sprintf("decode/n=%d/width=%d", n, width), n, "ns/value", func() {
				it := p.Iter()
				it.Offsets(dst[:])
			})
			x, y := offsetsOf(values), offsetsOf(draw())
			onPaths(b, fmt.Sprintf("and-len/n=%d/width=%d", n, width), 2*n, "ns/value", func() { OffsetsAndLen(x, y) })
			onPaths(b, fmt.Sprintf("and/n=%d/width=%d", n, width), 2*n, "ns/value", func() { OffsetsAnd(dst[:], x, y) })
		}
	}
	bits := make([]byte, 1<<17)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	asked := offsetsOf(ascending(10000, func() uint64 { return r.Uint64N(1 << 20) }))
	onPaths(b, "keep", len(asked), "ns/value", func() { KeepOffsets(dst[:copy(dst[:], asked)], bits, 0) })
	lows, _ := randomLows(r, 2000, 65536)
	onPaths(b, "array", 2000, "ns/value", func() { ArrayOffsets(dst[:], lows, 1) })
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
				if got := load16(dst, 2*i); got != uint16(offsets[i]) {
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
