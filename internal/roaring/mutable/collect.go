// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// collectedTogether is the number of values of a sequence that are put into a set at a time.
const collectedTogether = 1 << 16

// Collect returns the set of the values of a sequence, which may be in any order and repeat. It is
// packed as [Fastest]. Beside the set it needs memory for 65 536 values.
func Collect(values iter.Seq[uint64]) *Bitmap {
	b := new(Bitmap)
	b.AddSeq(values)
	b.Pack(pack.Fastest)
	return b
}

// AddSeq puts the values of a sequence into the set, and returns how many were not there. The
// values may come in any order and repeat. They are added as by [Bitmap.AddMany], up to 65 536 at a
// time. The sequence may read the set meanwhile, as its loops do: see [Bitmap.All].
func (b *Bitmap) AddSeq(values iter.Seq[uint64]) (added uint64) {
	var some []uint64
	for x := range values {
		if some = append(some, x); len(some) == collectedTogether {
			added += uint64(b.AddMany(some...))
			some = some[:0]
		}
	}
	return added + uint64(b.AddMany(some...))
}
