// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Run returns the first run of ones at or after from as [lo, hi). from is in 0 ≤ from ≤ 65 536. lo
// is 65 536 if there is none.
func Run(a *Words, from int) (lo, hi int) {
	if lo = NextBit(a, from, 0); lo == 1<<16 {
		return lo, lo
	}
	return lo, NextBit(a, lo, ^uint64(0))
}

// ShiftBits moves the ones of a by r places up, 0 ≤ r < 65 536. Ones that stay below 65 536 go to
// lo, the others, less 65 536, to hi. It returns the number of both. lo, hi and a must not overlap.
func ShiftBits(lo, hi, a *Words, r int) (nLo, nHi int) {
	clear(lo[:])
	clear(hi[:])
	skip, left := r>>6, r&63
	put := func(w int, x uint64) {
		switch {
		case x == 0:
		case w < 1024:
			swar.Store(lo, 8*w, swar.Load(lo, 8*w)|x)
			nLo += bits.OnesCount64(x)
		default:
			w -= 1024
			swar.Store(hi, 8*w, swar.Load(hi, 8*w)|x)
			nHi += bits.OnesCount64(x)
		}
	}
	for w := range 1024 {
		x := swar.Load(a, 8*w)
		put(w+skip, x<<left)
		put(w+skip+1, x>>(64-left)) // a shift by 64 gives 0
	}
	return nLo, nHi
}
