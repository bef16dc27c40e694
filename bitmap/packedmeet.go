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
	m, n := a.undecoded(), b.undecoded()
	switch {
	case m == 0 && n == 0:
	case m >= n:
		if y = b.Block(); y.kind == kindArray && y.Len()*kernel.ProbeRatio() <= m {
			return a.among(y), y
		}
	default:
		if x = a.Block(); x.kind == kindArray && x.Len()*kernel.ProbeRatio() <= n {
			return x, b.among(x)
		}
	}
	return a.Block(), b.Block()
}

// undecoded returns the number of values of the current block if it is packed and has not been decoded, else 0.
func (c *Cursor) undecoded() int {
	if !c.packed || c.decoded {
		return 0
	}
	return c.it.ChunkLen(c.key - c.base>>16)
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
