// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"sync"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

// Two lists of about the same length are decoded as offsets of 32 bits and compared as a whole, whatever chunks their values are in, where vectors do both.

// offsetPiece is the number of values of a list that are decoded at a time.
const offsetPiece = 2048

// offsetsFrom is the number of values of the longer list from which it pays.
const offsetsFrom = 48

// fewOffsets is the number of values up to which memory on the stack, which is cleared each time, costs less than borrowing it.
const fewOffsets = 128

// offsets are pieces of two lists, and what they have in common.
type offsets [3][offsetPiece]uint32

var offsetsPool = sync.Pool{New: func() any { return new(offsets) }}

// byOffsets reports whether two lists are compared by offsets.
func byOffsets(a, b *View) bool {
	if !kernel.FastOffsets() || max(a.soloLen(), b.soloLen()) < offsetsFrom || !near(a, b) {
		return false
	}
	p, q := a.solo(), b.solo()
	return p.FitOffsets() && q.FitOffsets()
}

// offsetsAndLen returns how many values two lists have in common, for which byOffsets holds.
func offsetsAndLen(a, b *View) (n int) {
	f, g := a.solo().Iter(), b.solo().Iter()
	if max(f.Left(), g.Left()) <= fewOffsets {
		var p, q [fewOffsets]uint32
		n, _, _ = kernel.OffsetsAndLen(p[:f.Offsets(p[:])], q[:g.Offsets(q[:])])
		return n
	}
	o := offsetsPool.Get().(*offsets)
	n = o.meet(&f, &g, nil)
	offsetsPool.Put(o)
	return n
}

// meet counts the values that two lists have in common, and appends them to dst, if that is not nil.
func (o *offsets) meet(f, g *kernel.PackedIter, dst *[]uint64) (n int) {
	xs, ys := o[0][:f.Offsets(o[0][:])], o[1][:g.Offsets(o[1][:])]
	for len(xs) > 0 && len(ys) > 0 {
		var k, i, j int
		if dst == nil {
			k, i, j = kernel.OffsetsAndLen(xs, ys)
		} else {
			k, i, j = kernel.OffsetsAnd(o[2][:], xs, ys)
			for _, x := range o[2][:k] {
				*dst = append(*dst, uint64(x))
			}
		}
		n, xs, ys = n+k, xs[i:], ys[j:]
		if len(xs) == 0 {
			xs = o[0][:f.Offsets(o[0][:])]
		}
		if len(ys) == 0 {
			ys = o[1][:g.Offsets(o[1][:])]
		}
	}
	return n
}

// andOffsets returns the values that two lists have in common, for which byOffsets holds.
func (c *composition) andOffsets(a, b *View) *Bitmap {
	f, g := a.solo().Iter(), b.solo().Iter()
	o := offsetsPool.Get().(*offsets)
	c.lists[0] = c.lists[0][:0]
	o.meet(&f, &g, &c.lists[0])
	offsetsPool.Put(o)
	return c.ofValues(c.lists[0])
}
