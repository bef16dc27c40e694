// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkSearches is the time of a question to an array: where a value stands, and whether it is
// there.
func BenchmarkSearches(b *testing.B) {
	r := rand.New(rand.NewPCG(227, 1))
	const questions = 64
	for _, n := range []int{100, 1000, 4000} {
		var arrays [kerneltest.BenchLists][]byte
		for i := range arrays {
			arrays[i], _ = kerneltest.RandomLows(r, n, 65536)
		}
		var asked [questions]uint16
		for i := range asked {
			asked[i] = uint16(r.Uint32())
		}
		i := 0
		kerneltest.OnPaths(b, fmt.Sprintf("search/n=%d", n), questions, "ns/question", func() {
			i++
			for _, x := range asked {
				Search(arrays[i%kerneltest.BenchLists], x)
			}
		})
		kerneltest.OnPaths(b, fmt.Sprintf("contains/n=%d", n), questions, "ns/question", func() {
			i++
			for _, x := range asked {
				Contains(arrays[i%kerneltest.BenchLists], x)
			}
		})
	}
}

// BenchmarkKeepLows measures the time of a value, in any order, that is looked up in bits. Half of
// the bits are ones.
func BenchmarkKeepLows(b *testing.B) {
	r := rand.New(rand.NewPCG(228, 1))
	var w bitset.Words
	for i := range w {
		w[i] = byte(r.Uint32())
	}
	var lows, dst [4000]uint16
	for i := range lows {
		lows[i] = uint16(r.Uint32())
	}
	for _, n := range []int{50, 4000} {
		kerneltest.OnPaths(b, fmt.Sprintf("n=%d", n), n, "ns/value", func() { KeepLows(dst[:], lows[:n], &w) })
	}
}
