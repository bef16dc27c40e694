// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
)

// Cursor walks the blocks of a [View] in ascending order of key, and skips.
//
// It borrows the bytes of the View and its Scratch. Next and Seek look at keys alone, unless a
// container is packed; Block decodes such a container chunk by chunk, each value at most once on
// the way from its first to its last. Nothing is allocated if a Scratch was given. A container that
// breaks the rules of the format may be shown as an empty block. Not for concurrent use.
type Cursor struct {
	V       View
	S       *container.Scratch
	It      eliasfano.Iter  // packed: before the first value of the chunk key, or after its last once decoded
	Base    uint64          // packed: value 0 of the block
	Last    uint64          // packed: largest distance from base that counts
	Pos     uint64          // of the current block
	I       int             // current container; -1 before the first, count after the last
	Current container.Block // the current block, if decoded

	ChunkLen int // packed: values of the current chunk; 0: not counted yet
	Decoded  bool
	Packed   bool // the current container is packed
	lent     bool // s came from the pool
}

// Cursor returns a cursor before the first block. Packed containers are decoded into s, which
// serves this cursor alone as long as its blocks are used. If s is nil, the cursor allocates a
// Scratch at the first packed container that is decoded.
func (v View) Cursor(s *container.Scratch) Cursor {
	return Cursor{V: v, S: s, I: -1}
}

// Key returns the key of the current block: the high 48 bits of its values. It is meaningful after
// a Next or Seek that returned true.
func (c *Cursor) Key() uint64 { return c.Pos }

// BlockLen returns the cardinality of the current block. A packed block is decoded for it.
func (c *Cursor) BlockLen() int {
	b := c.Block()
	return b.Len()
}

// Undecoded returns a bound on how many values Block has to decode for the current block. It is 0
// unless the container is packed, and once the block was decoded. If it is not 0, looking a few
// values up in the View takes less. It is meaningful after a Next or Seek that returned true.
func (c *Cursor) Undecoded() int { return c.UndecodedMost() }

