// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "github.com/uproar-db/uproar/bitmap/internal/kernel"

// The values of a list are looked up in a list of many times as many as offsets, where vectors do so.

// lookedUpLen returns how many values two lists have in common, if those of the one are better looked up in the other as offsets.
func lookedUpLen(a, b *View) (n int, ok bool) {
	if a.soloLen() > b.soloLen() {
		a, b = b, a
	}
	switch few := a.soloLen(); {
	case few <= fewOffsets:
		var offsets [fewOffsets]uint32
		return keptOf(offsets[:few], a, b)
	case few <= offsetsPiece:
		o := offsetsPool.Get().(*offsets)
		n, ok = keptOf(o[0][:few], a, b)
		offsetsPool.Put(o)
	}
	return n, ok
}

// keptOf is lookedUpLen for the shorter list and the longer one. It leaves what both have at the begin of offsets, which has room for all values of the shorter one.
func keptOf(offsets []uint32, few, many *View) (n int, ok bool) {
	var p, q kernel.Packed
	few.readSolo(&p)
	many.readSolo(&q)
	if !p.FitOffsets() || !q.KeepsOffsets(len(offsets)) {
		return 0, false
	}
	var it kernel.PackedIter
	it.Reset(&p)
	return kernel.PackedKeepOffsets(offsets[:it.Offsets(offsets)], &q)
}

// andLookedUp is lookedUpLen that returns what both have in common.
func (c *composition) andLookedUp(a, b *View) (m *Bitmap, ok bool) {
	if a.soloLen() > b.soloLen() {
		a, b = b, a
	}
	offsets := c.offsetsFor(a.soloLen())
	n, ok := keptOf(offsets, a, b)
	if !ok {
		return nil, false
	}
	c.lists[0] = appendOffsets(c.lists[0][:0], offsets[:n])
	return c.ofValues(c.lists[0]), true
}
