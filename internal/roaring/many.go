// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// OrAll returns the union of the sets. Without sets it is empty.
//
// OrAll sorts the containers of all sets by chunk, and the values of short lists by value. Cursors
// walk only sets with packed containers, and those beyond 65 536 containers or values. Small blocks
// of one chunk are combined pairwise; the rest are gathered in one bitset, which is counted once,
// and left as soon as it is full. The result is laid out once, as by [pair.And].
//
// The cost is that of reading all blocks. Besides the result it takes some 50 bytes for each sorted
// container, a cursor (some 250 bytes) for each other set, and 60 KB, kept for the next call.
func OrAll(views ...view.View) *mutable.Bitmap { return mergeAll(container.Or, views) }

// XorAll returns the values that an odd number of the sets have. Without sets it is empty. See
// [OrAll].
func XorAll(views ...view.View) *mutable.Bitmap { return mergeAll(container.Xor, views) }

// AndAll returns the intersection of the sets. Without sets it is empty.
//
// With many sets, it first intersects a few. If they have nothing in common, that is the answer, at
// the cost of those few. Else the set with the fewest containers leads, and the others skip to its
// chunks. A chunk is given up at the first set that has nothing of what is left. If the leading set
// is a short list, its values are looked up in the others instead, the shorter ones first. Memory
// as for [OrAll].
func AndAll(views ...view.View) *mutable.Bitmap {
	if len(views) == 0 {
		return new(mutable.Bitmap)
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	meetAll(&sink{m: m}, views)
	return mutable.NewBitmap(m, pack.AsTheyAre)
}

// AndNotAll returns the set of values of a that none of the others has. The others skip to the
// chunks that a has. Memory as for [OrAll].
func AndNotAll(a view.View, others ...view.View) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	subtractAll(&sink{m: m}, a, others)
	return mutable.NewBitmap(m, pack.AsTheyAre)
}

// OrAllLen returns the number of values that at least one of the sets has. It costs an [OrAll]
// without the result, and allocates nothing once the package's memory for that many sets, up to 4
// 096, is warm.
func OrAllLen(views ...view.View) uint64 { return mergeAllLen(container.Or, views) }

// XorAllLen returns the number of values that an odd number of the sets have. See [OrAllLen].
func XorAllLen(views ...view.View) uint64 { return mergeAllLen(container.Xor, views) }

// AndAllLen returns the number of values that all of the sets have. It costs an [AndAll] without
// the result, and without writing what the last set leaves of a chunk. Allocations as of
// [OrAllLen].
func AndAllLen(views ...view.View) uint64 {
	if len(views) == 0 {
		return 0
	}
	var to sink
	meetAll(&to, views)
	return to.n
}

// AndNotAllLen returns the number of values of a that none of the others has. It costs an
// [AndNotAll] without the result. Allocations as of [OrAllLen].
func AndNotAllLen(a view.View, others ...view.View) uint64 {
	var to sink
	subtractAll(&to, a, others)
	return to.n
}

func mergeAll(op container.Op, views []view.View) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	mergeInto(&sink{m: m}, op, views)
	return mutable.NewBitmap(m, pack.AsTheyAre)
}

func mergeAllLen(op container.Op, views []view.View) uint64 {
	var to sink
	mergeInto(&to, op, views)
	return to.n
}

func mergeInto(to *sink, op container.Op, views []view.View) {
	c := multiways.Get().(*multiway)
	defer c.release()
	c.merge(op, to, views, allKeys)
}

func meetAll(to *sink, views []view.View) {
	c := multiways.Get().(*multiway)
	defer c.release()
	c.meetAll(to, views, allKeys)
}

func subtractAll(to *sink, a view.View, others []view.View) {
	c := multiways.Get().(*multiway)
	defer c.release()
	c.subtract(to, a, others, allKeys)
}
