// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// chunkSorter is what the Or or Xor of many sets begins with: the containers of all of them, sorted
// by key, and the values of short lists and of tiny arrays, sorted by value. To sort them at once
// costs less than to keep a cursor for each set in a heap.
type chunkSorter struct {
	blocks []container.Block
	order  []uint64 // key ≪ 16 | index of the block, ascending
	values []uint64 // ascending
	spare  []uint64 // for sorting
	lows   []byte   // the values of one chunk
	whole  bool     // tiny arrays are taken whole, as there may be enough sets for crowded chunks
}

const (
	maxSorted = 1 << 16 // containers, and values, beyond which sets are left to cursors
	// The size up to which a container is taken value by value, except in crowded chunks, which
	// begin with a bitset.
	tinyArray = 8
	crowded   = 48 // sets that have a chunk, from which this is so
	// blocks of one chunk from which a bitset is begun with if they have more than manyEdges: to
	// pass over what grows takes longer
	manyBlocks = 12
	manyEdges  = 64 * edgeCost
)

// take adds the containers or values of v with keys in the range. It returns false, with nothing
// added, if v has packed containers, keys out of order, or too many of anything.
func (c *chunkSorter) take(v *view.View, keys keyRange) bool {
	blocks, values := len(c.blocks), len(c.values)
	if pair.Short(v) {
		if values+max(v.Values(), 1) > maxSorted {
			return false
		}
		c.takeShort(v, keys)
		return true
	}
	if v.Form() == view.FormList || v.Count() > maxSorted {
		return false
	}
	ok := c.takeContainers(v, keys)
	if !ok || len(c.blocks) > maxSorted || len(c.values) > maxSorted {
		c.blocks, c.values = c.blocks[:blocks], c.values[:values]
		return false
	}
	return true
}

// takeShort adds the values of a short set.
func (c *chunkSorter) takeShort(v *view.View, keys keyRange) {
	start := len(c.values)
	if v.Form() != view.FormList || keys == allKeys {
		c.values = pair.AppendShort(v, c.values)
	} else {
		c.values = appendFrom(v, c.values, keys)
	}
	kept := start
	for _, x := range c.values[start:] {
		if key := x >> 16; key >= keys.lo && key < keys.hi {
			c.values[kept] = x
			kept++
		}
	}
	c.values = c.values[:kept]
}

// appendFrom appends the values of a list that have keys in the range. If the bytes are invalid it
// appends any values.
func appendFrom(v *view.View, dst []uint64, keys keyRange) []uint64 {
	p := view.List(v)
	it, end := p.Iter(), v.Values()
	if keys.lo > 0 {
		it.Seek(keys.lo << 16)
	}
	if keys.hi <= container.MaxKey {
		end, _ = p.Find(keys.hi << 16)
	}
	n, most := len(dst), max(end-it.Index(), 0)
	dst = append(dst, make([]uint64, most)...)
	return dst[:n+it.Values(dst[n:], 0)]
}

// takeContainers adds the containers of a directory.
func (c *chunkSorter) takeContainers(v *view.View, keys keyRange) bool {
	first, ok := v.Gallop(0, keys.lo), false
	var t view.CompactDir
	if view.ReadCompactDir(v, &t) {
		ok = c.takeCompactDir(&t, first, keys)
	} else {
		ok = c.takeLoose(v, first, keys)
	}
	// A packed container before the range may reach into it.
	return ok && (first == 0 || v.KindAt(first-1) != container.Packed)
}

// takeCompactDir adds the containers of a tight directory from container i on. It returns false if
// one is packed or out of order.
func (c *chunkSorter) takeCompactDir(t *view.CompactDir, i int, keys keyRange) bool {
	next, start := uint64(0), t.Start(i)
	for ; i < t.Count; i++ {
		key, end := t.Key(i), t.End(i)
		if key >= keys.hi {
			break
		}
		if key < next || end&3 == container.Packed {
			return false
		}
		next = key + 1
		n := len(c.blocks)
		c.blocks = append(c.blocks, container.Block{})
		b := &c.blocks[n]
		if t.ReadBlock(b, i, key, start, end); c.small(b) {
			c.takeValues(b)
			c.blocks = c.blocks[:n]
		}
		start = end >> 2
	}
	return true
}

// takeLoose is takeCompactDir of any directory.
func (c *chunkSorter) takeLoose(v *view.View, i int, keys keyRange) bool {
	for next := uint64(0); i < v.Count(); i++ {
		key := v.KeyAt(i)
		if key >= keys.hi {
			break
		}
		if key < next || v.KindAt(i) == container.Packed {
			return false
		}
		next = key + 1
		c.takeBlock(v.BlockAt(i))
	}
	return true
}

// takeBlock adds a container, or its values if it is a tiny array.
func (c *chunkSorter) takeBlock(b container.Block) {
	if c.small(&b) {
		c.takeValues(&b)
	} else {
		c.blocks = append(c.blocks, b)
	}
}

// small reports whether the values of a block are taken by themselves.
func (c *chunkSorter) small(b *container.Block) bool {
	return !c.whole && b.Kind == container.Array && b.N <= tinyArray
}

