// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// combine returns the result of an operation on two sets. ok is false if they need cursors: if
// containers are packed, too many, or out of order.
func (c *result) combine(op container.Op, a, b *view.View) (m *mutable.Bitmap, ok bool) {
	if m, ok = c.ofArrays(op, a, b); ok {
		return m, true
	}
	if op == container.And {
		if maybePacked(a) || maybePacked(b) {
			if m, ok = c.andDenseBits(a, b); ok {
				return m, true
			}
		}
		if m, ok = c.andListByOffsets(a, b); ok {
			return m, true
		}
	}
	aShort, bShort := Short(a), Short(b)
	switch {
	case aShort && bShort:
		return c.short(op, a, b), true
	case aShort && (op == container.And || op == container.AndNot):
		return c.probe(a, b, op == container.And), true
	case bShort && op == container.And:
		return c.probe(b, a, true), true
	}
	if op == container.And {
		var x, y view.CompactDir
		if view.ReadCompactDir(a, &x) && view.ReadCompactDir(b, &y) {
			if !c.andCompactDir(&x, &y) {
				c.andWalk(a, b)
			}
			return c.Bitmap(), true
		}
	}
	if op == container.AndNot && max(b.Count(), b.Values()) > 16*a.Count() {
		return nil, false // a cursor skips what is between
	}
	if a.Form() == view.FormList { // it is cut into blocks last: in vain if the other one cannot be unfolded
		if c.b, ok = c.unfold(c.b, b); ok {
			c.a, ok = c.unfold(c.a, a)
		}
	} else if c.a, ok = c.unfold(c.a, a); ok {
		c.b, ok = c.unfold(c.b, b)
	}
	switch {
	case !ok && op == container.And:
		c.andWalk(a, b)
		return c.Bitmap(), true
	case !ok:
		return nil, false
	}
	switch op {
	case container.And:
		c.andBlocks(c.a, c.b)
	case container.AndNot:
		c.andNotBlocks(c.a, c.b)
	default:
		c.mergeBlocks(op, c.a, c.b)
	}
	return c.Bitmap(), true
}

// Few returns the values that two sets have in common, if it finds them at once. They are valid
// until the next operation. ok is false if there are more than some dozens, or if these sets need a
// full operation.
func (c *result) Few(a, b *view.View) (values []uint64, ok bool) {
	if a.Form() == view.FormList && b.Form() == view.FormList && near(a, b) {
		values = slices.Grow(c.lists[2][:0], eliasfano.MaxAnd)[:eliasfano.MaxAnd]
		c.lists[2] = values
		n, ok := common(values, a, b)
		return values[:n], ok
	}
	var x, y view.CompactDir
	if !view.ReadCompactDir(a, &x) || !view.ReadCompactDir(b, &y) || !c.andCompactDir(&x, &y) ||
		c.values > eliasfano.MaxAnd {
		return nil, false
	}
	return c.collect(), true
}

// short combines two short sets, value by value.
func (c *result) short(op container.Op, a, b *view.View) *mutable.Bitmap {
	if op == container.And && (a.Values()/8 > b.Values() || b.Values()/8 > a.Values()) {
		if driver, probed, ok := drive(a, b); ok {
			return c.probe(driver, probed, true)
		}
	}
	c.lists[0] = AppendShort(a, c.lists[0][:0])
	c.lists[1] = AppendShort(b, c.lists[1][:0])
	room := len(c.lists[0]) + len(c.lists[1])
	c.lists[2] = mergeValues(op, slices.Grow(c.lists[2][:0], room)[:room], c.lists[0], c.lists[1])
	return c.ofValues(c.lists[2])
}

// probe returns the values of a short set that are, or are not, in the other set.
func (c *result) probe(list, in *view.View, want bool) *mutable.Bitmap {
	if want {
		c.lists[0] = slices.Grow(c.lists[0][:0], list.Values())[:list.Values()]
		if n, ok := inFewChunks(c.lists[0], list, in); ok {
			return c.ofValues(c.lists[0][:n])
		}
	}
	values := AppendShort(list, c.lists[0][:0])
	c.lists[0] = values
	var t view.CompactDir
	if want && view.ReadCompactDir(in, &t) && len(values) <= t.Count+t.Count/4 {
		if n, _, ok := t.KeepAll(values, 0); ok {
			return c.ofValues(values[:n])
		}
		values = AppendShort(list, c.lists[0][:0])
	}
	var p Prober
	p.Open(in)
	kept := 0
	if want {
		least, most := bounds(in)
		values = clip(values, least, most)
		return c.ofValues(values[:p.Keep(values)])
	}
	for _, x := range values {
		values[kept] = x
		if !p.has(x) {
			kept++
		}
	}
	return c.ofValues(values[:kept])
}

