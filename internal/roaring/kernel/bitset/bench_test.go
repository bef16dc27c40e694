// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

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
		{"len", func() { Len(&x) }},
		{"and-len", func() { AndLen(&x, &y) }},
		{"and", func() { And(&dst, &x, &y) }},
		{"or-into", func() { OrInto(&dst, &x) }},
		{"rank", func() { Rank(&x, 16000, 32768) }},
	} {
		kerneltest.OnPaths(b, c.name, 1024, "ns/word", c.f)
	}
}
