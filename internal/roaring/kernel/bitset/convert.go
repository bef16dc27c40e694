// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Shape returns the number of ones and of runs of ones.
func Shape(a *Words) (n, runs int) {
	before := uint64(0)
	for i := 0; i < len(a); i += 8 {
		x := swar.Load(a, i)
		n += bits.OnesCount64(x)
		runs += bits.OnesCount64(x &^ (x<<1 | before)) // ones without a one before them
		before = x >> 63
	}
	return n, runs
}

// NextBit returns the first place from at on where a ⊕ flip is one, or 65 536.
func NextBit(a *Words, at int, flip uint64) int {
	if at >= 1<<16 {
		return 1 << 16
	}
	w := at >> 6
	x := (swar.Load(a, 8*w) ^ flip) >> (at & 63) << (at & 63)
	for x == 0 {
		if w++; w == 1024 {
			return 1 << 16
		}
		x = swar.Load(a, 8*w) ^ flip
	}
	return w<<6 + bits.TrailingZeros64(x)
}
