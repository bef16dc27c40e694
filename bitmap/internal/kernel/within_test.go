// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestValuesWithin counts values within sets of any length, from any base on, by a map.
func TestValuesWithin(t *testing.T) {
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
		if n := ValuesWithin(values, bits, base); n != want {
			t.Fatalf("%d of %d values in %d bytes, want %d", n, len(values), len(bits), want)
		}
	}
}

func BenchmarkValuesWithin(b *testing.B) {
	r := rand.New(rand.NewPCG(115, 1))
	bits := make([]byte, 1<<17)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	var values [64]uint64
	for i := range values {
		values[i] = r.Uint64N(1 << 20)
	}
	for _, p := range Paths() {
		b.Run(p.String(), func(b *testing.B) {
			taken := Taken()
			defer Use(taken)
			Use(p)
			n := 0
			for b.Loop() {
				n += ValuesWithin(values[:], bits, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)), "ns/value")
		})
	}
}
