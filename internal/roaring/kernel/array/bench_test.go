// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkArrays measures the time of a value of two arrays that have half in common.
func BenchmarkArrays(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, size := range [][2]int{{4, 4}, {12, 20}, {40, 50}, {300, 300}, {2000, 2000}, {100, 1500}, {20, 900},
		{30, 4000}} {
		const variants = 16 // so that jumps cannot be learned
		var xs, ys [variants][]byte
		var dst [16384]byte
		for i := range variants {
			limit := min(4*(size[0]+size[1]), 65536)
			xs[i], _ = kerneltest.RandomLows(r, size[0], limit)
			ys[i], _ = kerneltest.RandomLows(r, size[1], limit)
		}
		i := 0
		for _, c := range []struct {
			name string
			f    func(dst, a, b []byte) int
		}{
			{"and-len", func(_, a, b []byte) int {
				return AndLen(a, b)
			}}, {"and", And}, {"andnot", AndNot}, {"or", Or}, {"xor", Xor},
		} {
			kerneltest.OnPaths(b, fmt.Sprintf("%s/n=%d,%d", c.name, size[0], size[1]), size[0]+size[1], "ns/value",
				func() {
					i++
					c.f(dst[:], xs[i%variants], ys[i*5%variants])
				})
		}
	}
}
