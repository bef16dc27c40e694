// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkPacked is the time of a value of packed blocks that are decoded: of one chunk, of thin
// chunks, and of next to one value in a chunk.
func BenchmarkPacked(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 1))
	var lows [1 << 17]byte
	var wide [1 << 14]uint64
	for _, c := range []struct {
		n     int
		width int
	}{{8, 16}, {20, 16}, {80, 16}, {300, 16}, {3000, 16}, {12000, 16}, {1000, 20}, {1000, 24}, {1000, 26}, {1000, 40}} {
		values := kerneltest.Ascending(c.n, func() uint64 { return r.Uint64N(1 << c.width) })
		n := len(values)
		_, low := Size(n, values[n-1], 63)
		p := Packed{Block: appendPacked(nil, values, low), N: n, Low: low}
		name := fmt.Sprintf("/n=%d/bits=%d/low=%d", c.n, c.width, low)
		kerneltest.OnPaths(b, "lows"+name, n, "ns/value", func() {
			for it := p.Iter(); ; {
				d, ok := it.Peek()
				if !ok {
					break
				}
				it.Lows(lows[:], d>>16)
			}
		})
		kerneltest.OnPaths(b, "values"+name, n, "ns/value", func() {
			it := p.Iter()
			it.Values(wide[:], 0)
		})
	}
}

// BenchmarkPackedFind measures the time of a question to lists of few values below 2^40. The
// questions are where a value stands, whether it is there, which value stands somewhere, and what
// two lists have in common. Half of the values asked for are there.
func BenchmarkPackedFind(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	const lists, questions = 64, 64
	for _, n := range []int{3, 6, 10, 16, 30} {
		var blocks [lists]Packed
		var asked [lists][questions]uint64
		for i := range blocks {
			values := kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1 << 40) })
			blocks[i] = packOf(values, LowWidth(len(values), values[len(values)-1]))
			for j := range asked[i] {
				if asked[i][j] = r.Uint64N(1 << 40); j&1 == 0 {
					asked[i][j] = values[r.IntN(len(values))]
				}
			}
		}
		i := 0
		kerneltest.OnPaths(b, fmt.Sprintf("find/n=%d", n), questions, "ns/question", func() {
			i++
			for _, d := range asked[i%lists] {
				blocks[i%lists].Find(d)
			}
		})
		kerneltest.OnPaths(b, fmt.Sprintf("has/n=%d", n), questions, "ns/question", func() {
			i++
			for _, d := range asked[i%lists] {
				blocks[i%lists].HasPadded(0, d)
			}
		})
		kerneltest.OnPaths(b, fmt.Sprintf("at/n=%d", n), questions, "ns/question", func() {
			i++
			for j := range questions {
				blocks[i%lists].At(j * 7 % n)
			}
		})
		kerneltest.OnPaths(b, fmt.Sprintf("meet/n=%d", n), 1, "ns/pair", func() {
			i++
			if _, ok := PairLen(&blocks[i%lists], &blocks[(i+1)%lists], 0); !ok {
				MeetLen(&blocks[i%lists], &blocks[(i+1)%lists], 0)
			}
		})
		for i := range blocks {
			values := kerneltest.Ascending(n, func() uint64 { return r.Uint64N(5_500_000) })
			blocks[i] = packOf(values, LowWidth(len(values), values[len(values)-1]))
		}
		kerneltest.OnPaths(b, fmt.Sprintf("meet/below=5.5M/n=%d", n), 1, "ns/pair", func() {
			i++
			MeetLen(&blocks[i%lists], &blocks[(i+1)%lists], 0)
		})
	}
}
