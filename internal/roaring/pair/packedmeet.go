// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// meetingBlocks returns blocks that share what the current blocks of the cursors share. Both have
// the same key. If a packed chunk meets a few values, its block holds only the ones it has of them.
func meetingBlocks(a, b *view.Cursor) (x, y container.Block) {
	m, n := a.UndecodedMost(), b.UndecodedMost()
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
func meetingLen(a, b *view.Cursor) int {
	if a.UndecodedMost() < b.UndecodedMost() {
		a, b = b, a
	}
	if a.UndecodedMost() == 0 {
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
func smaller(c *view.Cursor) container.Block {
	if c.UndecodedMost() == 0 {
		return c.Block()
	}
	begin := c.It
	if lows := lows(c); len(lows) < 2*container.MaxArray {
		return container.ArrayBlock(c.Pos, lows)
	}
	c.It = begin // there may be more
	return c.Block()
}

// lows decodes the next values of the current block, which is packed: MaxArray of them or, if they
// are less, all that are left.
func lows(c *view.Cursor) []byte {
	c.Borrow()
	lows := c.S.Buf[0][:2*container.MaxArray]
	return lows[:2*c.It.Lows(lows, c.Pos-c.Base>>16)]
}

// lookUpBits returns how many values of the current block, which is packed, are ones of words.
func lookUpBits(c *view.Cursor, words *bitset.Words) (n int) {
	if c.It.FitBits() {
		return c.It.InBits(words[:], c.Pos<<16-c.Base)
	}
	for {
		lows := lows(c)
		n += array.BitsetAndLen(lows, words)
		if len(lows) < 2*container.MaxArray {
			return n
		}
	}
}

// meetArray returns how many values of the current block, which is packed, an array has.
func meetArray(c *view.Cursor, other []byte) int {
	if inArray(c, other) {
		return c.It.InArray(other, c.Pos<<16-c.Base)
	}
	if scatters(c, other) {
		var words bitset.Words // on the stack, which is nearer than the Scratch
		bitset.Scatter(&words, other)
		return lookUpBits(c, &words)
	}
	lows := lows(c)
	n := array.AndLen(lows, other)
	if len(lows) < 2*container.MaxArray {
		return n
	}
	return n + lookUpBits(c, scatter(c, other))
}

// bitsFrom is the number of values from which looking values up in bits beats comparing arrays. It
// holds for an array, whose bits are set, and for a packed chunk, looked up in them as it is
// decoded.
const bitsFrom = 256

// inArray reports whether the current packed block is better compared with an array while decoding.
// The array must have a value for four buckets at least.
func inArray(c *view.Cursor, array []byte) bool {
	return c.It.FitArray() && manyInArray(len(array)/2, c.It.LowWidth()) && c.UndecodedMost() >= bitsFrom
}

// scatters reports whether the current block, which is packed, is better looked up in the bits of
// an array.
func scatters(c *view.Cursor, array []byte) bool {
	return len(array) >= 2*bitsFrom && c.It.FitBits() && c.UndecodedMost() >= bitsFrom
}

// scatter returns the bits of an array, as long as the cursor does not move.
func scatter(c *view.Cursor, array []byte) *bitset.Words {
	c.Borrow()
	words := &c.S.Buf[1]
	clear(words[:])
	bitset.Scatter(words, array)
	return words
}

// rather reports whether looking few values up in the current block is better than decoding it.
func rather(c *view.Cursor, few int) bool {
	from := few * eliasfano.ProbeRatio()
	return from <= c.UndecodedMost() && from <= c.UndecodedLen()
}

// among returns the values of an array that the current block, which is packed, has. The cursor
// does not move.
func among(c *view.Cursor, few container.Block) container.Block {
	c.Borrow()
	it, base, n := c.It, c.Pos<<16-c.Base, 0
	dst := &c.S.Buf[0]
	for i := range few.Len() {
		low := array.Low(few.Data, i)
		d := base + uint64(low)
		if !it.Seek(d) {
			break
		}
		if got, _ := it.Peek(); got == d {
			binary.LittleEndian.PutUint16(dst[2*n:], low)
			n++
		}
	}
	return container.ArrayBlock(c.Pos, dst[:2*n])
}
