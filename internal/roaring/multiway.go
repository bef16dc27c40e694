// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// multiway is what an operation on many sets needs: a cursor for each, and one gather for all of
// them, as blocks are decoded one at a time.
type multiway struct {
	cursors []view.Cursor
	probers []pair.Prober
	heap    []headed
	order   []uint64 // ranks of sets: see rank
	ranks   chunkSorter
	g       accumulator
}

// headed is a cursor that has a block, and the key of that block: what the heap compares lies close
// together.
type headed struct {
	key uint64
	i   int
}

// keyRange is the range of container keys [lo, hi) that an operation works on.
type keyRange struct{ lo, hi uint64 }

// allKeys is the range of all container keys.
var allKeys = keyRange{0, container.MaxKey + 1}

var multiways = sync.Pool{New: func() any { return new(multiway) }}

// maxKeptCursors is the number of cursors up to which their memory is kept for the next operation.
const maxKeptCursors = 4096

// release gives the memory back, and lets go of the bytes of the sets.
func (c *multiway) release() {
	if cap(c.ranks.blocks)+cap(c.ranks.values)+cap(c.ranks.lows)/2 > 4*maxSorted {
		c.ranks = chunkSorter{}
	}
	if cap(c.cursors)+cap(c.probers) > maxKeptCursors {
		c.cursors, c.probers, c.heap, c.order = nil, nil, nil, nil
	}
	c.leave()
	multiways.Put(c)
}

// leave ends the work on the sets.
func (c *multiway) leave() {
	clear(c.cursors)
	clear(c.probers)
	c.cursors, c.probers, c.heap, c.order = c.cursors[:0], c.probers[:0], c.heap[:0], c.order[:0]
	c.ranks.reset()
	c.g.block = container.Block{}
}

// push adds a cursor for each set, and makes a heap by key (Williams 1964) of them.
func (c *multiway) push(views []view.View, keys keyRange) {
	for _, v := range views {
		c.cursors = append(c.cursors, v.Cursor(nil))
	}
	c.heapUp(keys)
}

// heapUp moves all cursors to the first block of the range. Cursors that have one form the heap.
func (c *multiway) heapUp(keys keyRange) {
	for i := range c.cursors {
		if x := &c.cursors[i]; enterRange(x, keys) {
			c.heap = append(c.heap, headed{x.Pos, i})
		}
	}
	for i := len(c.heap)/2 - 1; i >= 0; i-- {
		c.sift(i)
	}
}

// enterRange moves to the first block of a range. It returns false if there is none.
func enterRange(c *view.Cursor, keys keyRange) bool {
	if keys.lo == 0 {
		return c.Next() && c.Pos < keys.hi
	}
	return c.Seek(keys.lo) && c.Pos < keys.hi
}

// sift moves entry i of the heap down to its place.
func (c *multiway) sift(i int) {
	h := c.heap
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if right := least + 1; right < len(h) && h[right].key < h[least].key {
			least = right
		}
		if h[i].key <= h[least].key {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// step replaces the first entry of the heap after its cursor has moved; more says whether to a
// block.
func (c *multiway) step(more bool, keys keyRange) {
	if key := c.cursors[c.heap[0].i].Pos; more && key < keys.hi {
		c.heap[0].key = key
	} else {
		last := len(c.heap) - 1
		c.heap[0] = c.heap[last]
		c.heap = c.heap[:last]
	}
	c.sift(0)
}

// merge passes on the Or or Xor of all sets, chunk by chunk. Sets with packed containers, and very
// large ones, are merged by a heap of cursors, the others by sorting.
func (c *multiway) merge(op container.Op, to *sink, views []view.View, keys keyRange) {
	c.ranks.whole = len(views) >= crowded
	for i := range views {
		if !c.ranks.take(&views[i], keys) {
			c.cursors = append(c.cursors, views[i].Cursor(nil))
		}
	}
	c.ranks.sort()
	c.heapUp(keys)
	g := &c.g
	order, values := c.ranks.order, c.ranks.values
	for {
		key := nextKey(order, values)
		if len(c.heap) > 0 {
			key = min(key, c.heap[0].key)
		}
		if key > container.MaxKey {
			break
		}
		g.begin(op, key)
		n := group(order, key)
		c.ranks.addBlocks(g, order[:n])
		order = order[n:]
		n = group(values, key)
		c.ranks.addValues(g, values[:n])
		values = values[n:]
		for len(c.heap) > 0 && c.heap[0].key == key {
			x := &c.cursors[c.heap[0].i]
			if !g.isFull() {
				g.add(g.read(x))
			}
			c.step(x.Next(), keys)
		}
		g.end(to)
	}
}

// subtract passes on the values of a that none of the others has.
func (c *multiway) subtract(to *sink, a view.View, others []view.View, keys keyRange) {
	c.push(others, keys)
	g := &c.g
	x := a.Cursor(&g.decoded[0])
	for more := enterRange(&x, keys); more && x.Pos < keys.hi; more = x.Next() {
		g.begin(container.AndNot, x.Pos)
		g.block = x.Block()
		for len(c.heap) > 0 && c.heap[0].key <= x.Pos && !g.isEmpty() {
			y := &c.cursors[c.heap[0].i]
			switch {
			case y.Pos < x.Pos:
				c.step(y.Seek(x.Pos), keys)
			default:
				g.add(g.read(y))
				c.step(y.Next(), keys)
			}
		}
		g.end(to)
	}
}
