// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"math/bits"
)

// SelectBit returns the position of the k-th one bit of x, counted from 0. x must have more than k
// of them; else it returns a position up to 71.
//
// All bytes are counted and added up at once, and compared with k (Vigna, Broadword Implementation
// of Rank/Select Queries, 2008); a table answers for the byte. No step is a branch, which a
// processor would guess wrong half of the time.
func SelectBit(x uint64, k int) int {
	sums := OnesUpTo(x)
	// The first byte with more than k ones up to it.
	shift := bits.TrailingZeros64((sums+(0x7F-uint64(k&63))*Ones8)&Highs8) &^ 7
	k -= int(sums << 8 >> (shift & 63)) // its low three bits count
	return shift + int(SelectByte[k&7][uint8(x>>(shift&63))])
}

// Ones8 has the lowest bit of each byte, Highs8 the highest.
const Ones8, Highs8 = 0x0101010101010101, 0x8080808080808080

// OnesUpTo returns in each byte the number of ones of x up to that byte.
func OnesUpTo(x uint64) uint64 {
	x -= x >> 1 & 0x5555555555555555
	x = x&0x3333333333333333 + x>>2&0x3333333333333333
	return (x + x>>4) & 0x0F0F0F0F0F0F0F0F * Ones8
}

// SelectByte[k][c] is the position of the one bit number k of c.
var SelectByte = func() (t [8][256]uint8) {
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
