// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// Cursor walks the blocks of a [View] in ascending order of key, and skips.
//
// It borrows the bytes of the View and its Scratch. Next and Seek look at keys alone, unless a
// container is packed; Block decodes such a container chunk by chunk, each value at most once on
// the way from its first to its last. Nothing is allocated if a Scratch was given. A container that
// breaks the rules of the format may be shown as an empty block. Not for concurrent use.
type Cursor struct {
	v     View
	s     *container.Scratch
	it    kernel.PackedIter // packed: before the first value of the chunk key, or after its last once decoded
	base  uint64            // packed: value 0 of the block
	last  uint64            // packed: largest distance from base that counts
	key   uint64            // of the current block
	i     int               // current container; -1 before the first, count after the last
	block container.Block   // the current block, if decoded

	chunkLen int // packed: values of the current chunk; 0: not counted yet
	decoded  bool
	packed   bool // the current container is packed
	lent     bool // s came from the pool
}

// Cursor returns a cursor before the first block. Packed containers are decoded into s, which
// serves this cursor alone as long as its blocks are used. If s is nil, the cursor allocates a
// Scratch at the first packed container that is decoded.
func (v View) Cursor(s *container.Scratch) Cursor {
	return Cursor{v: v, s: s, i: -1}
}

// Key returns the key of the current block: the high 48 bits of its values. It is meaningful after
// a Next or Seek that returned true.
func (c *Cursor) Key() uint64 { return c.key }

// BlockLen returns the cardinality of the current block. A packed block is decoded for it.
func (c *Cursor) BlockLen() int {
	b := c.Block()
	return b.Len()
}

// Undecoded returns a bound on how many values Block has to decode for the current block, because
// its container is packed: to look a few up in the View then takes less. It is 0 for other kinds,
// and once the block was decoded. It is meaningful after a Next or Seek that returned true.
func (c *Cursor) Undecoded() int { return c.undecodedMost() }

// Next moves to the next block that is not empty. It returns false if there is none.
func (c *Cursor) Next() bool {
	if c.i >= 0 && (c.i >= c.v.count() || c.key == container.MaxKey) {
		c.i, c.packed, c.decoded = c.v.count(), false, false
		return false
	}
	if c.packed {
		return c.advance(c.key + 1)
	}
	target := c.key + 1
	if c.i < 0 {
		target = 0
	}
	// The next container, in a set that is in order.
	c.decoded = false
	for c.i++; c.i < c.v.count(); c.i++ {
		if key := c.v.keyAt(c.i); key >= target && c.enter(key, key) {
			return true
		}
	}
	return false
}

// Seek moves to the first block that is not empty and whose key is at least the given one. It never
// moves back: if the current block has that key or a larger one, it stays. It returns false if
// there is no such block. The cost is logarithmic in the number of containers skipped.
func (c *Cursor) Seek(key uint64) bool {
	switch {
	case c.i >= c.v.count():
		return false
	case c.i >= 0 && key <= c.key:
		return true
	case key > container.MaxKey:
		c.i, c.packed, c.decoded = c.v.count(), false, false
		return false
	}
	return c.advance(key)
}

// advance moves to the first block with a key ≥ target, which is larger than the current key.
func (c *Cursor) advance(target uint64) bool {
	c.decoded = false
	if c.packed {
		if c.it.Seek((target<<16)-c.base) && c.chunk(target) {
			return true
		}
		c.packed = false
	}
	// The first container whose key is not less, and the one before it, which may reach up to
	// target if it is packed.
	i := c.v.gallop(c.i+1, target)
	if before := i - 1; before > c.i && c.v.kindAt(before) == container.Packed {
		c.i = before
		if c.enter(c.v.keyAt(before), target) {
			return true
		}
	}
	for c.i = i; c.i < c.v.count(); c.i++ {
		if key := c.v.keyAt(c.i); key >= target && c.enter(key, key) {
			return true
		}
	}
	return false
}

// enter makes container i, whose key is given, the current one, at its first chunk from target on.
// It returns false if nothing is there.
func (c *Cursor) enter(key, target uint64) bool {
	c.packed = false
	if c.v.kindAt(c.i) != container.Packed {
		c.key = key
		return true
	}
	e := c.v.entryAt(c.i)
	last, ok := c.v.bound(c.i, key)
	if e.data == nil || !ok {
		return false
	}
	c.base, c.last = key<<16, last
	e.iter(&c.it)
	if target > key && !c.it.Seek((target-key)<<16) {
		return false
	}
	c.packed = c.chunk(target)
	return c.packed
}

// chunk takes the chunk of the next packed value as the current one. It returns false at the end,
// or if the value lies before target or beyond the container's bound.
func (c *Cursor) chunk(target uint64) bool {
	d, ok := c.it.Peek()
	if !ok || d > c.last {
		return false
	}
	key := (c.base + d) >> 16
	if key < target {
		return false // values out of order
	}
	c.key, c.chunkLen = key, 0
	return true
}

// Block returns the current block. It is valid until the next call of Next or Seek, and as long as
// the bytes of the View are unchanged. It may be called after a Next or Seek that returned true.
func (c *Cursor) Block() container.Block {
	if c.decoded {
		return c.block
	}
	if c.i < 0 || c.i >= c.v.count() {
		return container.Block{}
	}
	if !c.packed {
		return c.v.blockAt(c.i) // as soon made as kept
	}
	c.block = c.decode()
	c.decoded = true
	return c.block
}

// decode decodes the current chunk of a packed container.
func (c *Cursor) decode() container.Block {
	c.borrow()
	chunk := c.key - c.base>>16
	if c.undecodedMost() > container.MaxArray && c.undecodedLen() > container.MaxArray {
		return container.BitsetBlock(c.key, &c.s.Buf[0], min(c.it.Words(c.s.Buf[0][:], chunk), container.ChunkValues))
	}
	return container.ArrayBlock(c.key, c.s.Buf[0][:2*c.it.Lows(c.s.Buf[0][:], chunk)])
}

// borrow makes sure that there is a Scratch.
func (c *Cursor) borrow() {
	if c.s == nil {
		c.s, c.lent = scratches.Get().(*container.Scratch), true
	}
}

// scratches lends to operations on whole sets, which meet packed containers without having been
// given a Scratch.
var scratches = sync.Pool{New: func() any { return new(container.Scratch) }}

// Release gives a borrowed Scratch back; the cursor's last block is no longer valid.
func (c *Cursor) Release() {
	if c.lent {
		scratches.Put(c.s)
		c.s, c.lent = nil, false
	}
}

// MeetCursors moves both cursors to the next key that both have.
func MeetCursors(a, b *Cursor) bool {
	if !a.Next() {
		return false
	}
	for {
		if !b.Seek(a.key) {
			return false
		}
		if a.key == b.key {
			return true
		}
		if !a.Seek(b.key) {
			return false
		}
		if a.key == b.key {
			return true
		}
	}
}

// undecodedMost returns a number that the values of the current block do not exceed if it is packed
// and has not been decoded, else 0. It costs nothing.
func (c *Cursor) undecodedMost() int {
	if !c.packed || c.decoded {
		return 0
	}
	return c.it.Left()
}

// undecodedLen returns the number of values of the current block if it is packed and has not been
// decoded, else 0.
func (c *Cursor) undecodedLen() int {
	if !c.packed || c.decoded {
		return 0
	}
	if c.chunkLen == 0 {
		c.chunkLen = c.it.ChunkLen(c.key - c.base>>16)
	}
	return c.chunkLen
}
