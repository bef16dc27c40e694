// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestSkipAhead reads long blocks on every path: values spread evenly, in clusters and at one end,
// and blocks that are not valid, whose upper parts have more ones or fewer than there should be.
func TestSkipAhead(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(131, 132))
	long := map[string][]uint64{"evenly": kerneltest.Ascending(30_000, func() uint64 { return r.Uint64N(1 << 26) })}
	at := uint64(0)
	long["clusters"] = kerneltest.Ascending(20_000, func() uint64 {
		if r.IntN(500) == 0 {
			at += r.Uint64N(1 << 20)
		}
		at += 1 + r.Uint64N(20)
		return at
	})
	long["late"] = kerneltest.Ascending(20_000, func() uint64 { return 1<<30 - 1 - r.Uint64N(1<<18) })
	long["early"] = append(kerneltest.Ascending(20_000, func() uint64 { return r.Uint64N(1 << 18) }), 1<<30)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		for name, values := range long {
			t.Run(name+"/"+p.String(), func(t *testing.T) {
				low := LowWidth(len(values), values[len(values)-1])
				for _, low := range []uint{low, low + 3} {
					block := appendPacked(nil, values, low)
					checkReads(t, Packed{Block: block[:len(block):len(block)], N: len(values), Low: low}, values)
				}
			})
		}
		for range 12 {
			block := make([]byte, 4096+r.IntN(1<<14))
			for from := 0; from < len(block); {
				end := min(len(block), from+1+r.IntN(1<<12))
				mask := byte(r.Uint32())
				for ; from < end; from++ {
					block[from] = byte(r.Uint32()) & mask
				}
			}
			low := uint(r.IntN(4))
			readHostile(t, Packed{Block: block, N: 1 + r.IntN(8*len(block)/int(low+1)), Low: low})
		}
	}
}
