// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// BitsetRun returns the first run of ones at or after from as [lo, hi), 0 ≤ from ≤ 65 536; lo is 65
// 536 if there is none.
func BitsetRun(a *Words, from int) (lo, hi int) {
	if lo = nextBit(a, from, 0); lo == 1<<16 {
		return lo, lo
	}
	return lo, nextBit(a, lo, ^uint64(0))
}

// ShiftBits moves the ones of a by r places up, 0 ≤ r < 65 536: those that stay below 65 536 to lo,
// the others, less 65 536, to hi. It returns the number of both. lo, hi and a must not overlap.
func ShiftBits(lo, hi, a *Words, r int) (nLo, nHi int) {
	clear(lo[:])
	clear(hi[:])
	skip, left := r>>6, r&63
	put := func(w int, x uint64) {
		switch {
		case x == 0:
		case w < 1024:
			store64(lo, 8*w, load64(lo, 8*w)|x)
			nLo += bits.OnesCount64(x)
		default:
			w -= 1024
			store64(hi, 8*w, load64(hi, 8*w)|x)
			nHi += bits.OnesCount64(x)
		}
	}
	for w := range 1024 {
		x := load64(a, 8*w)
		put(w+skip, x<<left)
		put(w+skip+1, x>>(64-left)) // a shift by 64 gives 0
	}
	return nLo, nHi
}
