// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// The values of a list are looked up in a list of many times as many as offsets, where vectors do
// so.

// looksUp reports whether the values of the shorter list are better looked up in the other as
// offsets. For most other lists it costs next to nothing.
func looksUp(a, b *view.View) bool {
	if a.ListLen() > b.ListLen() {
		a, b = b, a
	}
	if few := a.ListLen(); few < eliasfano.LookFew || few > offsetsPiece {
		return false
	}
	var p, q eliasfano.Packed
	view.ReadList(a, &p)
	view.ReadList(b, &q)
	return p.FitOffsets() && q.KeepsOffsets(p.N)
}

// lookedUpLen returns how many values two lists have in common for which looksUp holds.
func lookedUpLen(a, b *view.View) (n int) {
	if a.ListLen() > b.ListLen() {
		a, b = b, a
	}
	if few := a.ListLen(); few <= fewOffsets {
		var offsets [fewOffsets]uint32
		return lookUp(offsets[:few], a, b)
	}
	o := offsetsPool.Get().(*offsets)
	n = lookUp(o[0][:a.ListLen()], a, b)
	offsetsPool.Put(o)
	return n
}

// lookUp is lookedUpLen for the shorter list and the longer one. It leaves what both have at the
// begin of values, which has room for all of the shorter one.
func lookUp(values []uint32, few, many *view.View) int {
	var p, q eliasfano.Packed
	view.ReadList(few, &p)
	view.ReadList(many, &q)
	var it eliasfano.Iter
	it.Reset(&p)
	return eliasfano.KeepOffsets(values[:it.Offsets(values)], &q)
}

// andLookedUp returns what two lists have in common. ok is false if looksUp does not hold for them.
// It is a function of its own because each return of andLists runs all deferred calls: with one
// return more, the compiler would no longer make them plain calls.
func andLookedUp(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	if !looksUp(a, b) {
		return nil, false
	}
	if a.ListLen() > b.ListLen() {
		a, b = b, a
	}
	c := BorrowResult()
	offsets := c.offsetsFor(a.ListLen())
	c.lists[0] = appendOffsets(c.lists[0][:0], offsets[:lookUp(offsets, a, b)])
	m = c.ofValues(c.lists[0])
	c.Release()
	return m, true
}
