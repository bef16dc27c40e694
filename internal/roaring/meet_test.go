// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestMeetOfManySets intersects more sets than are looked at first: the rarest of them have values
// in common that sets behind them have not, and a set behind them is the rarest of all.
func TestMeetOfManySets(t *testing.T) {
	const chunk = 1 << 16
	want := []uint64{7*chunk + 3, 9*chunk + 5, 9*chunk + 6}
	common := slices.Concat([]uint64{2 * chunk}, want, []uint64{20 * chunk})
	for name, rarest := range map[string][]uint64{
		"a list": slices.Concat([]uint64{1}, want, []uint64{30 * chunk}),
		"chunks": slices.Concat(roaringtest.Span(5*chunk, 5*chunk+100, 1), want[:1],
			roaringtest.Span(9*chunk+5, 9*chunk+7, 1),
			roaringtest.Span(12*chunk, 12*chunk+500, 1)),
		"none": nil,
	} {
		expect := want
		if rarest == nil {
			expect = nil
		}
		for _, layout := range []pack.Layout{pack.Fastest, pack.Smallest} {
			var views []view.View
			for i := range uint64(3 * scouts) {
				values := slices.Concat(common, roaringtest.Span(40*chunk, 40*chunk+100+i, 1),
					roaringtest.Span(50*chunk+1000*i, 50*chunk+1000*i+900, 1))
				slices.Sort(values)
				b := pair.FromSorted(slices.Compact(values))
				b.Pack(layout)
				views = append(views, b.View())
			}
			b := pair.FromSorted(rarest)
			b.Pack(layout)
			views = append(views, b.View())
			got := AndAll(views...)
			if values := slices.Collect(got.All()); !slices.Equal(values, expect) {
				t.Errorf("%s, layout %d: AndAll: got %d, want %d", name, layout, values, expect)
			}
			if n := AndAllLen(views...); n != uint64(len(expect)) {
				t.Errorf("%s, layout %d: AndAllLen: got %d, want %d", name, layout, n, len(expect))
			}
			if values := slices.Collect(ParallelAndAll(2, views...).All()); !slices.Equal(values, expect) {
				t.Errorf("%s, layout %d: ParallelAndAll: got %d, want %d", name, layout, values, expect)
			}
		}
	}
}
