// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

// All returns the values in ascending order. Nothing is allocated.
func (v View) All() iter.Seq[uint64] {
	return func(yield func(uint64) bool) { v.ascend(0, yield) }
}

// From returns the values that are at least x in ascending order. Nothing is allocated.
func (v View) From(x uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) { v.ascend(x, yield) }
}

// Backward returns the values in descending order. Nothing is allocated.
func (v View) Backward() iter.Seq[uint64] {
	return func(yield func(uint64) bool) { v.descend(^uint64(0), yield) }
}

// BackwardFrom returns the values that are at most x in descending order. Nothing is allocated.
func (v View) BackwardFrom(x uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) { v.descend(x, yield) }
}

// ascend yields the values from x on.
func (v *View) ascend(x uint64, yield func(uint64) bool) {
	if v.form() == formSingle {
		if single := v.single(); x <= single {
			yield(single)
		}
		return
	}
	i := v.search(x >> 16)
	if i >= 0 {
		e := v.entryAt(i)
		if e.kind == kindPacked {
			if !v.ascendPacked(i, &e, x-e.key<<16, yield) {
				return
			}
		} else if e.key == x>>16 && !ascendBlock(v.blockAt(i), uint16(x), yield) {
			return
		}
	}
	for i++; i < v.count(); i++ {
		e := v.entryAt(i)
		switch {
		case e.data == nil:
		case e.kind == kindPacked:
			if !v.ascendPacked(i, &e, 0, yield) {
				return
			}
		default:
			if !ascendBlock(Block{key: e.key, data: e.data, n: int32(e.n), kind: e.kind}, 0, yield) {
				return
			}
		}
	}
}

// ascendPacked yields the values of packed container i that are at least d away from its base.
func (v *View) ascendPacked(i int, e *entry, d uint64, yield func(uint64) bool) bool {
	last, ok := v.bound(i, e.key)
	if e.data == nil || !ok {
		return true
	}
	it := e.packed().Iter()
	if d > 0 && !it.Seek(d) {
		return true
	}
	var values [64]uint64
	base := e.key << 16
	for n := it.Values(values[:], 0); n > 0; n = it.Values(values[:], 0) {
		for _, d := range values[:n] {
			if d > last {
				return true
			}
			if !yield(base + d) {
				return false
			}
		}
	}
	return true
}

// ascendBlock yields the values of b whose low 16 bits are at least low.
func ascendBlock(b Block, low uint16, yield func(uint64) bool) bool {
	base := b.key << 16
	switch {
	case b.n == 0:
	case b.kind == kindBitset:
		keep := ^uint64(0) << (low & 63)
		for at := int(low>>6) * 8; at < maxPayload; at += 8 {
			for w := binary.LittleEndian.Uint64(b.data[at:]) & keep; w != 0; w &= w - 1 {
				if !yield(base + uint64(at*8+bits.TrailingZeros64(w))) {
					return false
				}
			}
			keep = ^uint64(0)
		}
	case b.kind == kindRun:
		next := int(low)
		for i := range len(b.data) / 4 {
			x, hi := kernel.RunFrom(b.data, i, next)
			next = max(next, hi)
			for ; x < hi; x++ {
				if !yield(base + uint64(x)) {
					return false
				}
			}
		}
	default:
		for i := kernel.SearchArray(b.data, low); i < len(b.data)/2; i++ {
			if !yield(base + uint64(kernel.Low(b.data, i))) {
				return false
			}
		}
	}
	return true
}

// descend yields the values from x down.
func (v *View) descend(x uint64, yield func(uint64) bool) {
	var values [128]uint64
	var it ReverseIterator
	it.v = *v
	it.start(x)
	size := 8 // grows, as whoever wants the last few should not pay for more
	for n := it.Read(values[:size]); n > 0; n = it.Read(values[:size]) {
		for _, x := range values[:n] {
			if !yield(x) {
				return
			}
		}
		size = len(values)
	}
}

// AppendTo appends the values in ascending order and returns the longer slice. It is the fastest way to read them all.
func (v View) AppendTo(dst []uint64) []uint64 {
	for i := range v.count() {
		e := v.entryAt(i)
		if e.data == nil {
			continue
		}
		if e.kind != kindPacked {
			dst = Block{key: e.key, data: e.data, n: int32(e.n), kind: e.kind}.AppendTo(dst)
			continue
		}
		last, ok := v.bound(i, e.key)
		if !ok {
			continue
		}
		// N values fit in the block's bytes: what is reserved is bounded by what was read.
		dst = slices.Grow(dst, e.n)
		it := e.packed().Iter()
		room := dst[len(dst) : len(dst)+e.n]
		n := it.Values(room, e.key<<16)
		for n > 0 && room[n-1]-e.key<<16 > last {
			n-- // not valid: values beyond the bound are not there
		}
		dst = dst[:len(dst)+n]
	}
	return dst
}
