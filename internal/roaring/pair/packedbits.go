// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// A packed chunk of many values meets a bitset, or a large array, whose bits are set for it: its
// values are looked up as they are decoded.

// andBits appends what the current blocks of two cursors have in common. The blocks have the same
// key. It returns false if they are not of these kinds.
func (c *result) andBits(a, b *view.Cursor) bool {
	if a.UndecodedMost() < b.UndecodedMost() {
		a, b = b, a
	}
	if a.UndecodedMost() < bitsFrom || b.UndecodedMost() > 0 {
		return false
	}
	y := b.Block()
	if y.Kind == container.Array && inArray(a, y.Data) {
		lows := c.free(len(y.Data) + eliasfano.BitsRoom)
		c.appendLows(a.Pos, lows[:2*a.It.LowsInArray(lows, y.Data, a.Pos<<16-a.Base)])
		return true
	}
	if !a.It.FitBits() {
		return false
	}
	var words *bitset.Words
	switch {
	case y.Kind == container.Bitset:
		words = y.Words()
	case y.Kind == container.Array && scatters(a, y.Data) && !rather(a, y.Len()):
		words = scatter(a, y.Data)
	default:
		return false
	}
	lows := c.free(2*a.UndecodedMost() + eliasfano.BitsRoom)
	c.appendLows(a.Pos, lows[:2*a.It.LowsInBits(lows, words, a.Pos<<16-a.Base)])
	return true
}

// denseBits is a dense set in which packed values are looked up as they are decoded. The packed set
// is a list or a directory of packed containers, whatever chunks they are in.
type denseBits struct {
	in   []byte          // the bits of the dense set
	base uint64          // the first of them
	t    view.CompactDir // the directory, if the packed set is one
}

// newDenseBits prepares combining a packed set with a dense one, in either order. It returns the
// packed one, too. ok is false if the sets are of other kinds, or vectors do not do this.
func newDenseBits(a, b *view.View) (f denseBits, packed *view.View, ok bool) {
	if !maybePacked(a) {
		if !maybePacked(b) {
			return f, nil, false
		}
		a, b = b, a
	}
	if !eliasfano.FastSame() {
		return f, nil, false
	}
	if f.in, f.base = denseSpan(b); f.in == nil {
		return f, nil, false
	}
	if a.Form() == view.FormList {
		it := view.List(a).Iter()
		return f, a, it.FitBits()
	}
	ok = view.ReadCompactDir(a, &f.t)
	return f, a, ok && allOf(&f.t, container.Packed)
}

// maybePacked reports whether a set is a long list or a directory that begins with a packed
// container. It is asked of all sets, and costs next to nothing.
func maybePacked(v *view.View) bool {
	switch v.Form() {
	case view.FormList:
		return v.ListLen() >= bitsFrom
	case view.FormCompact:
		return v.Raw()[view.Payloads(v)-v.Count()*int(v.Ow())]&3 == container.Packed
	}
	return false
}

// iter makes it, in place, an iterator of container i of the packed set. It stands at the first
// value that may be in the dense set. iter returns the distance of that value's chunk, the bits
// from there on, and the first value of the container. ok is false if values are not looked up as
// they are decoded.
func (f *denseBits) iter(it *eliasfano.Iter, v *view.View, i int) (from uint64, bits []byte, base uint64, ok bool) {
	last := uint64(math.MaxUint64)
	if v.Form() == view.FormList {
		view.IterList(v, it)
	} else {
		key := f.t.Key(i)
		base, last = key<<16, ^(key << 16)
		if i+1 < f.t.Count {
			next := f.t.Key(i + 1)
			if next <= key {
				return 0, nil, 0, false
			}
			last = (next-key)<<16 - 1
		}
		_, data := f.t.Payload(i)
		p, ok := f.t.Packed(i, data)
		if !ok {
			return 0, nil, 0, false
		}
		it.Reset(&p)
	}
	if !it.FitBits() {
		return 0, nil, 0, false
	}
	bits = f.in
	if base < f.base {
		from = f.base - base
		it.Seek(from)
	} else {
		bits = bits[min(uint64(len(bits)), (base-f.base)/8):]
	}
	if from > last {
		return from, nil, base, true
	}
	return from, bits[:min(uint64(len(bits)), (last-from)/8+1)], base, true
}

