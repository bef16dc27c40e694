// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Lists and packed containers of the same low width are compared bucket by bucket where vectors do
// so, whatever chunks these are in: nothing is decoded to memory.

// sameFrom is the length of the shorter block from which comparing by buckets pays for its
// preparation.
const sameFrom = 64

// sameLists reports whether two lists may be compared bucket by bucket.
func sameLists(a, b *view.View) bool {
	return a.Kw() == b.Kw() && min(a.ListLen(), b.ListLen()) >= sameFrom && eliasfano.FastSame()
}

// sameListsLen returns how many values two lists have in common for which sameLists holds. ok is
// false if it did not find out.
func sameListsLen(a, b *view.View) (n int, ok bool) {
	f, g := view.List(a).Iter(), view.List(b).Iter()
	n, _, ok = eliasfano.SameAndLen(&f, &g, 0, 0, math.MaxUint64)
	return n, ok
}

// andSameLists returns the values that two lists have in common for which sameLists holds. ok is
// false if it did not find out.
func (c *result) andSameLists(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	f, g := view.List(a).Iter(), view.List(b).Iter()
	n, _, ok := eliasfano.SameAnd(c.offsetsFor(min(f.Left(), g.Left())), &f, &g, 0, 0, math.MaxUint64)
	if !ok {
		return nil, false
	}
	c.lists[0] = appendOffsets(c.lists[0][:0], c.offsets[:n])
	return c.ofValues(c.lists[0]), true
}

// same reports whether the current blocks may be compared bucket by bucket. They must have the same
// key and be of packed containers. It returns the first value of the blocks in each container, and
// the number of buckets up to the end of the container that ends first.
func same(c *view.Cursor, o *view.Cursor) (from, other, buckets uint64, ok bool) {
	if min(c.UndecodedMost(), o.UndecodedMost()) < sameFrom || c.It.LowWidth() != o.It.LowWidth() ||
		!eliasfano.FastSame() {
		return 0, 0, 0, false
	}
	from, other = c.Pos<<16-c.Base, o.Pos<<16-o.Base
	return from, other, min(c.Last-from, o.Last-other)>>c.It.LowWidth() + 1, true
}

// moveAfter moves both cursors to the last chunk of the buckets that were compared. Nothing that
// both might have is left in it.
func moveAfter(c *view.Cursor, o *view.Cursor, buckets uint64) {
	if buckets > 0 {
		c.Pos += (buckets - 1) << c.It.LowWidth() >> 16
	}
	o.Pos = c.Pos
}

// sameLen counts what the current blocks and the following ones in the same containers have in
// common. The blocks have the same key. Both cursors then stand at the last of these blocks, and
// must move. ok is false if they are not compared bucket by bucket.
func sameLen(c *view.Cursor, o *view.Cursor) (n int, ok bool) {
	from, other, buckets, ok := same(c, o)
	if !ok {
		return 0, false
	}
	n, passed, ok := eliasfano.SameAndLen(&c.It, &o.It, from, other, buckets)
	if ok {
		moveAfter(c, o, passed)
	}
	return n, ok
}

// andSame is sameLen that appends what both have in common.
func (c *result) andSame(a, b *view.Cursor) bool {
	from, other, buckets, ok := same(a, b)
	if !ok {
		return false
	}
	n, passed, ok := eliasfano.SameAnd(c.offsetsFor(min(a.It.Left(), b.It.Left())), &a.It, &b.It, from, other,
		buckets)
	if !ok {
		return false
	}
	for found := c.offsets[:n]; len(found) > 0; {
		last, k := found[0]|0xFFFF, len(found)
		if found[k-1] > last {
			for k = 1; found[k] <= last; k++ {
			}
		}
		c.appendOffsets((a.Base+uint64(last))>>16, found[:k])
		found = found[k:]
	}
	moveAfter(a, b, passed)
	return true
}

// appendOffsets appends the values of a chunk. Only the low 16 bits of offsets count.
func (c *result) appendOffsets(key uint64, offsets []uint32) {
	if len(offsets) > container.MaxArray {
		c.lists[0] = appendOffsets(c.lists[0][:0], offsets)
		c.appendBits(key, c.lists[0])
		return
	}
	lows := c.free(2 * len(offsets))
	sorted.OffsetsLows(lows, offsets)
	c.appendPayload(key, container.Array, len(offsets), len(lows))
}
