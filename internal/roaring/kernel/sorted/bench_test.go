// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkValuesAnd measures the time of a value of both lists. They have one value in a hundred
// in common.
func BenchmarkValuesAnd(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{50, 1000} {
		var lists [2][]uint64
		for i := range lists {
			lists[i] = kerneltest.Ascending(n, func() uint64 { return r.Uint64N(uint64(100 * n)) })
		}
		both := len(lists[0]) + len(lists[1])
		dst := make([]uint64, n)
		kerneltest.OnPaths(b, fmt.Sprintf("and-len/%d", n), both, "ns/value", func() {
			ValuesAndLen(lists[0],
				lists[1])
		})
		kerneltest.OnPaths(b, fmt.Sprintf("and/%d", n), both, "ns/value", func() { ValuesAnd(dst, lists[0], lists[1]) })
	}
}
