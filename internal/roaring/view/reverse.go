// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// ReverseIterator reads the values of a [View] in descending order, many at a time, into the
// caller's memory: what serves the latest first, page by page.
//
// It is a value that borrows the bytes of the View; a copy continues on its own. The zero value is
// at the end of the empty set. Not for concurrent use.
type ReverseIterator struct {
	v    View
	data []byte           // payload of the current container, if it is not packed; nil: none
	it   eliasfano.Packed // the current container, if it is packed
	base uint64           // value 0 of the current container
	last uint64           // packed: largest distance from base that counts
	i    int              // the current container; those before it are left
	at   int              // array, packed: values left; bitset, runs: places before it are left
	run  int              // runs: those left
	kind uint8
}

// ReverseIterator returns an iterator before the largest value ≤ x. It costs a binary search of the
// directory, and one of the container; it allocates nothing.
func (v View) ReverseIterator(x uint64) (it ReverseIterator) {
	it.v = v
	it.start(x)
	return it
}

// start moves before the largest value ≤ x.
func (it *ReverseIterator) start(x uint64) {
	it.i = it.v.Search(x >> 16)
	if it.i >= 0 {
		it.enter(x)
	}
}

// enter makes container i the current one, from its largest value ≤ x on.
func (it *ReverseIterator) enter(x uint64) {
	e := it.v.EntryAt(it.i)
	it.base, it.kind, it.data, it.at, it.run = e.Key<<16, e.Kind, e.Data, 0, 0
	if e.Kind == container.Packed {
		it.data = nil
		if last, ok := it.v.bound(it.i, e.Key); ok && e.Data != nil {
			it.it, it.at, it.last = e.Packed(), e.N, last
			if d := x - it.base; d < last {
				n, found := it.it.Find(d)
				if found {
					n++
				}
				it.at, it.last = min(n, e.N), d
			}
		}
		return
	}
	if e.Data == nil {
		return
	}
	low := uint16(min(x-it.base, container.ChunkValues-1))
	switch e.Kind {
	case container.Bitset:
		it.at = int(low) + 1
	case container.Run:
		it.at, it.run = int(low)+1, run.Search(e.Data, low)
	default:
		if it.at = len(e.Data) / 2; low < container.ChunkValues-1 {
			it.at = array.Search(e.Data, low+1)
		}
	}
}

// Read writes the next smaller values to dst, the largest first, and returns their number:
// len(dst), or fewer at the end, and then 0. It costs 1 to 3 ns a value, for each call beside that
// the search for the place in a packed container, and allocates nothing.
func (it *ReverseIterator) Read(dst []uint64) (n int) {
	for {
		n += it.read(dst[n:])
		if n == len(dst) || it.i <= 0 {
			return n
		}
		it.i--
		it.enter(^uint64(0))
	}
}

// read writes the next values of the current container. It returns fewer than len(dst) only when
// none are left there.
func (it *ReverseIterator) read(dst []uint64) (n int) {
	switch {
	case it.kind == container.Packed:
		for n < len(dst) && it.at > 0 {
			n += it.stretch(dst[n:])
		}
	case it.data == nil:
	case it.kind == container.Bitset:
		return it.places(dst)
	case it.kind == container.Run:
		for n < len(dst) && it.run > 0 {
			lo, hi := run.At(it.data, it.run-1)
			// cuts nothing off runs that are valid, but where the iterator began: see
			// run.From
			hi = min(hi, it.at)
			for ; n < len(dst) && hi > lo; n++ {
				hi--
				dst[n] = it.base + uint64(hi)
			}
			if it.at = min(it.at, max(hi, lo)); hi <= lo {
				it.run--
			}
		}
	default:
		for ; n < len(dst) && it.at > 0; n++ {
			it.at--
			dst[n] = it.base + uint64(array.Low(it.data, it.at))
		}
	}
	return n
}

// stretch decodes the last of the values left of a packed container, as many as dst takes. It
// decodes forward, and turns the values round.
func (it *ReverseIterator) stretch(dst []uint64) (n int) {
	start := max(it.at-len(dst), 0)
	from := it.it.Iter()
	if start == 0 || from.Skip(start) {
		n = from.Values(dst[:it.at-start], it.base)
	}
	for n > 0 && dst[n-1]-it.base > it.last {
		n-- // not valid: values beyond the bound are not there
	}
	it.at = start
	slices.Reverse(dst[:n])
	return n
}

// places writes the next values of a bitset.
func (it *ReverseIterator) places(dst []uint64) (n int) {
	for n < len(dst) && it.at > 0 {
		word := (it.at - 1) >> 6
		w := binary.LittleEndian.Uint64(it.data[8*word:]) << (63 - (it.at-1)&63)
		for ; w != 0 && n < len(dst); n++ {
			gap := bits.LeadingZeros64(w)
			it.at -= gap + 1
			dst[n] = it.base + uint64(it.at)
			w <<= gap + 1
		}
		if w == 0 {
			it.at = word << 6
		}
	}
	return n
}
