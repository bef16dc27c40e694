// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// BitsetAndLen returns the number of values of lows whose bit is one.
func BitsetAndLen(lows []byte, a *bitset.Words) int { return arrayBitsetAndLen(lows, a) }

func arrayBitsetAndLenGeneric(lows []byte, a *bitset.Words) (n int) {
	for len(lows) >= 8 {
		four := swar.Uint64(lows, 0)
		lows = lows[8:]
		n += swar.Bit(a, uint16(four)) + swar.Bit(a, uint16(four>>16)) +
			swar.Bit(a, uint16(four>>32)) + swar.Bit(a, uint16(four>>48))
	}
	for i := 0; i+1 < len(lows); i += 2 {
		n += swar.Bit(a, swar.Uint16(lows, i))
	}
	return n
}

// BitsetIntersects reports whether the bit of a value of lows is one.
func BitsetIntersects(lows []byte, a *bitset.Words) bool {
	for i := 0; i+1 < len(lows); i += 2 {
		if x := swar.Uint16(lows, i); a[x>>3]>>(x&7)&1 != 0 {
			return true
		}
	}
	return false
}

// BitsetAnd writes the values of lows whose bit is one and returns their number. dst must have
// the room of lows; it may be lows.
func BitsetAnd(dst, lows []byte, a *bitset.Words) int { return FilterBits(dst, lows, a, 0) }

// BitsetAndNot writes the values of lows whose bit is zero and returns their number. dst must
// have the room of lows; it may be lows.
func BitsetAndNot(dst, lows []byte, a *bitset.Words) int { return FilterBits(dst, lows, a, 1) }

// filterBitsGeneric writes the values of lows whose bit, exclusive-ored with flip, is one, and
// returns their number. dst must have the room of lows.
func filterBitsGeneric(dst, lows []byte, bits *bitset.Words, flip int) (n int) {
	dst = dst[:len(lows)]
	for i := 0; i+1 < len(lows); i += 2 {
		x := swar.Uint16(lows, i)
		swar.PutUint16(dst, n, x)
		n += 2 * (swar.Bit(bits, x) ^ flip)
	}
	return n / 2
}
