// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
)

// Shapes returns sets of many distributions, by name: random, runs, clusters, dense, spread out, at
// the boundaries.
func Shapes(r *rand.Rand) map[string][]uint64 {
	m := map[string][]uint64{
		"empty":      nil,
		"zero":       {0},
		"byte":       {200},
		"largest":    {1<<64 - 1},
		"boundaries": {0, 65535, 65536, 131071, 131072, 1<<48 - 1, 1 << 48, 1<<64 - 65537, 1<<64 - 65536, 1<<64 - 1},
		"chunk":      Span(0, 65536, 1),
		"chunks":     Span(30000, 500_000, 1),
		"even":       Span(0, 200_000, 2),
		"array full": Span(0, 4096*16, 16),
		"array over": Span(0, 4097*15, 15),
		"stride":     Span(7, 5_000_000, 1000),
		"last chunk": Span(1<<64-60000, 1<<64-8, 3),
	}
	add := func(name string, n int, next func() uint64) {
		values := make([]uint64, n)
		for i := range values {
			values[i] = next()
		}
		slices.Sort(values)
		m[fmt.Sprintf("%s %d", name, n)] = slices.Compact(values)
	}
	for _, n := range []int{2, 10, 100, 1000, 2048, 2049, 10_000, 50_000} {
		add("universe of 65536,", n, func() uint64 { return r.Uint64N(1 << 16) })
		add("universe of 5.5 million,", n, func() uint64 { return r.Uint64N(5_500_000) })
		add("universe of 2^40,", n, func() uint64 { return r.Uint64N(1 << 40) })
		add("universe of 2^64,", n, func() uint64 { return r.Uint64() })
		at := uint64(0)
		add("runs", n, func() uint64 {
			if at++; r.IntN(50) == 0 {
				at += r.Uint64N(1 << 18)
			}
			return at
		})
		add("clusters", n, func() uint64 { return r.Uint64N(5)<<33 + uint64(r.ExpFloat64()*5000) })
		add("sparse beside dense", n, func() uint64 {
			if r.IntN(3) == 0 {
				return r.Uint64N(1 << 30)
			}
			return 1<<29 + r.Uint64N(1<<16)
		})
	}
	return m
}

// SortedByName ranges over sets in an order that does not change from run to run.
func SortedByName(m map[string][]uint64) iter.Seq2[string, []uint64] {
	return func(yield func(string, []uint64) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}
