// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

// meetingBlocks returns two blocks that have in common what the current blocks of the cursors, which have the same key, have in common. If a packed chunk
// meets a few values, the block for it is those of them that it has.
func meetingBlocks(a, b *Cursor) (x, y Block) {
	m, n := a.undecodedMost(), b.undecodedMost()
	switch {
	case m == 0 && n == 0:
	case m >= n:
		if y = b.Block(); a.rather(y) {
			return a.among(y), y
		}
	default:
		if x = a.Block(); b.rather(x) {
			return x, b.among(x)
		}
	}
	return a.Block(), b.Block()
}

// meetingLen returns how many values the current blocks of the cursors, which have the same key, have in common. The cursors must move before they are asked for their
// blocks.
//
// Of a packed chunk with so many values that it would be decoded into a bitset, which takes most of the time, the values are looked up as they are decoded, in words of the
// other block.
func meetingLen(a, b *Cursor) int {
	if a.undecodedMost() < b.undecodedMost() {
		a, b = b, a
	}
	if a.undecodedMost() <= maxArray || a.undecodedLen() <= maxArray {
		x, y := meetingBlocks(a, b)
		return x.AndLen(y)
	}
	y := b.Block()
	switch {
	case a.rather(y):
		return a.among(y).Len()
	case y.kind == kindArray:
		a.borrow()
		words := &a.s.buf[0]
		clear(words[:])
		kernel.Scatter(words, y.data)
		return a.it.WordsAndLen(words, a.key-a.base>>16)
	case y.kind == kindBitset && !y.IsEmpty():
		return a.it.WordsAndLen(y.words(), a.key-a.base>>16)
	}
	x := a.Block()
	return x.AndLen(y)
}

// undecodedMost returns a number that the values of the current block do not exceed if it is packed and has not been decoded, else 0. It costs nothing.
func (c *Cursor) undecodedMost() int {
	if !c.packed || c.decoded {
		return 0
	}
	return c.it.Left()
}

// undecodedLen returns the number of values of the current block if it is packed and has not been decoded, else 0.
func (c *Cursor) undecodedLen() int {
	if !c.packed || c.decoded {
		return 0
	}
	if c.chunkLen == 0 {
		c.chunkLen = c.it.ChunkLen(c.key - c.base>>16)
	}
	return c.chunkLen
}

// rather reports whether the values of a block had rather be looked up in the current block, one by one, than this be decoded.
func (c *Cursor) rather(few Block) bool {
	if few.kind != kindArray {
		return false
	}
	from := few.Len() * kernel.ProbeRatio()
	return from <= c.undecodedMost() && from <= c.undecodedLen()
}

// among returns the values of an array that the current block, which is packed, has. The cursor does not move.
func (c *Cursor) among(few Block) Block {
	c.borrow()
	it, base, n := c.it, c.key<<16-c.base, 0
	dst := &c.s.buf[0]
	for i := range few.Len() {
		low := kernel.Low(few.data, i)
		d := base + uint64(low)
		if !it.Seek(d) {
			break
		}
		if got, _ := it.Peek(); got == d {
			binary.LittleEndian.PutUint16(dst[2*n:], low)
			n++
		}
	}
	return arrayBlock(c.key, dst[:2*n])
}
