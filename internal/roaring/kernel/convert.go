// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// ArrayShape returns the number of runs in lows, and whether they are strictly ascending.
func ArrayShape(lows []byte) (runs int, ascending bool) {
	if len(lows) < 2 {
		return 0, true
	}
	before := int(load16(lows, 0))
	runs, worst := 1, 1
	for i := 2; i+1 < len(lows); i += 2 {
		x := int(load16(lows, i))
		d := x - before
		worst = min(worst, d)
		runs += int(uint(1-d) >> signBit) // a gap of more than 1
		before = x
	}
	return runs, worst > 0
}

// ArrayRuns returns the number of runs in strictly ascending lows, four values at a time.
func ArrayRuns(lows []byte) (runs int) {
	const ones, highest = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000
	runs = min(len(lows)/2, 1)
	i := 0
	for ; i+10 <= len(lows); i += 8 {
		// Each value is larger than the one before: no lane borrows. A lane that is not zero has a
		// gap before it.
		gaps := leUint64(lows, i+2) - leUint64(lows, i) - ones
		runs += bits.OnesCount64(((gaps &^ highest) + (highest - ones) | gaps) & highest)
	}
	for ; i+4 <= len(lows); i += 2 {
		if load16(lows, i)+1 != load16(lows, i+2) {
			runs++
		}
	}
	return runs
}

// ArrayToRuns writes ascending lows as runs, as many as dst has room for, and returns their number.
func ArrayToRuns(dst, lows []byte) (runs int) {
	n, start, next := -4, 0, -1
	for i := 0; i+1 < len(lows); i += 2 {
		x := int(load16(lows, i))
		begins := one(x != next) // which cannot be guessed
		if n += 4 * begins; n+4 > len(dst) {
			return n / 4
		}
		start += (x - start) & -begins
		next = x + 1
		putRun(dst, n, start, next)
	}
	return n/4 + 1
}

// BitsetShape returns the number of ones and of runs of ones.
func BitsetShape(a *Words) (n, runs int) {
	before := uint64(0)
	for i := 0; i < len(a); i += 8 {
		x := load64(a, i)
		n += bits.OnesCount64(x)
		runs += bits.OnesCount64(x &^ (x<<1 | before)) // ones without a one before them
		before = x >> 63
	}
	return n, runs
}

// BitsetToRuns writes the runs of ones, as many as dst has room for, and returns their number.
func BitsetToRuns(dst []byte, a *Words) (runs int) {
	for at := 0; 4*runs+4 <= len(dst); runs++ {
		start := nextBit(a, at, 0)
		if start == 1<<16 {
			break
		}
		at = nextBit(a, start, ^uint64(0))
		store16(dst, 4*runs, uint16(start))
		store16(dst, 4*runs+2, uint16(at-1-start))
	}
	return runs
}

// nextBit returns the first place from at on where a ⊕ flip is one, or 65 536.
func nextBit(a *Words, at int, flip uint64) int {
	if at >= 1<<16 {
		return 1 << 16
	}
	w := at >> 6
	x := (load64(a, 8*w) ^ flip) >> (at & 63) << (at & 63)
	for x == 0 {
		if w++; w == 1024 {
			return 1 << 16
		}
		x = load64(a, 8*w) ^ flip
	}
	return w<<6 + bits.TrailingZeros64(x)
}
