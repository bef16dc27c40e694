// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// FromArray writes ascending lows as runs, as many as dst has room for, and returns their number.
func FromArray(dst, lows []byte) (runs int) {
	n, start, next := -4, 0, -1
	for i := 0; i+1 < len(lows); i += 2 {
		x := int(swar.Uint16(lows, i))
		begins := swar.One(x != next) // which cannot be guessed
		if n += 4 * begins; n+4 > len(dst) {
			return n / 4
		}
		start += (x - start) & -begins
		next = x + 1
		putRun(dst, n, start, next)
	}
	return n/4 + 1
}

// FromBitset writes the runs of ones, as many as dst has room for, and returns their number.
func FromBitset(dst []byte, a *bitset.Words) (runs int) {
	for at := 0; 4*runs+4 <= len(dst); runs++ {
		start := bitset.NextBit(a, at, 0)
		if start == 1<<16 {
			break
		}
		at = bitset.NextBit(a, start, ^uint64(0))
		swar.PutUint16(dst, 4*runs, uint16(start))
		swar.PutUint16(dst, 4*runs+2, uint16(at-1-start))
	}
	return runs
}
