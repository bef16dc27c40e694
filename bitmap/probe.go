// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "github.com/uproar-db/uproar/bitmap/internal/kernel"

// prober answers whether values, asked in ascending order, are in a set. It remembers where it is.
type prober struct {
	v      *View
	it     kernel.PackedIter // of the current container, if it is packed
	base   uint64            // of the current packed container
	i      int               // current container
	key    uint64            // its key
	next   uint64            // key of the container after it, 2^48 or more if there is none
	block  Block             // of the current container, if it is not packed
	packed bool
}

// newProber returns a prober before the first container.
func newProber(v *View) prober {
	p := prober{v: v, i: -1, next: maxKey + 1}
	if v.count > 0 {
		p.next = v.keyAt(0)
	}
	return p
}

// has reports whether x, which is not less than any asked before, is in the set.
func (p *prober) has(x uint64) bool {
	key := x >> 16
	if key >= p.next {
		p.move(key)
	}
	if p.packed {
		if !p.it.Seek(x - p.base) {
			return false
		}
		d, _ := p.it.Peek()
		return d == x-p.base
	}
	return p.key == key && p.block.Contains(uint16(x))
}

// move makes the last container with a key ≤ key the current one.
func (p *prober) move(key uint64) {
	if key == maxKey {
		p.i = p.v.gallop(p.i+1, key)
		if p.i == p.v.count || p.v.keyAt(p.i) != key {
			p.i--
		}
	} else {
		p.i = p.v.gallop(p.i+1, key+1) - 1
	}
	p.next = maxKey + 1
	if p.i+1 < p.v.count {
		p.next = p.v.keyAt(p.i + 1)
	}
	p.packed, p.block = false, Block{}
	if p.i < 0 {
		return // keys out of order
	}
	e := p.v.entryAt(p.i)
	p.key = e.key
	switch {
	case e.data == nil:
	case e.kind == kindPacked:
		p.it, p.base, p.packed = e.packed().Iter(), e.key<<16, true
	default:
		p.block = Block{key: e.key, data: e.data, n: int32(e.n), kind: e.kind}
	}
}

// sparse reports whether v is one value or one packed block with less than 8 values in a chunk: cheaper to probe with, value by value, than to cut
// into blocks.
func (v *View) sparse() bool {
	switch v.form {
	case formSingle:
		return true
	case formSolo:
		last, _ := v.solo().Last()
		return last>>16 >= uint64(v.values)/8
	}
	return false
}

// drive orders two sets so that the first is the one to probe with; ok is false if they should be walked block by block.
func drive(a, b *View) (driver, probed *View, ok bool) {
	switch as, bs := a.sparse(), b.sparse(); {
	case as && (!bs || a.values <= b.values):
		return a, b, true
	case bs:
		return b, a, true
	}
	return a, b, false
}

// feed decodes the values of a sparse set in batches.
type feed struct {
	it    kernel.PackedIter
	value uint64
	one   bool
}

func newFeed(v *View) feed {
	if v.form == formSingle {
		return feed{value: v.at, one: true}
	}
	return feed{it: v.solo().Iter()}
}

// fill writes the next values to dst and returns their number, 0 at the end.
func (f *feed) fill(dst []uint64) int {
	if f.one {
		dst[0], f.one = f.value, false
		return 1
	}
	return f.it.Values(dst, 0)
}
