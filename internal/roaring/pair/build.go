// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Of returns the set of the given values, which may be in any order and repeat. It is packed as
// [Fastest].
func Of(values ...uint64) *mutable.Bitmap { return FromSorted(values) }

// FromSorted returns the set of values, which should ascend; repeated values count once. Values
// that do not ascend are sorted, in a copy. The set is packed as [Fastest]. Beside the set itself
// nothing is allocated, once the package's builders are warm.
func FromSorted(values []uint64) *mutable.Bitmap {
	if isList(values) {
		c := BorrowResult()
		defer c.Release()
		m := c.list(values, pack.Fastest)
		mutable.MarkValid(m)
		return m
	}
	b := pack.BuildSorted(values)
	defer b.Release()
	return mutable.NewBitmap(b, pack.Fastest)
}

// isList reports whether values ascend strictly and are so few, and so spread out, that they become
// a list: what [pack.Builder.LayOut] would find for Fastest, chunk by chunk. It may miss one.
func isList(values []uint64) bool {
	n := len(values)
	if n == 0 || n > view.MaxList {
		return false
	}
	last := values[n-1]
	if span := last>>16 - values[0]>>16 + 1; span*pack.ListBelow <= uint64(n) {
		return false // dense, or not ascending
	}
	before, chunks := values[0], 1
	for _, x := range values[1:] {
		if x <= before {
			return false
		}
		if x>>16 != before>>16 {
			chunks++
		}
		before = x
	}
	if n == 1 {
		return true
	}
	// A container takes at least two bytes, besides its entry.
	key := int(view.ByteWidth(last >> 16))
	return n < pack.ListBelow*chunks && pack.ListShape(n, last).Size < 2+key+chunks*(key+2+1+2)
}
