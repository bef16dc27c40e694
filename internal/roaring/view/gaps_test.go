// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// gapsOf returns the runs of values from first to last that an ascending list has not.
func gapsOf(values []uint64, first, last uint64) (gaps [][2]uint64) {
	at, open := first, first <= last
	for _, x := range values {
		if !open || x < at || x > last {
			continue
		}
		if x > at {
			gaps = append(gaps, [2]uint64{at, x - 1})
		}
		at, open = x+1, x < last
	}
	if open {
		gaps = append(gaps, [2]uint64{at, last})
	}
	return gaps
}

func TestNextAndPreviousAbsent(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(115, 116))
	list := roaringtest.Samples(r, roaringtest.Paced(20, 6))
	for _, values := range [][]uint64{nil, roaringtest.Span(65_000, 200_000, 1),
		roaringtest.Span(container.MaxKey<<16-5,
			container.MaxKey<<16+5, 1),
		append(roaringtest.Span(^uint64(0)-9, ^uint64(0), 1), ^uint64(0)), roaringtest.Span(0, 140_000, 1),
		slices.Concat(roaringtest.Span(0, 70_000, 1), roaringtest.Span(70_001, 70_010, 1),
			roaringtest.Span(131_072, 262_144, 1))} {
		for range 4 {
			list = append(list, encoded(r, values))
		}
	}
	for _, s := range list {
		v := open(t, s.Body)
		all := gapsOf(s.Values, 0, math.MaxUint64)
		points := roaringtest.Asked(r, s.Values)
		for i, x := range points {
			// The gap that x is in, or the one behind it; and the one before.
			at, _ := slices.BinarySearchFunc(all, x, func(g [2]uint64, x uint64) int {
				if g[1] < x {
					return -1
				}
				return 1
			})
			next, ok := view.NextAbsent(v, x)
			if ok != (at < len(all)) || ok && next != max(all[at][0], x) {
				t.Fatalf("%s: NextAbsent(%d): got %d, %v", s.Name, x, next, ok)
			}
			before := at
			if at == len(all) || all[at][0] > x {
				before--
			}
			previous, ok := view.PreviousAbsent(v, x)
			if ok != (before >= 0) || ok && previous != min(all[before][1], x) {
				t.Fatalf("%s: PreviousAbsent(%d): got %d, %v", s.Name, x, previous, ok)
			}
			if i%8 > 0 {
				continue
			}
			for _, y := range []uint64{points[(7*i+1)%len(points)], x, x + 70_000, ^uint64(0)} {
				var got [][2]uint64
				for first, last := range view.Gaps(v, x, y) {
					got = append(got, [2]uint64{first, last})
				}
				if want := gapsOf(s.Values, x, y); !slices.Equal(got, want) {
					t.Fatalf("%s: Gaps(%d, %d): got %d, %v, want %d, %v", s.Name, x, y, len(got),
						got[:min(3, len(got))], len(want), want[:min(3, len(want))])
				}
			}
		}
		n := 0
		for range view.Gaps(v, 0, math.MaxUint64) {
			if n++; n == 2 {
				break
			}
		}
	}
}
