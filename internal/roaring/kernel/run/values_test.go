// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// TestValuesInBatches reads arrays, bitsets and runs in batches of any length, from any place on.
func TestValuesInBatches(t *testing.T) {
	const base = 7 << 40
	r := rand.New(rand.NewPCG(29, 30))
	for i := range 40 {
		var w bitset.Words
		var want []uint64
		for x := 0; x < 65536; {
			gap, run := 1+r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(1+i%12))
			for x += gap; run > 0 && x < 65536; run-- {
				w[x>>3] |= 1 << (x & 7)
				want = append(want, base+uint64(x))
				x++
			}
		}
		lows, runs := make([]byte, 2*len(want)), make([]byte, 4*len(want))
		bitset.ToArray(lows, &w)
		runs = runs[:4*FromBitset(runs, &w)]
		for range 10 {
			from := r.IntN(65537)
			first, _ := slices.BinarySearch(want, base+uint64(from))
			rest := want[first:]
			at, left := from, lows[2*first:]
			run, next := max(Search(runs, uint16(min(from, 65535)))-1, 0), from
			for len(rest) > 0 {
				room := r.IntN(1 << r.IntN(11))
				expected := rest[:min(room, len(rest))]
				rest = rest[len(expected):]
				check := func(what string, dst []uint64, n int) {
					t.Helper()
					if !slices.Equal(dst[:n], expected) {
						t.Fatalf("set %d from %d: %d values of %s in the room of %d, want %d", i, from, n, what, room,
							len(expected))
					}
					if !slices.Equal(dst[room:room+4], []uint64{1, 2, 3, 4}) {
						t.Fatalf("set %d from %d: %s wrote beyond the room of %d", i, from, what, room)
					}
				}
				fresh := func() []uint64 { return append(make([]uint64, room), 1, 2, 3, 4) }
				dst, n := fresh(), 0
				n, at = bitset.ValuesFrom(dst[:room], &w, at, base)
				check("a bitset", dst, n)
				dst = fresh()
				n, run, next = Values(dst[:room], runs, run, next, base)
				check("runs", dst, n)
				dst = fresh()
				array.Values(dst[:room], left, base)
				check("an array", dst, len(expected))
				left = left[2*len(expected):]
			}
		}
	}
}
