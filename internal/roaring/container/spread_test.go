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

// TestSpread: blocks of all kinds have the same values as bitsets, and in common what And says,
// also when the operand lives where the result goes.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	var blocks []container.Block
	for _, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		for i, n := 0, 0; i < len(values) && n < 4; n++ {
			key, lows := values[i]>>16, []uint64(nil)
			for ; i < len(values) && values[i]>>16 == key; i++ {
				lows = append(lows, values[i]&0xFFFF)
			}
			blocks = append(blocks, blocksOf(key, lows)...)
		}
	}
	blocks = append(blocks, container.Block{Key: 3})
	var a, b, and, chain container.Scratch
	for _, x := range blocks {
		spread := a.Spread(x)
		if got, want := spread.AppendTo(nil), x.AppendTo(nil); !slices.Equal(got, want) || spread.Len() != x.Len() ||
			spread.Len() > 0 && spread.Kind != container.Bitset {
			t.Fatalf("got %d of %d values as kind %d, want the same as a bitset", len(got), len(want), spread.Kind)
		}
		for range 8 {
			y := b.Spread(blocks[r.IntN(len(blocks))])
			want := and.And(x, y).AppendLow(nil)
			if got := chain.Meet(spread, y); !slices.Equal(got.AppendLow(nil), want) || got.Len() != len(want) ||
				got.Key != x.Key {
				t.Fatalf("got %d values in common, want %d", got.Len(), len(want))
			}
			if got := chain.Meet(chain.Meet(spread, y), x); got.Len() != len(want) {
				t.Fatalf("got %d values in common with an operand, want %d", got.Len(), len(want))
			}
		}
	}
}
