// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// engine returns the views as the engine's, in the same memory: a View is one of those by another
// name.
func engine(views []View) []view.View {
	return unsafe.Slice((*view.View)(unsafe.SliceData(views)), len(views))
}

// OrAll returns the set of values that at least one of the sets has. Of no sets it is empty.
//
// The containers of all sets are sorted by chunk, and the values of short lists by value. Only sets
// with packed containers, and sets beyond 65 536 containers or values, are walked by cursors.
// Blocks of one chunk are combined as long as they are small. Then they are gathered in one bitset
// that is counted once, and left as soon as it is full. The result is laid out once, as [And] does.
// The cost is that of reading all blocks. The memory, beside the result, is some 50 bytes for each
// container that is sorted, one cursor (some 250 bytes) for each other set, and 60 KB, kept for the
// next call.
func OrAll(views ...View) *Bitmap { return (*Bitmap)(roaring.OrAll(engine(views)...)) }

// XorAll returns the set of values that an odd number of the sets have. Of no sets it is empty. See
// [OrAll].
func XorAll(views ...View) *Bitmap { return (*Bitmap)(roaring.XorAll(engine(views)...)) }

// AndAll returns the set of values that all of the sets have; of no sets, the empty set.
//
// Of many sets a few are intersected first, and if they have nothing in common, that is the answer,
// at the cost of those few. Else the set with the fewest containers leads, and the others skip to
// its chunks; a chunk is given up at the first set that has none of what is left. If the leading
// set is a short list, its values are looked up in the others instead, the shorter ones first.
// Memory as for [OrAll].
func AndAll(views ...View) *Bitmap { return (*Bitmap)(roaring.AndAll(engine(views)...)) }

// AndNotAll returns the set of values of a that none of the others has. The others skip to the
// chunks that a has. Memory as for [OrAll].
func AndNotAll(a View, others ...View) *Bitmap {
	return (*Bitmap)(roaring.AndNotAll(view.View(a), engine(others)...))
}

// OrAllLen returns the number of values that at least one of the sets has. It costs an [OrAll]
// without the result, and allocates nothing once the package's memory for that many sets, up to 4
// 096, is warm.
func OrAllLen(views ...View) uint64 { return roaring.OrAllLen(engine(views)...) }

// XorAllLen returns the number of values that an odd number of the sets have. See [OrAllLen].
func XorAllLen(views ...View) uint64 { return roaring.XorAllLen(engine(views)...) }

// AndAllLen returns the number of values that all of the sets have. It costs an [AndAll] without
// the result, and without writing what the last set leaves of a chunk. Allocations as of
// [OrAllLen].
func AndAllLen(views ...View) uint64 { return roaring.AndAllLen(engine(views)...) }

// AndNotAllLen returns the number of values of a that none of the others has. It costs an
// [AndNotAll] without the result. Allocations as of [OrAllLen].
func AndNotAllLen(a View, others ...View) uint64 {
	return roaring.AndNotAllLen(view.View(a), engine(others)...)
}

// AtLeast returns the set of values that at least k of the sets have: for k of 1 the union, for k
// of all of them the intersection. It panics if k is less than 1.
//
// The sets are read once, chunk by chunk, and the sets that have a value are counted in binary, one
// bit of 64 counters in a word (Kaser, Lemire: Compressed bitmap indexes: beyond unions and
// intersections, 2016). Beside the result, nothing is allocated once the package's memory is warm.
// The result is laid out as that of [OrAll].
func AtLeast(k int, views ...View) *Bitmap { return (*Bitmap)(roaring.AtLeast(k, engine(views)...)) }

// AtLeastLen returns the number of values that at least k of the sets have. It costs an [AtLeast]
// without the result.
func AtLeastLen(k int, views ...View) uint64 { return roaring.AtLeastLen(k, engine(views)...) }
