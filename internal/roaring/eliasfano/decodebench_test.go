// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkPackedDecode decodes blocks of one chunk as lows, as words and as values. The metric is
// the time of a value.
func BenchmarkPackedDecode(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{10, 20, 40, 80, 300, 3000, 12000} {
		values := kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1 << 16) })
		n := len(values)
		_, low := Size(n, values[n-1], 63)
		p := Packed{Block: appendPacked(nil, values, low), N: n, Low: low}
		var dst [1 << 17]byte
		var wide [1 << 16]uint64
		for _, c := range []struct {
			name string
			do   func(it *Iter)
		}{
			{"lows", func(it *Iter) { it.Lows(dst[:], 0) }},
			{"words", func(it *Iter) { it.Words(dst[:8192], 0) }},
			{"values", func(it *Iter) { it.Values(wide[:], 0) }},
		} {
			b.Run(fmt.Sprintf("to=%s/n=%d/low=%d", c.name, n, low), func(b *testing.B) {
				for b.Loop() {
					it := p.Iter()
					c.do(&it)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
			})
		}
	}
}

// BenchmarkPackedAnd intersects random lists of the same length, which have next to nothing in
// common.
func BenchmarkPackedAnd(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{10, 30, 100, 300, 1000} {
		var lists [16]Packed
		for i := range lists {
			values := kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1 << 40) })
			low := LowWidth(len(values), values[len(values)-1])
			lists[i] = Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, ok := And(nil, &lists[i&15], &lists[(i+1)&15]); !ok {
					b.Fatal("not found out")
				}
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/value")
		})
	}
}
