// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	// Or, AndNot and Xor change up to fewValues values where they lie, whatever the size of the
	// set.
	fewValues = 64
	// They do so, too, up to one value for each fewBytes bytes of the set: writing it anew would
	// cost more than changing its containers.
	fewBytes = 128
)

// Few returns a copy of the values of v. ok is false if they are too many to be changed where they
// lie.
func (b *Bitmap) Few(v view.View) (values []uint64, ok bool) {
	n := v.Len()
	if n > b.Len()/4 || n > uint64(len(b.buf)/fewBytes) && (n > fewValues || !b.writable) {
		return nil, false
	}
	return v.AppendTo(make([]uint64, 0, n)), true
}

// Combine makes the set the result of an operation with v, container by container where they lie.
// It returns false, and leaves the set as it is, if to lay the result out anew takes less.
func (b *Bitmap) Combine(op container.Op, v view.View) bool {
	b.edits++
	if !mayCombine(b, op, &v) {
		return false
	}
	combineOwn(b, op, v)
	return true
}

// Replace makes the set that of a builder whose containers are valid, in the memory that it has.
func (b *Bitmap) Replace(m *pack.Builder) {
	buildOver(m, b, pack.AsTheyAre)
	b.noteMoved(uint64(len(b.buf)))
}

// manyDropped limits how many times v's containers a set may have for And in place. Beyond it
// laying the result out anew is faster than dropping containers one by one: it takes the time of v
// alone.
const manyDropped = 8

// mayCombine reports whether containers are combined with v where they lie. v must not be a View of
// b then: what it reads would change meanwhile.
func mayCombine(b *Bitmap, op container.Op, v *view.View) bool {
	switch {
	case !b.writable || b.count == 0 || len(v.Raw()) == 0 || &v.Raw()[0] == &b.body()[0]:
		return false
	case op == container.And:
		return b.count <= manyDropped*v.Count()
	case op == container.AndNot:
		return v.Len() <= b.Len()
	}
	return v.Len() <= b.Len()/4 // more would make most containers grow
}

// combining is a rewriting that combines containers, where they lie, with the blocks of another
// set.
//
// Those blocks need not be valid: whatever they are, what is written is, as a Builder has looked at
// it or its values have been counted.
type combining struct {
	*rewriting
	op    container.Op
	other view.Cursor
	more  bool   // other is at a block that has not been combined
	last  uint64 // the largest key that a block may have
}

// combineOwn makes b the result of an operation with v. b is writable; v lies elsewhere and is not
// empty.
func combineOwn(b *Bitmap, op container.Op, v view.View) {
	from, to := 0, b.count
	first, ok := v.Min()
	last, _ := v.Max()
	if !ok || last < first {
		return // bytes that are not valid
	}
	if op != container.And {
		from, to = b.search(first>>16), b.search(last>>16)+1
		if from < 0 || from < to && b.kindAt(from) != container.Packed && b.keyAt(from) < first>>16 {
			from++
		}
		to = max(from, to)
	}
	c := combining{rewriting: startRewrite(b, from, to), op: op, other: v.Cursor(nil), last: last >> 16}
	c.more = c.other.Seek(first>>16) && c.other.Pos <= c.last
	for i := from; i < to; i++ {
		c.container(i)
	}
	c.alone(container.MaxKey + 1)
	c.other.Release()
	c.close()
}

// reach moves the other set to its first block from key on. It reports whether that block has the
// key.
func (c *combining) reach(key uint64) bool {
	c.alone(key)
	return c.more && c.other.Pos == key
}

// alone combines the blocks of the other set before key, which no container has. In And and AndNot
// there is nothing to do but to skip them.
func (c *combining) alone(key uint64) {
	if c.op == container.And || c.op == container.AndNot {
		c.more = c.more && c.other.Seek(key) && c.other.Pos <= c.last
		return
	}
	for c.more && c.other.Pos < key {
		c.block(-1, c.other.Block())
		c.pass()
	}
}

// pass leaves the block of the other set, which has been combined.
func (c *combining) pass() { c.more = c.other.Next() && c.other.Pos <= c.last }

// container combines container i, which has been reached.
func (c *combining) container(i int) {
	b := c.b
	if b.kindAt(i) == container.Packed {
		c.packed(i)
		return
	}
	key := b.keyAt(i)
	switch {
	case !c.reach(key) && c.op == container.And:
		c.drop(i)
	case !c.more || c.other.Pos != key:
		c.leave(i)
	default:
		if b.kindAt(i) != container.Bitset || !c.words(i) {
			c.chunkOf(i)
		}
		c.pass()
	}
}

// chunkOf combines container i, which is not packed, with the block of the other set.
func (c *combining) chunkOf(i int) {
	old := c.b.blockAt(i)
	if block := c.result(old); c.op != container.Xor && block.Len() == old.Len() {
		c.leave(i)
	} else {
		c.block(i, block)
	}
}

// result combines a block with that of the other set.
func (c *combining) result(block container.Block) container.Block {
	return c.scratch.Combine(c.op, block, c.other.Block())
}

// words combines the bitset i with the block of the other set in its own words. It does nothing,
// and returns false, if that is runs, or an array that bounds the result.
func (c *combining) words(i int) bool {
	c.flush()
	words, other := (*bitset.Words)(payload(c.b, i)), c.other.Block()
	array := other.Kind == container.Array
	switch {
	case other.Kind == container.Run || array && c.op == container.And || other.N == 0:
		return false
	case array && c.op == container.Or:
		bitset.SetArray(words, other.Data)
	case array && c.op == container.AndNot:
		bitset.ClearArray(words, other.Data)
	case array:
		bitset.FlipArray(words, other.Data)
	case c.op == container.And:
		bitset.And(words, words, other.Words())
	case c.op == container.Or:
		bitset.Or(words, words, other.Words())
	case c.op == container.AndNot:
		bitset.AndNot(words, words, other.Words())
	default:
		bitset.Xor(words, words, other.Words())
	}
	c.bitset(i, bitset.Len(words))
	return true
}

// packed combines the packed container i, chunk by chunk.
func (c *combining) packed(i int) {
	e := c.b.entryAt(i)
	last := e.Last()
	c.alone(e.Key)
	if !c.more || c.other.Pos > e.Key+last>>16 {
		if c.op == container.And {
			c.drop(i)
		} else {
			c.leave(i)
		}
		return
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.decode(&e)
	c.drop(i)
	for values := w.values; len(values) > 0; {
		key := values[0] >> 16
		n := before(values, key+1)
		chunk := values[:n]
		values = values[n:]
		switch {
		case c.reach(key):
			c.block(-1, c.result(c.blockOf(chunk)))
			c.pass()
		case c.op != container.And:
			c.chunk(chunk)
		}
	}
}
