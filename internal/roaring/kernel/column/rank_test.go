// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestRanks walks over counts from both ends with every path. It must find what one comparison
// after the other finds.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(126, 1))
	for range 300 {
		counts, sizes := make([]uint32, r.IntN(400)), make([]uint32, 400)
		for i := range counts {
			counts[i] = r.Uint32() >> r.IntN(32)
			sizes[i] = uint32(min(uint64(counts[i])*r.Uint64N(5), 1<<32-1))
		}
		least, part := r.Uint32()>>r.IntN(33), r.Float64()
		var first, last, wantFirst, wantLast []int
		for i, n := range counts {
			if n >= least {
				wantFirst = append(wantFirst, i)
				if float64(n) >= part*float64(sizes[i]) {
					wantLast = append(wantLast, i)
				}
			}
		}
		for i := 0; ; i++ {
			if i += FirstCount(counts[i:], least); i == len(counts) {
				break
			}
			first = append(first, i)
		}
		for i := LastShare(counts, sizes, least, part); i >= 0; i = LastShare(counts[:i], sizes, least, part) {
			last = append(last, i)
		}
		slices.Reverse(last)
		if !slices.Equal(first, wantFirst) || !slices.Equal(last, wantLast) {
			t.Fatalf("%d counts, least %d, part %g: got %v and %v, want %v and %v", len(counts), least, part, first,
				last, wantFirst, wantLast)
		}
	}
}

// TestManyRanks looks for one count among more than one call of a kernel looks at: at the ends of
// calls and beside them, from both ends, and for none.
func TestManyRanks(t *testing.T) {
	for _, n := range []int{maxRanked - 1, maxRanked, maxRanked + 1, 2*maxRanked - 1, 2 * maxRanked, 3*maxRanked + 17} {
		counts, sizes := make([]uint32, n), make([]uint32, n)
		for i := range counts {
			counts[i], sizes[i] = uint32(i%3), 10
		}
		if first, last := FirstCount(counts, 7), LastShare(counts, sizes, 1, 0.5); first != n || last != -1 {
			t.Fatalf("%d counts, none large enough: got %d and %d", n, first, last)
		}
		for edge := 0; edge <= n; edge += maxRanked {
			for _, at := range []int{edge - 1, edge, edge + 1, n - edge - 1, n - edge, n - edge + 1} {
				if at < 0 || at >= n {
					continue
				}
				was := counts[at]
				counts[at] = 7
				first, last := FirstCount(counts, 7), LastShare(counts, sizes, 1, 0.5)
				if counts[at] = was; first != at || last != at {
					t.Fatalf("%d counts, of which number %d is large enough: got %d and %d", n, at, first, last)
				}
			}
		}
	}
}

// BenchmarkRanks is the time of a count that is passed over.
func BenchmarkRanks(b *testing.B) {
	counts, sizes := make([]uint32, 1e5), make([]uint32, 1e5)
	for i := range counts {
		counts[i], sizes[i] = uint32(i%3), 10
	}
	kerneltest.OnPaths(b, "first", len(counts), "ns/count", func() { FirstCount(counts, 3) })
	kerneltest.OnPaths(b, "last", len(counts), "ns/count", func() { LastShare(counts, sizes, 1, 0.5) })
}
