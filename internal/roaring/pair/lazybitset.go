// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// lazyBitset is a container of a result that will be a bitset, whatever values the operands have in
// common: it is computed when the result is laid out, where it stands there, and copied nowhere.
type lazyBitset struct {
	op   container.Op
	at   int             // which container of the result
	a, b container.Block // not empty, and one of them a bitset; of a symmetric operation, a is it
}

// tryLazy defers combining a bitset with another block if the result is sure to be a bitset. n is
// the least number of values of the result. tryLazy returns false, with nothing done, if the result
// may be something else: with a full chunk, operations other than And may give runs, or nothing.
func (c *result) tryLazy(op container.Op, a, b container.Block, n int) bool {
	if n <= container.MaxArray || b.N == container.ChunkValues && op != container.And {
		return false
	}
	if a.Kind != container.Bitset {
		if op == container.AndNot || b.Kind != container.Bitset {
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
			room := c.free(container.MaxPayload)
			c.parts[1+i], c.pieces[late[0].at].n = room, int32(late[0].write((*bitset.Words)(room)))
			c.buf = c.buf[:len(c.buf)+container.MaxPayload]
			late = late[1:]
		}
	}
}

// write computes the container and returns its number of values.
func (p *lazyBitset) write(dst *bitset.Words) (n int) {
	a, b := p.a.Words(), p.b.Data
	if p.b.Kind == container.Bitset {
		switch b := p.b.Words(); p.op {
		case container.And:
			return bitset.And(dst, a, b)
		case container.Or:
			return bitset.Or(dst, a, b)
		case container.Xor:
			return bitset.Xor(dst, a, b)
		default:
			return bitset.AndNot(dst, a, b)
		}
	}
	if p.op == container.And {
		return run.BitsetAnd(dst, b, a)
	}
	*dst = *a
	switch array := p.b.Kind == container.Array; {
	case p.op == container.Or && array:
		bitset.Scatter(dst, b)
	case p.op == container.Or:
		bitset.FillRuns(dst, b)
	case p.op == container.Xor && array:
		bitset.Invert(dst, b)
	case p.op == container.Xor:
		run.Flip(dst, b)
	case array:
		bitset.Erase(dst, b)
	default:
		run.Clear(dst, b)
	}
	return bitset.Len(dst)
}
