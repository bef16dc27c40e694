// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap puts numbers into a heap, all at once and one after the other, and takes them out. The
// least comes first, whatever was the least before.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 505))
	for n := range 60 {
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = r.IntN(1 + r.IntN(2*n))
		}
		all := heap[int]{slices.Clone(numbers), cmp.Compare[int]}
		all.init()
		each := heap[int]{nil, cmp.Compare[int]}
		for _, x := range numbers {
			each.of = append(each.of, x)
			each.up(len(each.of) - 1)
		}
		slices.Sort(numbers)
		for i, want := range numbers {
			if x, y := all.pop(), each.pop(); x != want || y != want {
				t.Fatalf("number %d of %v: got %d and %d", i, numbers, x, y)
			}
		}
	}
}
