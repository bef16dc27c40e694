// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Iterator reads the values of a [View] in ascending order, many at a time, into the caller's
// memory: what serves a page of results after the other.
//
// It is a value that borrows the bytes of the View; a copy continues on its own. The zero value is
// at the end of the empty set. Not for concurrent use.
type Iterator struct {
	v    View
	it   eliasfano.Iter // of the current container, if it is packed
	data []byte         // its payload, if it is not; nil: none
	base uint64         // value 0 of the current container
	last uint64         // packed: largest distance from base that counts
	i    int            // container after the current one
	at   int            // array: next value; bitset: next place; runs: next run
	next int            // runs: places before it have been read
	kind uint8
}

// Iterator returns an iterator before the first value ≥ x. It costs a binary search of the
// directory, and one of the container; it allocates nothing.
func (v View) Iterator(x uint64) (it Iterator) {
	it.v = v
	if x > 0 { // else Read enters the first container
		it.start(x)
	}
	return it
}

// start moves before the first value ≥ x, which is not 0.
func (it *Iterator) start(x uint64) {
	if it.v.Form() == FormSingle {
		if x > it.v.Single() {
			it.i = 1
		}
		return
	}
	i := it.v.Search(x >> 16)
	if i < 0 {
		return
	}
	it.i = i
	it.enter()
	switch {
	case it.kind == container.Packed:
		if d := x - it.base; d > 0 {
			it.it.Seek(d)
		}
	case it.data == nil:
	case it.base != x>>16<<16:
		it.data = nil
	case it.kind == container.Bitset:
		it.at = int(uint16(x))
	case it.kind == container.Run:
		it.at, it.next = max(run.Search(it.data, uint16(x))-1, 0), int(uint16(x))
	default:
		it.at = array.Search(it.data, uint16(x))
	}
}

// enter makes container i the current one.
func (it *Iterator) enter() {
	if form := it.v.Form(); form == FormCompact || form == FormLoose {
		// As below, without the entry, which is half of the cost: a set of many containers has few
		// values in each.
		key, kind, data := it.v.PayloadAt(it.i)
		if kind != container.Packed {
			if !container.Fits(kind, data, it.v.CardAt(it.i)) {
				data = nil
			}
			it.base, it.kind, it.data, it.at, it.next = key<<16, kind, data, 0, 0
			it.i++
			return
		}
	}
	e := it.v.EntryAt(it.i)
	it.base, it.kind, it.data, it.at, it.next = e.Key<<16, e.Kind, e.Data, 0, 0
	if e.Kind == container.Packed {
		it.it, it.data = eliasfano.Iter{}, nil
		if last, ok := it.v.bound(it.i, e.Key); ok && e.Data != nil {
			it.it, it.last = e.Packed().Iter(), last
		}
	}
	it.i++
}

// Read writes the next values to dst and returns their number: len(dst), or fewer at the end, and
// then 0. It costs 1 to 3 ns a value, and allocates nothing. It may use all of dst as scratch
// space, whatever it returns.
func (it *Iterator) Read(dst []uint64) (n int) {
	if it.v.Form() == FormSingle {
		return it.readSingle(dst)
	}
	for {
		n += it.read(dst[n:])
		if n == len(dst) || it.i >= it.v.Count() {
			return n
		}
		if it.kind == container.Array { // and so may be the next ones
			if k := it.readArrays(dst[n:]); k > 0 {
				n += k
				continue
			}
		}
		it.enter()
	}
}

// readArrays reads the arrays that follow as far as dst has room, and stands behind them. Sets that
// are spread out have few values in each container, so the cost of a container counts.
func (it *Iterator) readArrays(dst []uint64) (n int) {
	var t CompactDir
	if !ReadCompactDir(&it.v, &t) {
		return 0
	}
	start := t.Start(it.i)
	for it.i < t.Count {
		end := t.End(it.i)
		kind, data := t.PayloadOf(start, end)
		if kind != container.Array || !container.Fits(kind, data, t.card(it.i)) || len(data)/2 > len(dst)-n {
			break
		}
		array.Values(dst[n:n+len(data)/2], data, t.Key(it.i)<<16)
		n += len(data) / 2
		start = end >> 2
		it.i++
	}
	return n
}

// readSingle is Read of a single value, which needs no container.
func (it *Iterator) readSingle(dst []uint64) int {
	if it.i > 0 || len(dst) == 0 {
		return 0
	}
	dst[0], it.i = it.v.Single(), 1
	return 1
}

// read writes the next values of the current container.
func (it *Iterator) read(dst []uint64) (n int) {
	switch {
	case it.kind == container.Packed:
		n = it.it.Values(dst, it.base)
		for n > 0 && dst[n-1]-it.base > it.last {
			n-- // not valid: values beyond the bound are not there
			it.it = eliasfano.Iter{}
		}
	case it.data == nil:
	case it.kind == container.Bitset:
		n, it.at = bitset.ValuesFrom(dst, (*bitset.Words)(it.data), it.at, it.base)
	case it.kind == container.Run:
		n, it.at, it.next = run.Values(dst, it.data, it.at, it.next, it.base)
	default:
		left := it.data[2*it.at:]
		n = min(len(dst), len(left)/2)
		array.Values(dst[:n], left, it.base)
		it.at += n
	}
	return n
}
