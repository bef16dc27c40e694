// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// arraysAndLen is andLen of two directories of one array; ok is false if they are something else.
func arraysAndLen(a, b *View) (n uint64, ok bool) {
	key, lows := a.oneArray()
	otherKey, others := b.oneArray()
	if lows == nil || others == nil {
		return 0, false
	}
	if key == otherKey {
		n = uint64(kernel.ArrayAndLen(lows, others))
	}
	return n, true
}

// fewestAndLen is andLen of two lists for which isFewest holds.
func fewestAndLen(a, b *View) (n int) {
	if rangesDisjoint(a, b) {
		return 0
	}
	var p, q [fewest]uint64
	xs, ys := a.fewest(&p), b.fewest(&q)
	for len(xs) > 0 && len(ys) > 0 {
		x, y := xs[0], ys[0]
		if x == y {
			n++
		}
		if x <= y {
			xs = xs[1:]
		}
		if y <= x {
			ys = ys[1:]
		}
	}
	return n
}

// shortList is the number of values up to which it takes less to count what two lists have in
// common than to look for the first.
const shortList = 64

// shortIntersects is Intersects of short sets; ok is false if the sets are not short.
func shortIntersects(a, b *View) (found, ok bool) {
	switch {
	case a.form() == formSingle:
		return meets(b, a.single()) > 0, true
	case b.form() == formSingle:
		return meets(a, b.single()) > 0, true
	case a.form() == formSolo && b.form() == formSolo && max(a.soloLen(), b.soloLen()) <= shortList:
		return andLen(a, b) > 0, true
	}
	key, lows := a.oneArray()
	otherKey, others := b.oneArray()
	if lows == nil || others == nil {
		return false, false
	}
	return key == otherKey && kernel.ArrayIntersects(lows, others), true
}
