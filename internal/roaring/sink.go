// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// sink takes the blocks of a result in ascending order of key: to a builder, or only counts their
// values if there is none.
type sink struct {
	m     *pack.Builder
	n     uint64
	last  uint64 // the last value that came by itself
	key   uint64 // chunk of the first value, if that is all that is wanted
	first bool   // only the first value is wanted
	found bool   // there was one
}

func (to *sink) block(b container.Block) {
	if b.IsEmpty() {
		return
	}
	if to.m == nil {
		to.count(b.Len(), b.Key)
		return
	}
	to.m.AppendBlock(b)
}

// value takes a value. One that is not larger than the one before is left out, as bytes that are
// not valid may have such.
func (to *sink) value(x uint64) {
	if x <= to.last && to.found {
		return
	}
	to.last = x
	if to.m == nil {
		to.count(1, x>>16)
		return
	}
	to.found = true
	to.m.Append(x)
}

// count takes n values, at least one, of a chunk.
func (to *sink) count(n int, key uint64) {
	to.n += uint64(n)
	if !to.found {
		to.found, to.key = true, key
	}
}

// done reports whether no more values are wanted.
func (to *sink) done() bool { return to.first && to.found }
