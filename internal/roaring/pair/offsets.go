// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// A list is compared with another one of about the same length, or with as many values in arrays,
// as offsets of 32 bits, whatever chunks these are in, where vectors decode and compare offsets.

const (
	offsetsFrom  = sorted.OffsetsFrom
	arraysFrom   = 16   // values of a list beside other sets from which it pays
	offsetsTimes = 12   // as many times as long may one set be
	offsetsPiece = 2048 // values of a set at a time
	fewLows      = 3    // values of an array that cost less one by one
	// values up to which memory on the stack, which is cleared each time, costs less than borrowing
	// it
	fewOffsets = 128
)

// offsets are pieces of two sets, and what they have in common.
type offsets [3][offsetsPiece]uint32

var offsetsPool = sync.Pool{New: func() any { return new(offsets) }}

// offsetFeed reads a set as offsets: a list, or a directory of arrays.
type offsetFeed struct {
	it   eliasfano.Iter
	lows []byte // what is left of the current array
	base uint32 // of it
	t    view.CompactDir
	i    int // the container behind it
}

// byOffsets reports whether two sets are compared as offsets, because other ways are not faster.
func byOffsets(a, b *view.View) bool {
	if !sorted.FastOffsets() {
		return false
	}
	n, m, from := offsetsOf(a), offsetsOf(b), offsetsFrom
	if a.Form() != b.Form() {
		from = arraysFrom
	}
	return max(n, m) >= from && max(n, m)/offsetsTimes <= min(n, m) && fitOffsets(a) && fitOffsets(b)
}

// offsetsOf returns about how many values a list or a directory has. A directory is taken to be of
// arrays. Of other sets it returns 0.
func offsetsOf(v *view.View) int {
	switch v.Form() {
	case view.FormList:
		return v.ListLen()
	case view.FormCompact:
		return (len(v.Raw()) - view.Payloads(v)) / 2
	}
	return 0
}

// fitOffsets reports whether v is a list of values below 2^32 or a directory of arrays.
func fitOffsets(v *view.View) bool {
	if v.Form() == view.FormList {
		var p eliasfano.Packed
		view.ReadList(v, &p)
		return p.FitOffsets()
	}
	var t view.CompactDir
	return view.ReadCompactDir(v, &t) && allOf(&t, container.Array)
}

// open begins to read v, which fits.
func (f *offsetFeed) open(v *view.View) {
	if v.Form() == view.FormList {
		view.IterList(v, &f.it)
	} else {
		view.ReadCompactDir(v, &f.t)
	}
}

// fill writes the next offsets to dst and returns their number. At the end it fills only a part of
// dst.
func (f *offsetFeed) fill(dst []uint32) (n int) {
	if f.t.Body == nil {
		return f.it.Offsets(dst)
	}
	k := sorted.ArrayOffsets(dst, f.lows, f.base)
	f.lows, n = f.lows[2*k:], k
	if eliasfano.FastArrays() && f.i < f.t.Count {
		var a eliasfano.Arrays
		a.Body, a.Keys, a.Ends, a.Payloads, a.KeyBytes, a.EndBytes, a.Count = f.t.Body, f.t.Keys, f.t.Ends,
			f.t.Payloads, f.t.Kw, f.t.Ow, f.t.Count
		k, f.i = eliasfano.ArraysOffsets(dst[n:], &a, f.i)
		n += k
	}
	start := f.t.Start(f.i)
	for ; n < len(dst) && f.i < f.t.Count; f.i++ {
		key, end := f.t.Key(f.i), f.t.End(f.i)
		if key >= 1<<16 {
			f.i = f.t.Count // beyond all offsets
			break
		}
		_, lows := f.t.PayloadOf(start, end)
		start = end >> 2
		base, to := uint32(key<<16), dst[n:]
		if len(lows) <= 2*fewLows && len(to) >= fewLows {
			for i := range len(lows) / 2 {
				to[i] = base + uint32(array.Low(lows, i))
			}
			n += len(lows) / 2
			continue
		}
		k = sorted.ArrayOffsets(to, lows, base)
		n += k
		f.lows, f.base = lows[2*k:], base
	}
	return n
}

// offsetsAndLen returns how many values two sets have in common for which byOffsets holds.
func offsetsAndLen(a, b *view.View) (n int) {
	if offsetsOf(a) < offsetsOf(b) {
		a, b = b, a
	}
	var f, g offsetFeed
	f.open(a)
	g.open(b)
	if offsetsOf(a) <= fewOffsets {
		var p, q [fewOffsets]uint32
		n, _, _ = sorted.OffsetsAndLen(p[:f.fill(p[:])], q[:g.fill(q[:])])
		return n
	}
	o := offsetsPool.Get().(*offsets)
	n = o.meet(&f, &g, nil)
	offsetsPool.Put(o)
	return n
}

// meet counts the values that two sets have in common. It appends them to dst, unless that is nil.
// The first set should be the longer one.
func (o *offsets) meet(f, g *offsetFeed, dst *[]uint64) (n int) {
	xs, ys := o[0][:f.fill(o[0][:])], o[1][:g.fill(o[1][:])]
	for len(xs) > 0 && len(ys) > 0 {
		var k, i, j int
		if dst == nil {
			k, i, j = sorted.OffsetsAndLen(xs, ys)
		} else {
			k, i, j = sorted.OffsetsAnd(o[2][:], xs, ys)
			*dst = appendOffsets(*dst, o[2][:k])
		}
		n, xs, ys = n+k, xs[i:], ys[j:]
		if len(xs) == 0 {
			xs = o[0][:f.fill(o[0][:])]
		}
		if len(ys) == 0 {
			ys = o[1][:g.fill(o[1][:])]
		}
	}
	return n
}

// andOffsets returns the values that two sets have in common for which byOffsets holds.
func (c *result) andOffsets(a, b *view.View) *mutable.Bitmap {
	if offsetsOf(a) < offsetsOf(b) {
		a, b = b, a
	}
	var f, g offsetFeed
	f.open(a)
	g.open(b)
	o := offsetsPool.Get().(*offsets)
	c.lists[0] = c.lists[0][:0]
	o.meet(&f, &g, &c.lists[0])
	offsetsPool.Put(o)
	return c.ofValues(c.lists[0])
}

// manyInArray reports whether an array of n values has one for four buckets of a low width.
func manyInArray(n int, low uint) bool { return n<<low >= container.ChunkValues/4 }

// appendOffsets appends offsets as values.
func appendOffsets(dst []uint64, offsets []uint32) []uint64 {
	n := len(dst)
	dst = append(dst, make([]uint64, len(offsets))...)
	for i, x := range offsets {
		dst[n+i] = uint64(x)
	}
	return dst
}

// offsetsFor returns room for n offsets.
func (c *result) offsetsFor(n int) []uint32 {
	c.offsets = slices.Grow(c.offsets[:0], n)[:n]
	return c.offsets
}