// andCompactDir intersects two tight directories. It returns false if a packed container is in the
// way, or keys are out of order.
func (c *result) andCompactDir(a, b *view.CompactDir) bool {
	c.Begin()
	i, j, next := 0, 0, uint64(0)
	for i < a.Count && j < b.Count && !a.PackedBefore && !b.PackedBefore {
		x, y := a.Key(i), b.Key(j)
		switch {
		case x < y:
			i = a.Seek(i+1, y)
		case y < x:
			j = b.Seek(j+1, x)
		case a.PackedAt(i) || b.PackedAt(j) || x < next:
			return false
		default:
			var p, q container.Block
			a.ReadBlock(&p, i, x, a.Start(i), a.End(i))
			b.ReadBlock(&q, j, y, b.Start(j), b.End(j))
			c.and(&p, &q)
			i++
			j++
			next = x + 1
		}
	}
	return !a.PackedBefore && !b.PackedBefore
}

// andWalk intersects two sets by cursors, which decode packed containers.
func (c *result) andWalk(a, b *view.View) {
	c.Begin()
	if c.andStride(a, b) {
		return
	}
	x, y := a.Cursor(nil), b.Cursor(nil)
	for view.MeetCursors(&x, &y) {
		c.andMeeting(&x, &y)
	}
	x.Release()
	y.Release()
}

// andBlocks intersects the blocks that have the same key.
func (c *result) andBlocks(a, b []container.Block) {
	c.Begin()
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0].Key, b[0].Key; {
		case x < y:
			a = a[1:]
		case y < x:
			b = b[1:]
		default:
			c.and(&a[0], &b[0])
			a, b = a[1:], b[1:]
		}
	}
}

// andNotBlocks takes from each block of a the values of the block of b that has the same key.
func (c *result) andNotBlocks(a, b []container.Block) {
	c.Begin()
	for i := range a {
		for len(b) > 0 && b[0].Key < a[i].Key {
			b = b[1:]
		}
		if len(b) > 0 && b[0].Key == a[i].Key {
			c.andNot(a[i], b[0])
		} else {
			c.Put(a[i])
		}
	}
}

// mergeBlocks combines, by Or or Xor, the blocks that have the same key, and copies the others.
func (c *result) mergeBlocks(op container.Op, a, b []container.Block) {
	c.Begin()
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0].Key, b[0].Key; {
		case x < y:
			c.Put(a[0])
			a = a[1:]
		case y < x:
			c.Put(b[0])
			b = b[1:]
		default:
			if op == container.Or {
				c.or(a[0], b[0])
			} else {
				c.xor(a[0], b[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	for _, x := range a {
		c.Put(x)
	}
	for _, x := range b {
		c.Put(x)
	}
}

// or appends the union of two blocks.
func (c *result) or(a, b container.Block) {
	if a.N == 0 || b.N == 0 {
		c.Put(a)
		c.Put(b)
		return
	}
	key := a.Key
	if a.Kind > b.Kind {
		a, b = b, a
	}
	if a.Kind == container.Array && b.Kind == container.Array && len(a.Data)+len(b.Data) <= container.MaxPayload {
		n := array.Or(c.free(len(a.Data)+len(b.Data)), a.Data, b.Data)
		c.appendPayload(key, container.Array, n, 2*n)
		return
	}
	// A union with a bitset is a bitset: it is computed in place once the result is laid out.
	hasBitset := a.Kind == container.Bitset || b.Kind == container.Bitset
	if hasBitset && c.tryLazy(container.Or, a, b, int(max(a.N, b.N))) {
		return
	}
	c.copy(c.s.Or(a, b))
}

// andNot appends the values of a that b has not.
func (c *result) andNot(a, b container.Block) {
	if a.N == 0 || b.N == 0 {
		c.Put(a)
		return
	}
	switch container.Pair(a.Kind, b.Kind) {
	case container.ArrayArray:
		n := array.AndNot(c.free(len(a.Data)), a.Data, b.Data)
		c.appendPayload(a.Key, container.Array, n, 2*n)
	case container.ArrayBitset:
		n := array.BitsetAndNot(c.free(len(a.Data)), a.Data, b.Words())
		c.appendPayload(a.Key, container.Array, n, 2*n)
	case container.ArrayRun:
		n := run.ArrayAndNot(c.free(len(a.Data)), a.Data, b.Data)
		c.appendPayload(a.Key, container.Array, n, 2*n)
	case container.BitsetArray, container.BitsetBitset, container.BitsetRun:
		if n := int(a.N - b.N); n > container.MaxArray && c.tryLazy(container.AndNot, a, b, n) ||
			c.tryLazy(container.AndNot, a, b, a.AndNotLen(b)) {
			return
		}
		c.copy(c.s.AndNot(a, b))
	default:
		c.copy(c.s.AndNot(a, b))
	}
}

// xor appends the values that only one of two blocks has.
func (c *result) xor(a, b container.Block) {
	if a.Kind == container.Array && b.Kind == container.Array && len(a.Data)+len(b.Data) <= container.MaxPayload {
		n := array.Xor(c.free(len(a.Data)+len(b.Data)), a.Data, b.Data)
		c.appendPayload(a.Key, container.Array, n, 2*n)
		return
	}
	if a.Kind == container.Bitset || b.Kind == container.Bitset {
		if n := int(max(a.N-b.N, b.N-a.N)); n > container.MaxArray && c.tryLazy(container.Xor, a, b, n) ||
			c.tryLazy(container.Xor, a, b, a.XorLen(b)) {
			return
		}
	}
	c.copy(c.s.Xor(a, b))
}
