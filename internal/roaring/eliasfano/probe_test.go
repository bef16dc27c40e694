// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// questions returns values to look up in a list: some of it, their neighbours and others,
// ascending. One may be asked for twice.
func questions(r *rand.Rand, values []uint64, n int) (list []uint64) {
	for len(list) < n {
		x := values[r.IntN(len(values))]
		switch r.IntN(6) {
		case 0:
			x++
		case 1:
			x--
		case 2:
			x = r.Uint64() >> r.IntN(64)
		case 3:
			x ^= 1 << r.IntN(64)
		}
		list = append(list, x)
	}
	slices.Sort(list)
	return list
}

// TestPackedProbe looks values up in lists of many shapes, one by one, in batches and in place.
func TestPackedProbe(t *testing.T) {
	r := rand.New(rand.NewPCG(131, 1))
	for name, values := range lists() {
		_, best := Size(len(values), values[len(values)-1], 63)
		for _, low := range []uint{best, 63, max(best, 3) - 3} {
			block := appendPacked(nil, values, low)
			p := Packed{Block: block[:len(block):len(block)], N: len(values), Low: low}
			for _, n := range []int{1, 2, 10, 100, 3000} {
				asked, base := questions(r, values, n), r.Uint64()
				var want []uint64
				probe := p.probe()
				for i, x := range asked {
					_, in := slices.BinarySearch(values, x)
					if got := probe.Has(x); got != in {
						t.Fatalf("%s, low width %d, question %d: Has(%d) is %v, want %v", name, low, i, x, got, in)
					}
					asked[i] += base
					if in {
						want = append(want, x+base)
					}
				}
				for _, step := range []int{1, 3, 64, n} {
					list := slices.Clone(asked)
					probe, kept := p.probe(), 0
					for from := 0; from < n; from += step {
						kept += probe.Keep(list[kept:], list[from:min(from+step, n)], base)
					}
					if !slices.Equal(list[:kept], want) {
						t.Fatalf("%s, low width %d, %d questions by %d: got %v, want %v", name, low, n, step,
							list[:kept], want)
					}
				}
			}
		}
	}
}

// TestPackedProbeHostile looks values up in blocks that are not valid, and in an order that is not:
// nothing faults, and what is kept was asked for.
func TestPackedProbeHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(132, 1))
	blocks := slices.Clone(hostileBlocks)
	for range 2000 {
		block := make([]byte, r.IntN(300))
		for i := range block {
			block[i] = byte(r.Uint32() | r.Uint32()&r.Uint32()<<r.IntN(8))
		}
		blocks = append(blocks, Packed{Block: block, N: r.IntN(8*len(block) + 2), Low: uint(r.IntN(20))})
	}
	for _, p := range blocks {
		p.Block = bytes.Clone(p.Block)[:len(p.Block):len(p.Block)]
		asked := make([]uint64, 200)
		for i := range asked {
			asked[i] = r.Uint64() >> (40 + r.IntN(24))
		}
		if r.IntN(4) > 0 {
			slices.Sort(asked)
		}
		probe, list := p.probe(), slices.Clone(asked)
		kept := list[:probe.Keep(list, list, 0)]
		rest := asked
		for _, x := range kept {
			i := slices.Index(rest, x)
			if i < 0 {
				t.Fatalf("%d bytes, %d values, low width %d: got %v of %v", len(p.Block), p.N, p.Low, kept, asked)
			}
			rest = rest[i+1:]
		}
	}
}