// inDenseBits returns how many values a packed set and a dense one have in common. ok is false if
// they are of other kinds, or some container is not looked up in bits.
func inDenseBits(a, b *view.View) (n int, ok bool) {
	f, v, ok := newDenseBits(a, b)
	if !ok {
		return 0, false
	}
	var it eliasfano.Iter
	for i := range v.Count() {
		from, bits, _, ok := f.iter(&it, v, i)
		if !ok {
			return 0, false
		}
		n += it.InBits(bits, from)
	}
	return n, true
}

// andDenseBits is inDenseBits that returns what both have in common.
func (c *result) andDenseBits(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	f, v, ok := newDenseBits(a, b)
	if !ok {
		return nil, false
	}
	c.Begin()
	var it eliasfano.Iter
	for i := range v.Count() {
		from, bits, base, ok := f.iter(&it, v, i)
		if !ok {
			return nil, false
		}
		for d, more := it.Peek(); more && (d-from)/8 < uint64(len(bits)); d, more = it.Peek() {
			chunk := d &^ 0xFFFF
			words, at := bits[(chunk-from)/8:], it.Index()
			lows := c.free(2*it.Left() + eliasfano.BitsRoom)
			c.appendLows((base+chunk)>>16, lows[:2*it.LowsInBits(lows, (*bitset.Words)(words), chunk)])
			if it.Index() == at {
				break // not valid
			}
		}
	}
	return c.Bitmap(), true
}

// appendLows appends the values of a chunk, which stand at the begin of the room.
func (c *result) appendLows(key uint64, lows []byte) {
	if len(lows) <= container.MaxPayload {
		c.appendPayload(key, container.Array, len(lows)/2, len(lows))
		return
	}
	words := &c.s.Buf[0]
	clear(words[:])
	bitset.Scatter(words, lows)
	c.appendPayload(key, container.Bitset, bitset.Len(words), copy(c.free(container.MaxPayload), words[:]))
}

// andMeeting appends what the current blocks of two cursors, which have the same key, have in
// common.
func (c *result) andMeeting(x, y *view.Cursor) {
	if c.andSame(x, y) || c.andBits(x, y) {
		return
	}
	p, q := meetingBlocks(x, y)
	if p.Kind != container.Array && x.Packed || q.Kind != container.Array && y.Packed {
		c.copy(c.s.And(p, q)) // a bitset that is here until the cursor moves is no part of the result
	} else {
		c.and(&p, &q)
	}
}

// and appends the intersection of two blocks.
func (c *result) and(a, b *container.Block) {
	if a.N == 0 || b.N == 0 {
		return
	}
	key := a.Key
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch container.Pair(a.Kind, b.Kind) {
	case container.ArrayArray:
		n := array.And(c.free(min(len(a.Data), len(b.Data))), a.Data, b.Data)
		c.appendPayload(key, container.Array, n, 2*n)
	case container.ArrayBitset:
		n := array.BitsetAnd(c.free(len(a.Data)), a.Data, b.Words())
		c.appendPayload(key, container.Array, n, 2*n)
	case container.ArrayRun:
		n := run.ArrayAnd(c.free(len(a.Data)), a.Data, b.Data)
		c.appendPayload(key, container.Array, n, 2*n)
	case container.BitsetBitset:
		n := bitset.AndLen(a.Words(), b.Words())
		if n > 0 && !c.tryLazy(container.And, *a, *b, n) {
			words := &c.s.Buf[0]
			bitset.And(words, a.Words(), b.Words())
			c.appendPayload(key, container.Array, bitset.ToArray(c.free(2*n), words), 2*n)
		}
	case container.BitsetRun:
		n := run.BitsetAndLen(b.Data, a.Words())
		switch {
		case b.N == container.ChunkValues:
			c.Put(*a)
		case !c.tryLazy(container.And, *a, *b, n):
			n = run.BitsetToArray(c.free(2*n), b.Data, a.Words())
			c.appendPayload(key, container.Array, n, 2*n)
		}
	default:
		c.copy(c.s.And(*a, *b))
	}
}