// takeValues adds the values of an array.
func (c *chunkSorter) takeValues(b *container.Block) {
	for j := range len(b.Data) / 2 {
		c.values = append(c.values, b.Key<<16|uint64(array.Low(b.Data, j)))
	}
}

// sort sorts what has been taken.
func (c *chunkSorter) sort() {
	for i := range c.blocks {
		c.order = append(c.order, c.blocks[i].Key<<16|uint64(i))
	}
	c.order = c.sorted(c.order, 16) // indices ascend already
	if c.whole {
		c.resolve()
	}
	c.values = c.sorted(c.values, 0)
}

// resolve leaves tiny arrays whole if chunks are crowded. Else it sorts their values, and takes
// them out of the order.
func (c *chunkSorter) resolve() {
	chunks, key := 0, uint64(container.MaxKey+1)
	for _, x := range c.order {
		if x>>16 != key {
			key = x >> 16
			chunks++
		}
	}
	if len(c.order) >= crowded*chunks {
		return
	}
	kept := 0
	for _, x := range c.order {
		if b := &c.blocks[x&0xFFFF]; b.Kind == container.Array && b.N <= tinyArray {
			c.takeValues(b)
			continue
		}
		c.order[kept] = x
		kept++
	}
	c.order = c.order[:kept]
}

// sorted sorts x by its bits from the given one on, and returns it. It is a radix sort (Seward
// 1954) that skips digits equal in all numbers.
func (c *chunkSorter) sorted(x []uint64, from int) []uint64 {
	if len(x) < 64 {
		slices.Sort(x)
		return x
	}
	differ := uint64(0)
	for _, y := range x {
		differ |= y ^ x[0]
	}
	c.spare = slices.Grow(c.spare[:0], len(x))
	to := c.spare[:len(x)]
	for shift := from; shift < 64; shift += 8 {
		if differ>>shift&0xFF == 0 {
			continue
		}
		var at [256]int32
		for _, y := range x {
			at[uint8(y>>shift)]++
		}
		sum := int32(0)
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, y := range x {
			i := uint8(y >> shift)
			to[at[i]] = y
			at[i]++
		}
		x, to = to, x
	}
	c.spare = to
	return x
}

// reset lets go of the bytes of the sets.
func (c *chunkSorter) reset() {
	clear(c.blocks)
	c.blocks, c.order, c.values = c.blocks[:0], c.order[:0], c.values[:0]
}

// nextKey returns the smallest key of what is left, beyond all keys if nothing is.
func nextKey(order, values []uint64) uint64 {
	key := uint64(container.MaxKey + 1)
	if len(order) > 0 {
		key = order[0] >> 16
	}
	if len(values) > 0 {
		key = min(key, values[0]>>16)
	}
	return key
}

// group returns how many of the sorted numbers have the given high 48 bits.
func group(x []uint64, key uint64) (n int) {
	for n < len(x) && x[n]>>16 == key {
		n++
	}
	return n
}

// addBlocks adds blocks of one chunk, arrays last: the others may fill the chunk, and a full chunk
// takes no more.
func (c *chunkSorter) addBlocks(g *accumulator, order []uint64) {
	edges, limit := 0, accumulatorLimit/2
	if len(order) >= manyBlocks {
		limit = manyEdges
	}
	for i := 0; i < len(order) && len(order) > 2 && edges <= limit; i++ {
		edges += costOf(c.blocks[order[i]&0xFFFF])
	}
	if edges > limit {
		g.cost = accumulatorLimit // it will end in a bitset: begin with one
	}
	arrays := 0
	for _, x := range order {
		switch b := &c.blocks[x&0xFFFF]; {
		case b.Kind == container.Array:
			arrays++
		case b.Kind == container.Run && g.dense && g.op == container.Or:
			// As add does: the way there costs as much as some ten runs.
			bitset.FillRuns(&g.words, b.Data)
			g.close()
		case !g.isFull():
			g.add(*b)
			g.close()
		}
	}
	for i := 0; i < len(order) && arrays > 0; i++ {
		b := &c.blocks[order[i]&0xFFFF]
		if b.Kind != container.Array {
			continue
		}
		arrays--
		switch {
		case g.dense && g.op == container.Or:
			bitset.Scatter(&g.words, b.Data)
		case !g.isFull():
			g.add(*b)
		}
	}
}

// addValues adds values of one chunk, which ascend but may repeat.
func (c *chunkSorter) addValues(g *accumulator, values []uint64) {
	if g.isFull() {
		return
	}
	c.lows = slices.Grow(c.lows[:0], 2*len(values))
	n, lows := 0, c.lows[:2*len(values)]
	for i := 0; i < len(values); {
		same := i
		for i++; i < len(values) && values[i] == values[same]; i++ {
		}
		if g.op == container.Or || (i-same)&1 == 1 {
			binary.LittleEndian.PutUint16(lows[2*n:], uint16(values[same]))
			n++
		}
	}
	for lows = lows[:2*n]; len(lows) > 0; {
		some := lows[:min(len(lows), container.MaxPayload)]
		lows = lows[len(some):]
		g.add(container.ArrayBlock(g.key, some))
	}
}
