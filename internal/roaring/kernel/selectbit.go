// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// selectBit returns the position of the one bit number k, counted from 0, of x, which must have
// more than k of them; else a position up to 71.
//
// All bytes are counted and added up at once, and compared with k (Vigna, Broadword Implementation
// of Rank/Select Queries, 2008); a table answers for the byte. No step is a branch, which would be
// guessed wrong half of the time.
func selectBit(x uint64, k int) int {
	sums := onesUpTo(x)
	// The first byte with more than k ones up to it.
	place := bits.TrailingZeros64((sums+(0x7F-uint64(k&63))*ones8)&highs8) &^ 7
	k -= int(sums << 8 >> (place & 63)) // of which the low three bits count
	return place + int(selectByte[k&7][uint8(x>>(place&63))])
}

const ones8, highs8 = 0x0101010101010101, 0x8080808080808080

// onesUpTo returns in each byte the number of ones of x up to that byte.
func onesUpTo(x uint64) uint64 {
	x -= x >> 1 & 0x5555555555555555
	x = x&0x3333333333333333 + x>>2&0x3333333333333333
	return (x + x>>4) & 0x0F0F0F0F0F0F0F0F * ones8
}

// selectByte[k][c] is the position of the one bit number k of c.
var selectByte = func() (t [8][256]uint8) {
	for c := range 256 {
		k := 0
		for at := range 8 {
			if c>>at&1 != 0 {
				t[k][c] = uint8(at)
				k++
			}
		}
	}
	return t
}()
