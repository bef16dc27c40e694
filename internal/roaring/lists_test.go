// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// TestListsInCommon intersects lists of values that are spread out and have none, few or many
// values in common.
func TestListsInCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, limit := range []uint64{1 << 20, 5_500_000, 1 << 40, 1 << 62} {
		for _, n := range []int{2, 10, 30, 100, 300, 1000, 3000} {
			for _, shared := range []int{0, 1, 2, 7, 40, n} {
				draw := func(n int) (values []uint64) {
					for range n {
						values = append(values, r.Uint64N(limit))
					}
					return values
				}
				both := draw(min(shared, n))
				a, b := distinct(append(draw(n-len(both)), both...)), distinct(append(draw((n-len(both))*(1+r.IntN(4))),
					both...))
				want := slices.DeleteFunc(slices.Clone(a), func(x uint64) bool {
					_, found := slices.BinarySearch(b, x)
					return !found
				})
				x, y := pair.FromSorted(a).View(), pair.FromSorted(b).View()
				m := pair.And(x, y)
				if got := slices.Collect(m.All()); !slices.Equal(got, want) {
					t.Fatalf("And of %d and %d values below %d: got %d, want %d", len(a), len(b), limit, got, want)
				}
				if err := m.View().Validate(); err != nil {
					t.Fatalf("And of %d and %d values below %d: %v", len(a), len(b), limit, err)
				}
				if got := pair.AndLen(y, x); got != uint64(len(want)) {
					t.Fatalf("AndLen of %d and %d values below %d: got %d, want %d", len(b), len(a), limit, got,
						len(want))
				}
				if got := pair.Intersects(x, y); got != (len(want) > 0) {
					t.Fatalf("Intersects of %d and %d values below %d: got %v, want %d values in common", len(a),
						len(b), limit, got, len(want))
				}
			}
		}
	}
}

// distinct sorts values and leaves out repeated ones.
func distinct(values []uint64) []uint64 {
	slices.Sort(values)
	return slices.Compact(values)
}
