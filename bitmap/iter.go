// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// All returns the values in ascending order. Nothing is allocated. In a function that is not huge
// the compiler makes a plain loop of it, over 64 values at a time.
func (v View) All() iter.Seq[uint64] { return view.View(v).All() }

// From returns the values that are at least x in ascending order. Nothing is allocated. See
// [View.All].
func (v View) From(x uint64) iter.Seq[uint64] { return view.View(v).From(x) }

// Backward returns the values in descending order. Nothing is allocated.
func (v View) Backward() iter.Seq[uint64] { return view.View(v).Backward() }

// BackwardFrom returns the values that are at most x in descending order. Nothing is allocated.
func (v View) BackwardFrom(x uint64) iter.Seq[uint64] { return view.View(v).BackwardFrom(x) }

// Between returns the values from first to last, both included, in ascending order. If last is less
// than first, there are none. Nothing is allocated. See [View.All].
func (v View) Between(first, last uint64) iter.Seq[uint64] {
	return view.View(v).Between(first, last)
}

// AppendTo appends the values in ascending order and returns the longer slice. It is the fastest
// way to read them all.
func (v View) AppendTo(dst []uint64) []uint64 { return view.View(v).AppendTo(dst) }

// Ranges returns the runs of consecutive values in ascending order, as first and last value, both
// included: so that a run may end at the largest uint64. Runs are as long as possible, across
// chunks and containers. The cost is that of the runs, and of the values of arrays and packed
// containers; nothing is allocated.
func (v View) Ranges() iter.Seq2[uint64, uint64] { return view.View(v).Ranges() }

// RangesFrom returns the runs of consecutive values that are at least x in ascending order: the
// first one begins at x if the set has x. The cost is that of [View.Ranges] from there on.
func (v View) RangesFrom(x uint64) iter.Seq2[uint64, uint64] { return view.RangesFrom(view.View(v), x) }

// RangesBackward returns the runs of consecutive values in descending order: those of
// [View.Ranges], the last one first.
func (v View) RangesBackward() iter.Seq2[uint64, uint64] { return view.RangesBackward(view.View(v)) }

// RangesBackwardFrom returns the runs of consecutive values that are at most x in descending order:
// the first one ends at x if the set has x. The cost is that of the runs, and of the values of
// arrays, bitsets and packed containers; nothing is allocated.
func (v View) RangesBackwardFrom(x uint64) iter.Seq2[uint64, uint64] {
	return view.RangesBackwardFrom(view.View(v), x)
}
