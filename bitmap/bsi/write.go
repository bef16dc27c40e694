// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Append appends the serialized form of the integers, those in the filter alone if there is one, to
// dst and returns the longer slice: what [Open] opens. The base and the number of slices are
// those that suit the integers; the layout is that of every set. It holds the sets in memory
// meanwhile. Bytes from outside are validated first; of those that are not valid, what can be read
// of them is written.
func (v View) Append(dst []byte, layout bitmap.Layout) []byte {
	return roaring.SlicedView(v).Append(dst, roaring.Layout(layout))
}

// AppendChecked is Append with a checksum at the end, which [View.Validate] verifies.
func (v View) AppendChecked(dst []byte, layout bitmap.Layout) []byte {
	return roaring.SlicedView(v).AppendChecked(dst, roaring.Layout(layout))
}

// Clone returns the integers, those in the filter alone if there is one, as an Integers of its own,
// which is valid whatever the bytes: see [View.Append].
func (v View) Clone() *Integers {
	return (*Integers)(roaring.SlicedView(v).Clone())
}

// Of returns the integers of the given records: those of pairs, whose IDs should ascend; of
// several pairs with one ID the last counts. Pairs that do not ascend are sorted, in a copy. The
// sets are packed as [bitmap.Fastest].
//
// It costs some 10 ns for each bit of an integer that is one, beside the sets.
func Of(pairs []Pair) *Integers { return (*Integers)(roaring.SlicedOf(engine(pairs))) }
