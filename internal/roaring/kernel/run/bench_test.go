// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkPlaces measures the time of a one of a bitset that is written. It also measures the time
// of a value of an array that is looked up.
func BenchmarkPlaces(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	var dst [1 << 17]byte
	var values [1 << 16]uint64
	for _, n := range []int{100, 1000, 4000, 30000} {
		lows, _ := kerneltest.RandomLows(r, n, 65536)
		var w bitset.Words
		bitset.Scatter(&w, lows)
		kerneltest.OnPaths(b, fmt.Sprintf("to-array/n=%d", n), n, "ns/value", func() { bitset.ToArray(dst[:], &w) })
		kerneltest.OnPaths(b, fmt.Sprintf("values/n=%d", n), n, "ns/value", func() { bitset.Values(values[:], &w, 1) })
	}
	var w bitset.Words
	for i := range w {
		w[i] = byte(r.Uint32())
	}
	for _, n := range []int{8, 16, 50, 500, 4000} {
		lows, _ := kerneltest.RandomLows(r, n, 65536)
		kerneltest.OnPaths(b, fmt.Sprintf("array-bitset-len/n=%d", n), n, "ns/value", func() {
			array.BitsetAndLen(lows,
				&w)
		})
		kerneltest.OnPaths(b, fmt.Sprintf("array-bitset/n=%d", n), n, "ns/value", func() {
			array.BitsetAnd(dst[:], lows,
				&w)
		})
		kerneltest.OnPaths(b, fmt.Sprintf("array-values/n=%d", n), n, "ns/value", func() {
			array.Values(values[:], lows,
				1)
		})
		kerneltest.OnPaths(b, fmt.Sprintf("scatter/n=%d", n), n, "ns/value", func() { bitset.Scatter(&w, lows) })
		kerneltest.OnPaths(b, fmt.Sprintf("set-array/n=%d", n), n, "ns/value", func() { bitset.SetArray(&w, lows) })
	}
}

// BenchmarkRunValues is the time of a value of runs of at most 12 or 100 values.
func BenchmarkRunValues(b *testing.B) {
	r := rand.New(rand.NewPCG(10, 10))
	var dst [65536]uint64
	for _, most := range []int{12, 100} {
		runs := kerneltest.SeparateRuns(r, 100, most)
		kerneltest.OnPaths(b, fmt.Sprintf("most=%d", most), Len(runs), "ns/value", func() {
			Values(dst[:], runs, 0, 0,
				1)
		})
	}
}

// BenchmarkRunPairs is the time of a run of two lists.
func BenchmarkRunPairs(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range [][2]int{{2, 8}, {7, 35}, {30, 30}, {120, 120}, {300, 300}, {40, 1000}} {
		const lists = 16
		var x, y [lists][]byte
		for i := range lists {
			x[i], y[i] = kerneltest.SeparateRuns(r, n[0], 12), kerneltest.SeparateRuns(r, n[1], 12)
		}
		dst := make([]byte, 8*(n[0]+n[1]))
		i := 0
		kerneltest.OnPaths(b, fmt.Sprintf("and-len/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			AndLen(x[i%lists], y[i%lists])
		})
		kerneltest.OnPaths(b, fmt.Sprintf("and/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			And(dst, x[i%lists], y[i%lists])
		})
		kerneltest.OnPaths(b, fmt.Sprintf("or/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			Or(dst, x[i%lists], y[i%lists])
		})
		kerneltest.OnPaths(b, fmt.Sprintf("andnot/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			AndNot(dst, x[i%lists], y[i%lists])
		})
		kerneltest.OnPaths(b, fmt.Sprintf("xor/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			Xor(dst, x[i%lists], y[i%lists])
		})
	}
}

// BenchmarkFillRuns is the time of a run of at most 40 values, or up to the next run.
func BenchmarkFillRuns(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{25, 100, 1500} {
		runs := kerneltest.SeparateRuns(r, n, 40)
		var w bitset.Words
		kerneltest.OnPaths(b, fmt.Sprintf("n=%d", n), n, "ns/run", func() { bitset.FillRuns(&w, runs) })
	}
}
