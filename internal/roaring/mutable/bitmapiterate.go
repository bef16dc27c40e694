// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"iter"
	"math"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Loops over a Bitmap go on when the loop's body changes the set: as soon as they notice, they look
// for their place again. A View cannot notice, because it knows nothing of the Bitmap.

// All returns the values in ascending order. See [View.All] for the cost.
//
// The loop's body may change the set in any way. A value that it adds or removes ahead of the loop
// is yielded or left out accordingly; what lies behind is not visited again. So each value is in
// the set at the moment it is yielded, and a value that stays is yielded once. Each change costs
// the loop another search: [Bitmap.RemoveFunc] is faster. The same holds for all other loops over a
// Bitmap.
func (b *Bitmap) All() iter.Seq[uint64] { return b.From(0) }

// From returns the values that are at least x in ascending order. The set may change meanwhile: see
// [Bitmap.All].
func (b *Bitmap) From(x uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		seen := b.edits
		w := view.Walk{It: b.View().Iterator(x)}
		for w.Read() {
			for _, x := range w.Values[:w.N] {
				if !yield(x) {
					return
				}
				if b.edits != seen {
					if x == math.MaxUint64 {
						return
					}
					seen, w.It = b.edits, b.View().Iterator(x+1)
					break
				}
			}
		}
	}
}

// Backward returns the values in descending order. The set may change meanwhile: see [Bitmap.All].
func (b *Bitmap) Backward() iter.Seq[uint64] { return b.BackwardFrom(math.MaxUint64) }

// BackwardFrom returns the values that are at most x in descending order. The set may change
// meanwhile: see [Bitmap.All].
func (b *Bitmap) BackwardFrom(x uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for x, more := x, true; more; {
			seen := b.edits
			more = false
			v := b.View()
			view.Descend(&v, x, func(y uint64) bool {
				if !yield(y) {
					return false
				}
				more = b.edits != seen && y > 0
				x = y - 1
				return b.edits == seen
			})
		}
	}
}

// Between returns the values from first to last, both included, in ascending order. The set may
// change meanwhile: see [Bitmap.All].
func (b *Bitmap) Between(first, last uint64) iter.Seq[uint64] {
	return view.Between(b.From(first), last)
}

// Ranges returns the runs of consecutive values in ascending order: see [View.Ranges]. The set may
// change meanwhile, see [Bitmap.All]: a run is what it is when it is yielded, and the next one
// begins behind it.
func (b *Bitmap) Ranges() iter.Seq2[uint64, uint64] {
	return func(yield func(first, last uint64) bool) {
		for x, more := uint64(0), true; more; {
			seen := b.edits
			more = false
			view.RangesFrom(b.View(), x)(func(first, last uint64) bool {
				if !yield(first, last) {
					return false
				}
				more = b.edits != seen && last < math.MaxUint64
				x = last + 1
				return b.edits == seen
			})
		}
	}
}
