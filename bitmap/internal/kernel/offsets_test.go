// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOffsets decodes blocks of all low widths that offsets have, in pieces of all sizes, on each path, and blocks with bytes that are not valid.
func TestOffsets(t *testing.T) {
	taken := Taken()
	defer Use(taken)
	for _, p := range Paths() {
		Use(p)
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
						t.Fatalf("value %d of %d, low width %d: got %d, want %d", n, len(values), block.Low, x, values[n])
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

// BenchmarkOffsets decodes blocks, and compares lists; the metric is the time of a value.
func BenchmarkOffsets(b *testing.B) {
	r := rand.New(rand.NewPCG(156, 1))
	for _, n := range []int{100, 1000, 2000} {
		for _, width := range []int{20, 24, 31} {
			var lists [2][]uint32
			var dst [1 << 14]uint32
			values := ascending(n, func() uint64 { return r.Uint64N(1 << width) })
			p := packOf(values, PackedLow(n, values[n-1]))
			b.Run(fmt.Sprintf("decode/n=%d/width=%d", n, width), func(b *testing.B) {
				for b.Loop() {
					it := p.Iter()
					it.Offsets(dst[:])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
			})
			for i := range lists {
				for range n {
					lists[i] = append(lists[i], r.Uint32N(1<<width))
				}
				slices.Sort(lists[i])
			}
			b.Run(fmt.Sprintf("andlen/n=%d/width=%d", n, width), func(b *testing.B) {
				for b.Loop() {
					OffsetsAndLen(lists[0], lists[1])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/value")
			})
		}
	}
}
