// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math/rand/v2"
	"testing"
)

// onPaths runs a benchmark on every path of this processor; per is what one call does of what the metric counts.
func onPaths(b *testing.B, name string, per int, unit string, f func()) {
	taken := Taken()
	defer Use(taken)
	for p := range Best() + 1 {
		Use(p)
		b.Run(name+"/"+p.String(), func(b *testing.B) {
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(per), unit)
		})
	}
}

// BenchmarkBitset is the time of a word of 64 bits.
func BenchmarkBitset(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var x, y, dst Words
	for i := range x {
		x[i], y[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"len", func() { BitsetLen(&x) }},
		{"and-len", func() { BitsetAndLen(&x, &y) }},
		{"and", func() { BitsetAnd(&dst, &x, &y) }},
		{"or-into", func() { OrInto(&dst, &x) }},
		{"rank", func() { BitsetRank(&x, 16000, 32768) }},
	} {
		onPaths(b, c.name, 1024, "ns/word", c.f)
	}
}
