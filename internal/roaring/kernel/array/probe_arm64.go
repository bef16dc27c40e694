// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

func arrayBitsetAndLen(lows []byte, a *bitset.Words) int {
	if cpu.Active == cpu.NEON {
		return arrayBitsetAndLenNEON(lows, a)
	}
	return arrayBitsetAndLenGeneric(lows, a)
}

// FilterBits writes the values of lows whose bit, exclusive-ored with flip, is one, and returns
// their number. dst must have the room of lows; it may be lows.
func FilterBits(dst, lows []byte, a *bitset.Words, flip int) int {
	if cpu.Active == cpu.NEON {
		return filterBitsNEON(dst[:len(lows)], lows, a, flip)
	}
	return filterBitsGeneric(dst, lows, a, flip)
}
