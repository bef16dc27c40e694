// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// TestOffsets decodes blocks of all low widths that offsets have, on each path. It takes pieces of
// all sizes, and also blocks with bytes that are not valid.
func TestOffsets(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		r := rand.New(rand.NewPCG(154, 1))
		fit := 0
		for i := range 3000 {
			width := 1 + r.IntN(33)
			values := kerneltest.Ascending(1+r.IntN(1<<(i%12)), func() uint64 { return r.Uint64N(1 << width) })
			block := packOf(values, LowWidth(len(values), values[len(values)-1])+uint(r.IntN(3)))
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
			for low := LowWidth(n, last); low <= min(maxOffsetLow+2, LowWidth(n, last)+3); low++ {
				if p := packOf(values, low); p.FitOffsets() {
					t.Fatalf("%d values up to %d, low width %d: fit", n, last, low)
				}
			}
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
			draw := func() []uint64 { return kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1 << width) }) }
			values := draw()
			p := packOf(values, LowWidth(n, values[n-1]))
			kerneltest.OnPaths(b, fmt.Sprintf("decode/n=%d/width=%d", n, width), n, "ns/value", func() {
				it := p.Iter()
				it.Offsets(dst[:])
			})
			x, y := kerneltest.OffsetsOf(values), kerneltest.OffsetsOf(draw())
			kerneltest.OnPaths(b, fmt.Sprintf("and-len/n=%d/width=%d", n, width), 2*n, "ns/value",
				func() { sorted.OffsetsAndLen(x, y) })
			kerneltest.OnPaths(b, fmt.Sprintf("and/n=%d/width=%d", n, width), 2*n, "ns/value",
				func() { sorted.OffsetsAnd(dst[:], x, y) })
		}
	}
	bits := make([]byte, 1<<17)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	asked := kerneltest.OffsetsOf(kerneltest.Ascending(10000, func() uint64 { return r.Uint64N(1 << 20) }))
	kerneltest.OnPaths(b, "keep", len(asked), "ns/value", func() {
		sorted.KeepOffsets(dst[:copy(dst[:], asked)], bits,
			0)
	})
	lows, _ := kerneltest.RandomLows(r, 2000, 65536)
	kerneltest.OnPaths(b, "array", 2000, "ns/value", func() { sorted.ArrayOffsets(dst[:], lows, 1) })
}
