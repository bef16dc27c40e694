// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// arraysAndLen is andLen of two directories of one array; ok is false if they are something else.
func arraysAndLen(a, b *view.View) (n uint64, ok bool) {
	key, lows := view.OneArray(a)
	otherKey, others := view.OneArray(b)
	if lows == nil || others == nil {
		return 0, false
	}
	if key == otherKey {
		n = uint64(array.AndLen(lows, others))
	}
	return n, true
}

// fewestAndLen is andLen of two lists for which view.IsFewest holds.
func fewestAndLen(a, b *view.View) (n int) {
	if rangesDisjoint(a, b) {
		return 0
	}
	var p, q [view.Fewest]uint64
	xs, ys := view.FewestOf(a, &p), view.FewestOf(b, &q)
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
