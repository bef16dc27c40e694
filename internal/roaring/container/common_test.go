// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestAppendCommonLow compares the first values that bitsets and runs have in common with those of
// plain tables.
func TestAppendCommonLow(t *testing.T) {
	const key = 7
	r := rand.New(rand.NewPCG(31, 32))
	random := func(one int) (lows []uint64) {
		for low := range uint64(1 << 16) {
			if r.IntN(one) == 0 || low == 0 || low == 1<<16-1 {
				lows = append(lows, low)
			}
		}
		return lows
	}
	bitset := func(lows []uint64) container.Block {
		return container.Block{Key: key, Data: roaringtest.Container{Kind: container.Bitset, Values: lows}.Payload(),
			N:    int32(len(lows)),
			Kind: container.Bitset}
	}
	runs := func(most int) (lows []uint64) {
		for low := uint64(r.IntN(2)); low < 1<<16; low += uint64(1 + r.IntN(2*most)) {
			for range 1 + r.IntN(most) {
				if low < 1<<16 {
					lows = append(lows, low)
				}
				low++
			}
		}
		return lows
	}
	// below 0: runs up to so long
	for _, ones := range [][]int{{2}, {2, 3}, {2, 9, 4}, {300, 2, 2, 2}, {70_000, 2}, {-1}, {-40}, {-70_000, 3},
		{2, -3, 4, -200}, {-64, 5, -3000, -7}} {
		var blocks []container.Block
		want := make([]int, 1<<16)
		for _, one := range ones {
			var lows []uint64
			if one < 0 {
				lows = runs(-one)
				blocks = append(blocks, container.Block{Key: key, Data: roaringtest.Container{Kind: container.Run,
					Values: lows}.Payload(),
					N: int32(len(lows)), Kind: container.Run})
			} else {
				lows = random(one)
				blocks = append(blocks, bitset(lows))
			}
			for _, low := range lows {
				want[low]++
			}
		}
		var common []uint16
		for low, n := range want {
			if n == len(ones) {
				common = append(common, uint16(low))
			}
		}
		for _, most := range []int{0, 1, 2, 3, 50, 1 << 16} {
			got, ok := container.AppendCommonLow([]uint16{9}, most, blocks...)
			if !ok || got[0] != 9 || !slices.Equal(got[1:], common[:min(most, len(common))]) {
				t.Fatalf("one in %v, at most %d: got %d values, %v, want the first of %d", ones, most, len(got)-1, ok,
					len(common))
			}
		}
		for _, other := range blocksOf(key, []uint64{0, 1, 2, 65535}) {
			if got, ok := container.AppendCommonLow(nil, 3, append(blocks,
				other)...); ok != (other.Kind == container.Bitset ||
				other.Kind == container.Run) || !ok && got != nil {
				t.Errorf("a block of kind %d: got %d values, %v", other.Kind, len(got), ok)
			}
		}
	}
	if got, ok := container.AppendCommonLow(nil, 3, slices.Repeat([]container.Block{bitset([]uint64{1})},
		container.MostCommon+1)...); ok ||
		got != nil {
		t.Errorf("too many blocks: got %v, %v", got, ok)
	}
	if got, ok := container.AppendCommonLow(nil, 3); ok || got != nil {
		t.Errorf("no blocks: got %v, %v", got, ok)
	}
}
