// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Shape returns the number of runs in lows, and whether they are strictly ascending.
func Shape(lows []byte) (runs int, ascending bool) {
	if len(lows) < 2 {
		return 0, true
	}
	before := int(swar.Uint16(lows, 0))
	runs, worst := 1, 1
	for i := 2; i+1 < len(lows); i += 2 {
		x := int(swar.Uint16(lows, i))
		d := x - before
		worst = min(worst, d)
		runs += int(uint(1-d) >> swar.SignBit) // a gap of more than 1
		before = x
	}
	return runs, worst > 0
}

// Runs returns the number of runs in strictly ascending lows, four values at a time.
func Runs(lows []byte) (runs int) {
	const ones, highest = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000
	runs = min(len(lows)/2, 1)
	i := 0
	for ; i+10 <= len(lows); i += 8 {
		// Each value is larger than the one before: no lane borrows. A lane that is not zero has a
		// gap before it.
		gaps := swar.Uint64(lows, i+2) - swar.Uint64(lows, i) - ones
		runs += bits.OnesCount64(((gaps &^ highest) + (highest - ones) | gaps) & highest)
	}
	for ; i+4 <= len(lows); i += 2 {
		if swar.Uint16(lows, i)+1 != swar.Uint16(lows, i+2) {
			runs++
		}
	}
	return runs
}
