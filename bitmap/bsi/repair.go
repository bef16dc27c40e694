// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// sound returns v if its bytes and its filter are valid. Otherwise it returns what can be read of
// v, as integers of their own. What is written from it is valid then.
func (v View) sound() View {
	if (v.owner != nil || v.Validate() == nil) && (!v.filtered || v.filter.Validate() == nil) {
		return v
	}
	base, width := v.base, int(v.width)
	if v.largest() > uint64(math.MaxInt64)-uint64(base) {
		base, width = math.MinInt64, maxSlices // distances may pass the largest int64: here any integers at all fit
	}
	r := newWriter(base, width)
	defer r.release()
	w := v.walk()
	defer w.release()
	for w.next() {
		lows := w.decode(w.all)
		slices.Sort(lows)
		for _, low := range slices.Compact(lows) {
			id := w.all.Key<<16 | uint64(low)
			r.records.Append(id)
			for u := uint64(v.value(w.values[low])) - uint64(base); u != 0; u &= u - 1 {
				r.slices[bits.TrailingZeros64(u)].Append(id)
			}
		}
	}
	return r.integers(pack.Fastest).View()
}
