// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// All returns the values in ascending order. See [View.All] for the cost.
//
// The loop's body may change the set in any way. A value that it adds or removes ahead of the loop
// is yielded or left out accordingly; what lies behind is not visited again. So each value is in
// the set at the moment it is yielded, and a value that stays is yielded once. Each change costs
// the loop another search: [Bitmap.RemoveFunc] is faster. The same holds for all other loops over a
// Bitmap.
func (b *Bitmap) All() iter.Seq[uint64] { return (*mutable.Bitmap)(b).All() }

// From returns the values that are at least x in ascending order. The set may change meanwhile: see
// [Bitmap.All].
func (b *Bitmap) From(x uint64) iter.Seq[uint64] { return (*mutable.Bitmap)(b).From(x) }

// Backward returns the values in descending order. The set may change meanwhile: see [Bitmap.All].
func (b *Bitmap) Backward() iter.Seq[uint64] { return (*mutable.Bitmap)(b).Backward() }

// BackwardFrom returns the values that are at most x in descending order. The set may change
// meanwhile: see [Bitmap.All].
func (b *Bitmap) BackwardFrom(x uint64) iter.Seq[uint64] { return (*mutable.Bitmap)(b).BackwardFrom(x) }

// Between returns the values from first to last, both included, in ascending order. The set may
// change meanwhile: see [Bitmap.All].
func (b *Bitmap) Between(first, last uint64) iter.Seq[uint64] {
	return (*mutable.Bitmap)(b).Between(first, last)
}

// Ranges returns the runs of consecutive values in ascending order: see [View.Ranges]. The set may
// change meanwhile, see [Bitmap.All]: a run is what it is when it is yielded, and the next one
// begins behind it.
func (b *Bitmap) Ranges() iter.Seq2[uint64, uint64] { return (*mutable.Bitmap)(b).Ranges() }
