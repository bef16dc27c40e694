// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// lazyBitset is a container of a result that will be a bitset, whatever values the operands have in
// common: it is computed when the result is laid out, where it stands there, and copied nowhere.
type lazyBitset struct {
	op   kernel.Op
	at   int             // which container of the result
	a, b container.Block // not empty, and one of them a bitset; of a symmetric operation, a is it
}

// tryLazy makes a deferred container of a bitset and another block if the result has so many
// values, n at least, that it is a bitset; it returns false, with nothing done, if it may be
// something else: with all values of a chunk, other operations than And may make runs, or nothing.
func (c *result) tryLazy(op kernel.Op, a, b container.Block, n int) bool {
	if n <= container.MaxArray || b.N == container.ChunkValues && op != kernel.And {
		return false
	}
	if a.Kind != container.Bitset {
		if op == kernel.AndNot || b.Kind != container.Bitset {
			return false
		}
		a, b = b, a
	}
	c.lazy = append(c.lazy, lazyBitset{op, len(c.pieces), a, b})
	c.parts = append(c.parts, nil)
	c.pieces = append(c.pieces, piece{key: a.Key, kind: container.Bitset, size: container.MaxPayload})
	c.size += container.MaxPayload
	c.values += uint64(n)
	return true
}

// fillLazy computes what is deferred now.
func (c *result) fillLazy() {
	late := c.lazy
	for i, part := range c.parts[1:] {
		if part == nil {
			room := c.room(container.MaxPayload)
			c.parts[1+i], c.pieces[late[0].at].n = room, int32(late[0].write((*kernel.Words)(room)))
			c.buf = c.buf[:len(c.buf)+container.MaxPayload]
			late = late[1:]
		}
	}
}

// write computes the container and returns its number of values.
func (p *lazyBitset) write(dst *kernel.Words) (n int) {
	a, b := p.a.Words(), p.b.Data
	if p.b.Kind == container.Bitset {
		switch b := p.b.Words(); p.op {
		case kernel.And:
			return kernel.BitsetAnd(dst, a, b)
		case kernel.Or:
			return kernel.BitsetOr(dst, a, b)
		case kernel.Xor:
			return kernel.BitsetXor(dst, a, b)
		default:
			return kernel.BitsetAndNot(dst, a, b)
		}
	}
	if p.op == kernel.And {
		return kernel.RunBitsetAnd(dst, b, a)
	}
	*dst = *a
	switch array := p.b.Kind == container.Array; {
	case p.op == kernel.Or && array:
		kernel.Scatter(dst, b)
	case p.op == kernel.Or:
		kernel.FillRuns(dst, b)
	case p.op == kernel.Xor && array:
		kernel.Invert(dst, b)
	case p.op == kernel.Xor:
		kernel.FlipRuns(dst, b)
	case array:
		kernel.Erase(dst, b)
	default:
		kernel.ClearRuns(dst, b)
	}
	return kernel.BitsetLen(dst)
}