// Next moves to the next block that is not empty. It returns false if there is none.
func (c *Cursor) Next() bool {
	if c.I >= 0 && (c.I >= c.V.Count() || c.Pos == container.MaxKey) {
		c.I, c.Packed, c.Decoded = c.V.Count(), false, false
		return false
	}
	if c.Packed {
		return c.advance(c.Pos + 1)
	}
	target := c.Pos + 1
	if c.I < 0 {
		target = 0
	}
	// The next container, in a set that is in order.
	c.Decoded = false
	for c.I++; c.I < c.V.Count(); c.I++ {
		if key := c.V.KeyAt(c.I); key >= target && c.enter(key, key) {
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
	case c.I >= c.V.Count():
		return false
	case c.I >= 0 && key <= c.Pos:
		return true
	case key > container.MaxKey:
		c.I, c.Packed, c.Decoded = c.V.Count(), false, false
		return false
	}
	return c.advance(key)
}

// advance moves to the first block with a key ≥ target, which is larger than the current key.
func (c *Cursor) advance(target uint64) bool {
	c.Decoded = false
	if c.Packed {
		if c.It.Seek((target<<16)-c.Base) && c.chunk(target) {
			return true
		}
		c.Packed = false
	}
	// The first container whose key is not less, and the one before it, which may reach up to
	// target if it is packed.
	i := c.V.Gallop(c.I+1, target)
	if before := i - 1; before > c.I && c.V.KindAt(before) == container.Packed {
		c.I = before
		if c.enter(c.V.KeyAt(before), target) {
			return true
		}
	}
	for c.I = i; c.I < c.V.Count(); c.I++ {
		if key := c.V.KeyAt(c.I); key >= target && c.enter(key, key) {
			return true
		}
	}
	return false
}

// enter makes container i, whose key is given, the current one, at its first chunk from target on.
// It returns false if nothing is there.
func (c *Cursor) enter(key, target uint64) bool {
	c.Packed = false
	if c.V.KindAt(c.I) != container.Packed {
		c.Pos = key
		return true
	}
	e := c.V.EntryAt(c.I)
	last, ok := c.V.bound(c.I, key)
	switch {
	case e.Data == nil || !ok:
		return false
	case e.Kind != container.Packed:
		// It has been decoded, and has no chunk but that of its key.
		if target > key {
			return false
		}
		c.Pos, c.Current, c.Decoded = key, e.block(), true
		return true
	}
	c.Base, c.Last = key<<16, last
	e.Iter(&c.It)
	if target > key && !c.It.Seek((target-key)<<16) {
		return false
	}
	c.Packed = c.chunk(target)
	return c.Packed
}

// chunk takes the chunk of the next packed value as the current one. It returns false at the end,
// or if the value lies before target or beyond the container's bound.
func (c *Cursor) chunk(target uint64) bool {
	d, ok := c.It.Peek()
	if !ok || d > c.Last {
		return false
	}
	key := (c.Base + d) >> 16
	if key < target {
		return false // values out of order
	}
	c.Pos, c.ChunkLen = key, 0
	return true
}

// Block returns the current block. It is valid until the next call of Next or Seek, and as long as
// the bytes of the View are unchanged. It may be called after a Next or Seek that returned true.
func (c *Cursor) Block() container.Block {
	if c.Decoded {
		return c.Current
	}
	if c.I < 0 || c.I >= c.V.Count() {
		return container.Block{}
	}
	if !c.Packed {
		return c.V.BlockAt(c.I) // as soon made as kept
	}
	c.Current = c.decode()
	c.Decoded = true
	return c.Current
}

// decode decodes the current chunk of a packed container.
func (c *Cursor) decode() container.Block {
	c.Borrow()
	chunk := c.Pos - c.Base>>16
	if c.UndecodedMost() > container.MaxArray && c.UndecodedLen() > container.MaxArray {
		return container.BitsetBlock(c.Pos, &c.S.Buf[0], min(c.It.Words(c.S.Buf[0][:], chunk), container.ChunkValues))
	}
	return container.ArrayBlock(c.Pos, c.S.Buf[0][:2*c.It.Lows(c.S.Buf[0][:], chunk)])
}

// Borrow makes sure that there is a Scratch.
func (c *Cursor) Borrow() {
	if c.S == nil {
		c.S, c.lent = Scratches.Get().(*container.Scratch), true
	}
}

// Scratches lends to operations on whole sets, which meet packed containers without having been
// given a Scratch.
var Scratches = sync.Pool{New: func() any { return new(container.Scratch) }}

// Release gives a borrowed Scratch back; the cursor's last block is no longer valid.
func (c *Cursor) Release() {
	if c.lent {
		Scratches.Put(c.S)
		c.S, c.lent = nil, false
	}
}

// MeetCursors moves both cursors to the next key that both have.
func MeetCursors(a, b *Cursor) bool {
	if !a.Next() {
		return false
	}
	for {
		if !b.Seek(a.Pos) {
			return false
		}
		if a.Pos == b.Pos {
			return true
		}
		if !a.Seek(b.Pos) {
			return false
		}
		if a.Pos == b.Pos {
			return true
		}
	}
}

// UndecodedMost bounds the number of values of the current block if it is packed and not yet
// decoded. Else it returns 0. It costs nothing.
func (c *Cursor) UndecodedMost() int {
	if !c.Packed || c.Decoded {
		return 0
	}
	return c.It.Left()
}

// UndecodedLen returns the number of values of the current block if it is packed and not yet
// decoded. Else it returns 0.
func (c *Cursor) UndecodedLen() int {
	if !c.Packed || c.Decoded {
		return 0
	}
	if c.ChunkLen == 0 {
		c.ChunkLen = c.It.ChunkLen(c.Pos - c.Base>>16)
	}
	return c.ChunkLen
}
