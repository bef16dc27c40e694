// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"math/rand/v2"
	"testing"
)

// TestContainedLen counts values within sets of any length, from any base on, by a map.
func TestContainedLen(t *testing.T) {
	r := rand.New(rand.NewPCG(113, 1))
	for range 300 {
		base := r.Uint64() >> (16 + r.IntN(40))
		bits := make([]byte, 8*r.IntN(200))
		in := map[uint64]bool{}
		for i := range bits {
			bits[i] = byte(r.Uint32() & r.Uint32())
			for b := range 8 {
				if bits[i]>>b&1 == 1 {
					in[base+uint64(8*i+b)] = true
				}
			}
		}
		values := make([]uint64, r.IntN(100))
		want := 0
		for i := range values {
			values[i] = base - 50 + r.Uint64N(uint64(8*len(bits)+100))
			if in[values[i]] {
				want++
			}
		}
		if n := ContainedLen(values, bits, base); n != want {
			t.Fatalf("%d of %d values in %d bytes, want %d", n, len(values), len(bits), want)
		}
	}
}
