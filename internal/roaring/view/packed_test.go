// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestPackedBounds reads packed containers whose values run past the next container's key, or past
// 2^64: those values are not there.
func TestPackedBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	over := roaringtest.Container{Key: 1, Kind: container.Packed, Values: []uint64{1 << 16, 3<<16 | 5, 4<<16 | 1,
		9 << 16},
		Low: 10}
	next := roaringtest.Container{Key: 4, Values: []uint64{4<<16 | 8, 4<<16 | 9}}
	// The last container of all: its second value would be 2^64 + 3.
	top := uint64(container.MaxKey) << 16
	wrap := roaringtest.Container{Key: container.MaxKey, Kind: container.Packed, Values: []uint64{top + 1, 3}, Low: 12}
	for _, c := range []struct {
		cs   []roaringtest.Container
		want []uint64
	}{
		{[]roaringtest.Container{over, next}, []uint64{1 << 16, 3<<16 | 5, 4<<16 | 8, 4<<16 | 9}},
		{[]roaringtest.Container{wrap}, []uint64{top + 1}},
		{[]roaringtest.Container{next, wrap}, []uint64{4<<16 | 8, 4<<16 | 9, top + 1}},
	} {
		for form, body := range map[string][]byte{"compact": roaringtest.CompactBody(c.cs, 0),
			"loose": roaringtest.LooseBody(c.cs, r)} {
			v := open(t, body)
			if v.Validate() == nil {
				t.Fatalf("%s: values beyond the bound are valid", form)
			}
			var blocks []uint64
			for cursor := v.Cursor(nil); cursor.Next(); {
				blocks = cursor.Block().AppendTo(blocks)
			}
			back := slices.Collect(v.Backward())
			slices.Reverse(back)
			for how, got := range map[string][]uint64{
				"Cursor": blocks, "All": slices.Collect(v.All()), "Backward": back, "AppendTo": v.AppendTo(nil),
			} {
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: %s: got %d, want %d", form, how, got, c.want)
				}
			}
			if hi, ok := v.Max(); !ok || hi != c.want[len(c.want)-1] {
				t.Errorf("%s: Max: got %d, want %d", form, hi, c.want[len(c.want)-1])
			}
			if v.Contains(9<<16) || v.Contains(3) || v.Contains(4<<16|1) {
				t.Errorf("%s: contains a value beyond the bound", form)
			}
		}
	}
}
