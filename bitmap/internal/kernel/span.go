// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// BitsetRun returns the first run of ones at or after from as [lo, hi), 0 ≤ from ≤ 65 536; lo is 65 536 if there is none.
func BitsetRun(a *Words, from int) (lo, hi int) {
	if lo = nextBit(a, from, 0); lo == 1<<16 {
		return lo, lo
	}
	return lo, nextBit(a, lo, ^uint64(0))
}

// BitsetValuesFrom writes base plus the place of each one at or after from, 0 ≤ from ≤ 65 536, as many as dst has room for. It returns their number
// and the place to go on from.
func BitsetValuesFrom(dst []uint64, a *Words, from int, base uint64) (n, next int) {
	keep := ^uint64(0) << (from & 63)
	for at := from >> 6 << 3; at < len(a); at += 8 {
		for w := load64(a, at) & keep; w != 0; w &= w - 1 {
			place := at*8 + bits.TrailingZeros64(w)
			if n >= len(dst) {
				return n, place
			}
			dst[n] = base + uint64(place)
			n++
		}
		keep = ^uint64(0)
	}
	return n, 1 << 16
}

// ShiftBits moves the ones of a by r places up, 0 ≤ r < 65 536: those that stay below 65 536 to lo, the others, less 65 536, to hi. It returns the number
// of both. lo, hi and a must not overlap.
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
