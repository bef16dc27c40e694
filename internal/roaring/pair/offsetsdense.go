// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// The values of a list are looked up as offsets, whatever chunks they are in, in a set that is
// bitsets of consecutive chunks, such as an audience.

// inDense intersects a list and a dense set. It appends the values to dst, unless that is nil, and
// returns their number. ok is false unless they are a list of offsets and a dense set, and vectors
// do this.
func inDense(dst *[]uint64, list, in *view.View) (n int, ok bool) {
	if list.Form() != view.FormList || list.ListLen() < denseFrom || in.Form() != view.FormCompact ||
		!sorted.FastOffsets() ||
		!fitOffsets(list) {
		return 0, false
	}
	bits, base := denseSpan(in)
	switch {
	case bits == nil:
		return 0, false
	case base >= 1<<32:
		return 0, true
	}
	bits = bits[:min(uint64(len(bits)), (1<<32-base)/8)]
	var it eliasfano.Iter
	view.IterList(list, &it)
	if list.ListLen() <= fewOffsets {
		var piece [fewOffsets]uint32
		return keptOffsets(dst, piece[:], &it, bits, uint32(base)), true
	}
	o := offsetsPool.Get().(*offsets)
	n = keptOffsets(dst, o[0][:], &it, bits, uint32(base))
	offsetsPool.Put(o)
	return n, true
}

// keptOffsets is inDense of what a list has left, piece by piece.
func keptOffsets(dst *[]uint64, piece []uint32, it *eliasfano.Iter, bits []byte, base uint32) (n int) {
	for k := it.Offsets(piece); k > 0; k = it.Offsets(piece) {
		k = sorted.KeepOffsets(piece[:k], bits, base)
		n += k
		if dst != nil {
			*dst = appendOffsets(*dst, piece[:k])
		}
	}
	return n
}

// listByOffsets returns how many values a list and another set have in common. ok is false if
// neither is a list, or if other ways are faster than offsets.
func listByOffsets(a, b *view.View) (n int, ok bool) {
	switch {
	case a.Form() == view.FormList:
	case b.Form() == view.FormList:
		a, b = b, a
	default:
		return 0, false
	}
	if n, ok = listInArraysLen(a, b); ok {
		return n, true
	}
	if a.ListLen() < arraysFrom {
		return 0, false
	}
	if n, ok = inDense(nil, a, b); ok {
		return n, true
	}
	if byOffsets(a, b) && !inArrays(a, b) {
		return offsetsAndLen(a, b), true
	}
	return 0, false
}

// inArrays reports whether a list and a directory of arrays are better not compared as offsets.
// Dense lists and arrays are better compared array by array. With hardly a value for each array,
// the arrays are better asked for each.
func inArrays(list, in *view.View) bool {
	if list.ListLen() <= in.Count()+in.Count()/4 {
		return true
	}
	var it eliasfano.Iter
	view.IterList(list, &it)
	return it.FitArray() && manyInArray(offsetsOf(in)/in.Count(), it.LowWidth())
}

// andListByOffsets is listByOffsets that returns what both have in common.
func (c *result) andListByOffsets(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	switch {
	case a.Form() == view.FormList:
	case b.Form() == view.FormList:
		a, b = b, a
	default:
		return nil, false
	}
	if m, ok = c.andListInArrays(a, b); ok {
		return m, true
	}
	if a.ListLen() < arraysFrom {
		return nil, false
	}
	c.lists[0] = c.lists[0][:0]
	if _, ok = inDense(&c.lists[0], a, b); ok {
		return c.ofValues(c.lists[0]), true
	}
	if byOffsets(a, b) && !inArrays(a, b) {
		return c.andOffsets(a, b), true
	}
	return nil, false
}
