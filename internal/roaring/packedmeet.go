// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// meetingBlocks returns two blocks that have in common what the current blocks of the cursors,
// which have the same key, have in common. If a packed chunk meets a few values, the block for it
// is those of them that it has.
func meetingBlocks(a, b *Cursor) (x, y container.Block) {
	m, n := a.undecodedMost(), b.undecodedMost()
	switch {
	case m == 0 && n == 0:
	case m >= n:
		if y = b.Block(); y.Kind == container.Array && rather(a, y.Len()) {
			return among(a, y), y
		}
	default:
		if x = a.Block(); x.Kind == container.Array && rather(b, x.Len()) {
			return x, among(b, x)
		}
	}
	return a.Block(), b.Block()
}

// meetingLen returns how many values the current blocks of the cursors, which have the same key,
// have in common. The cursors must move before they are asked for their blocks.
//
// A packed chunk is decoded in parts that have room as an array, and these meet the other block, so
// that no bitset is made of a chunk that has many values: that would take most of the time.
func meetingLen(a, b *Cursor) int {
	if a.undecodedMost() < b.undecodedMost() {
		a, b = b, a
	}
	if a.undecodedMost() == 0 {
		x, y := a.Block(), b.Block()
		return x.AndLen(y)
	}
	if n, ok := sameLen(a, b); ok {
		return n
	}
	switch y := smaller(b); {
	case y.IsEmpty():
		return 0
	case y.Kind == container.Bitset:
		return lookUpBits(a, y.Words())
	case y.Kind == container.Array && rather(a, y.Len()):
		return among(a, y).Len()
	case y.Kind == container.Array:
		return meetArray(a, y.Data)
	default:
		x := a.Block()
		return x.AndLen(y)
	}
}

// smaller is Block where the cursor is not asked again: of a packed chunk of few values it does not
// find out first how many these are.
func smaller(c *Cursor) container.Block {
	if c.undecodedMost() == 0 {
		return c.Block()
	}
	begin := c.it
	if lows := lows(c); len(lows) < 2*container.MaxArray {
		return container.ArrayBlock(c.key, lows)
	}
	c.it = begin // there may be more
	return c.Block()
}

// lows decodes the next values of the current block, which is packed: maxArray of them or, if they
// are less, all that are left.
func lows(c *Cursor) []byte {
	c.borrow()
	lows := c.s.Buf[0][:2*container.MaxArray]
	return lows[:2*c.it.Lows(lows, c.key-c.base>>16)]
}

// lookUpBits returns how many values of the current block, which is packed, are ones of words.
func lookUpBits(c *Cursor, words *kernel.Words) (n int) {
	if c.it.FitBits() {
		return c.it.InBits(words[:], c.key<<16-c.base)
	}
	for {
		lows := lows(c)
		n += kernel.ArrayBitsetAndLen(lows, words)
		if len(lows) < 2*container.MaxArray {
			return n
		}
	}
}

// meetArray returns how many values of the current block, which is packed, an array has.
func meetArray(c *Cursor, array []byte) int {
	if inArray(c, array) {
		return c.it.InArray(array, c.key<<16-c.base)
	}
	if scatters(c, array) {
		var words kernel.Words // on the stack, which is nearer than the Scratch
		kernel.Scatter(&words, array)
		return lookUpBits(c, &words)
	}
	lows := lows(c)
	n := kernel.ArrayAndLen(lows, array)
	if len(lows) < 2*container.MaxArray {
		return n
	}
	return n + lookUpBits(c, scatter(c, array))
}

// bitsFrom is the number of values of an array, and of a packed chunk, from which setting the bits
// of the one, to look up those of the other as they are decoded, costs less than comparing two
// arrays.
const bitsFrom = 256

// inArray reports whether the values of the current block, which is packed, are better compared
// with those of an array as they are decoded: whether the array has one for four buckets at least.
func inArray(c *Cursor, array []byte) bool {
	return c.it.FitArray() && manyInArray(len(array)/2, c.it.LowWidth()) && c.undecodedMost() >= bitsFrom
}

// manyInArray reports whether an array of so many values has one for four buckets of packed values
// of a low width.
func manyInArray(n int, low uint) bool { return n<<low >= container.ChunkValues/4 }

// scatters reports whether the current block, which is packed, is better looked up in the bits of
// an array.
func scatters(c *Cursor, array []byte) bool {
	return len(array) >= 2*bitsFrom && c.it.FitBits() && c.undecodedMost() >= bitsFrom
}

// scatter returns the bits of an array, as long as the cursor does not move.
func scatter(c *Cursor, array []byte) *kernel.Words {
	c.borrow()
	words := &c.s.Buf[1]
	clear(words[:])
	kernel.Scatter(words, array)
	return words
}

// rather reports whether a few values had rather be looked up in the current block, one by one,
// than this be decoded.
func rather(c *Cursor, few int) bool {
	from := few * kernel.ProbeRatio()
	return from <= c.undecodedMost() && from <= c.undecodedLen()
}

// among returns the values of an array that the current block, which is packed, has. The cursor
// does not move.
func among(c *Cursor, few container.Block) container.Block {
	c.borrow()
	it, base, n := c.it, c.key<<16-c.base, 0
	dst := &c.s.Buf[0]
	for i := range few.Len() {
		low := kernel.Low(few.Data, i)
		d := base + uint64(low)
		if !it.Seek(d) {
			break
		}
		if got, _ := it.Peek(); got == d {
			binary.LittleEndian.PutUint16(dst[2*n:], low)
			n++
		}
	}
	return container.ArrayBlock(c.key, dst[:2*n])
}
