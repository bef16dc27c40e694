// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// naiveRuns returns the runs of ascending values.
func naiveRuns(values []uint64) (runs [][2]uint64) {
	for _, x := range values {
		if n := len(runs); n > 0 && runs[n-1][1]+1 == x {
			runs[n-1][1] = x
			continue
		}
		runs = append(runs, [2]uint64{x, x})
	}
	return runs
}

// collectRuns returns the runs of a loop.
func collectRuns(loop iter.Seq2[uint64, uint64]) (runs [][2]uint64) {
	for first, last := range loop {
		runs = append(runs, [2]uint64{first, last})
	}
	return runs
}

// TestRangeReads compares the reads of ranges with those of a sorted slice, for every kind of
// container.
func TestRangeReads(t *testing.T) {
	roaringtest.OnPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(42, 1))
		for _, s := range roaringtest.Samples(r, 4) {
			v, err := view.OpenBody(s.Body)
			if err != nil {
				t.Fatal(err)
			}
			b := mutable.Clone(v)
			ends := []uint64{0, 1, math.MaxUint64}
			for range 12 {
				x := r.Uint64()
				if len(s.Values) > 0 {
					x = s.Values[r.IntN(len(s.Values))] + uint64(r.IntN(3)) - 1
				}
				ends = append(ends, x)
			}
			for _, x := range ends {
				for _, y := range ends {
					i, _ := slices.BinarySearch(s.Values, x)
					j, found := slices.BinarySearch(s.Values, y)
					if found {
						j++
					}
					part := s.Values[i:max(i, j)]
					all := y < x || uint64(len(part))-1 == y-x
					if got := view.ContainsRange(v, x, y); got != all {
						t.Fatalf("%s: ContainsRange(%d, %d): got %v", s.Name, x, y, got)
					}
					if got := view.IntersectsRange(v, x, y); got != (len(part) > 0) {
						t.Fatalf("%s: IntersectsRange(%d, %d): got %v", s.Name, x, y, got)
					}
					if len(part) < 3000 && (!slices.Equal(slices.Collect(v.Between(x, y)), part) ||
						!slices.Equal(slices.Collect(b.Between(x, y)), part)) {
						t.Fatalf("%s: Between(%d, %d): wrong values", s.Name, x, y)
					}
				}
				i, found := slices.BinarySearch(s.Values, x)
				want := naiveRuns(s.Values[i:])
				if got := collectRuns(view.RangesFrom(v, x)); !slices.Equal(got, want) {
					t.Fatalf("%s: RangesFrom(%d): got %d runs, want %d", s.Name, x, len(got), len(want))
				}
				if found {
					i++
				}
				want = naiveRuns(s.Values[:i])
				slices.Reverse(want)
				if got := collectRuns(view.RangesBackwardFrom(v, x)); !slices.Equal(got, want) {
					t.Fatalf("%s: RangesBackwardFrom(%d): got %d runs, want %d", s.Name, x, len(got), len(want))
				}
			}
		}
	})
}
