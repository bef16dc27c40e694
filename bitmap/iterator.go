// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Iterator reads the values of a [View] in ascending order, many at a time, into the caller's
// memory: what serves a page of results after the other.
//
// It is a value that borrows the bytes of the View; a copy continues on its own. The zero value is
// at the end of the empty set. Not for concurrent use.
type Iterator view.Iterator

// Iterator returns an iterator before the first value ≥ x. It costs a binary search of the
// directory, and one of the container; it allocates nothing.
func (v View) Iterator(x uint64) (it Iterator) { return Iterator(view.View(v).Iterator(x)) }

// Read writes the next values to dst and returns their number: len(dst), or fewer at the end, and
// then 0. It allocates nothing. It may use all of dst as scratch space, whatever it returns.
func (it *Iterator) Read(dst []uint64) (n int) { return (*view.Iterator)(it).Read(dst) }

// ReverseIterator reads the values of a [View] in descending order, many at a time, into the
// caller's memory: what serves the latest first, page by page.
//
// It is a value that borrows the bytes of the View; a copy continues on its own. The zero value is
// at the end of the empty set. Not for concurrent use.
type ReverseIterator view.ReverseIterator

// ReverseIterator returns an iterator before the largest value ≤ x. It costs a binary search of the
// directory, and one of the container; it allocates nothing.
func (v View) ReverseIterator(x uint64) (it ReverseIterator) {
	return ReverseIterator(view.View(v).ReverseIterator(x))
}

// Read writes the next smaller values to dst, the largest first, and returns their number:
// len(dst), or fewer at the end, and then 0. Each call searches for its place in a packed
// container. It allocates nothing.
func (it *ReverseIterator) Read(dst []uint64) (n int) {
	return (*view.ReverseIterator)(it).Read(dst)
}
