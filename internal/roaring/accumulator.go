// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// accumulator combines the blocks that many sets have of one chunk.
//
// The first few are combined pairwise, in their kinds. When that has cost as much as a bitset
// would, the rest changes a bitset, whose ones are counted once, at the end.
type accumulator struct {
	s       container.Scratch
	decoded [2]container.Scratch // packed operands are decoded into the one that block does not live in
	words   bitset.Words
	block   container.Block // the result so far, unless dense
	cost    int             // of combining pairwise so far
	op      container.Op
	key     uint64
	dense   bool // the result so far is words
	full    int  // of the words, as many bytes are known to be all ones
}

const (
	accumulatorLimit = 8192 // cost from which a bitset is cheaper
	bitsetCost       = 4096 // cost of combining with a bitset
	edgeCost         = 8    // cost of a value or run
)

// begin begins the chunk of the given key with no values.
func (g *accumulator) begin(op container.Op, key uint64) {
	g.op, g.key, g.block, g.cost, g.dense, g.full = op, key, container.Block{Key: key}, 0, false, 0
}

// read returns the current block of a cursor. It stays valid until the next call, or for as long as
// it is the result so far.
func (g *accumulator) read(c *view.Cursor) container.Block {
	c.S = &g.decoded[0]
	if c.S.Holds(g.block) {
		c.S = &g.decoded[1]
	}
	return c.Block()
}

// add combines the result so far with the next block, by Or, Xor or AndNot.
func (g *accumulator) add(next container.Block) {
	switch {
	case next.IsEmpty():
	case g.dense:
		g.change(next)
	case g.block.IsEmpty():
		if g.op != container.AndNot {
			g.block = container.WithKey(next, g.key)
		}
	default:
		if g.cost += costOf(g.block) + costOf(next); g.cost > accumulatorLimit {
			g.spread()
			g.change(next)
			return
		}
		g.block = g.s.Combine(g.op, g.block, next)
	}
}

// isFull reports whether nothing can change any more: whether the result so far is the whole chunk,
// as far as that can be told without counting, and values are only added.
func (g *accumulator) isFull() bool {
	return g.op == container.Or && !g.dense && g.block.Len() == container.ChunkValues
}

// wholeChunk is one run.
var wholeChunk = []byte{0, 0, 0xFF, 0xFF}

// close makes one run of words that are all ones: the chunk is full then.
func (g *accumulator) close() {
	if !g.dense || g.op != container.Or {
		return
	}
	if g.full = bitset.Full(&g.words, g.full); g.full == len(g.words) {
		g.dense, g.block = false, container.RunBlock(g.key, wholeChunk, container.ChunkValues)
	}
}

// isEmpty reports whether the result so far has no values, as far as that can be told without
// counting.
func (g *accumulator) isEmpty() bool { return !g.dense && g.block.IsEmpty() }

// costOf is the cost of combining a block with another one.
func costOf(b container.Block) int {
	if b.Kind == container.Bitset {
		return bitsetCost
	}
	return edgeCost * container.EdgeCount(b)
}

// spread makes words of the result so far.
func (g *accumulator) spread() {
	g.dense = true
	if g.block.Kind == container.Bitset {
		g.words = *g.block.Words()
		return
	}
	clear(g.words[:])
	if g.block.Kind == container.Array {
		bitset.Scatter(&g.words, g.block.Data)
	} else {
		bitset.FillRuns(&g.words, g.block.Data)
	}
}

// change combines words with the next block.
func (g *accumulator) change(next container.Block) {
	switch {
	case g.op == container.Or && next.Kind == container.Array:
		bitset.Scatter(&g.words, next.Data)
	case g.op == container.Or && next.Kind == container.Bitset:
		bitset.OrInto(&g.words, next.Words())
	case g.op == container.Or:
		bitset.FillRuns(&g.words, next.Data)
	case g.op == container.Xor && next.Kind == container.Array:
		bitset.Invert(&g.words, next.Data)
	case g.op == container.Xor && next.Kind == container.Bitset:
		bitset.XorInto(&g.words, next.Words())
	case g.op == container.Xor:
		run.Flip(&g.words, next.Data)
	case next.Kind == container.Array:
		bitset.Erase(&g.words, next.Data)
	case next.Kind == container.Bitset:
		bitset.AndNotInto(&g.words, next.Words())
	default:
		run.Clear(&g.words, next.Data)
	}
}

// end passes the result on.
func (g *accumulator) end(to *sink) {
	switch {
	case !g.dense:
		to.block(g.block)
	case to.m == nil:
		to.n += uint64(bitset.Len(&g.words))
	default:
		to.block(container.OfWords(g.key, &g.words, bitset.Len(&g.words), &g.s.Buf[0]))
	}
}
