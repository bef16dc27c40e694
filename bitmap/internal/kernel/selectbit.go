// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// selectBit returns the position of the one bit number k, counted from 0, of x, which must have more than k of them; else a position up to 71.
//
// All bytes are counted and added up at once, and compared with k (Vigna, Broadword Implementation of Rank/Select Queries, 2008); a table
// answers for the byte. No step is a branch, which would be guessed wrong half of the time.
func selectBit(x uint64, k int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0F0F0F0F0F0F0F0F * ones // byte b: the ones of bytes 0 to b
	place := bits.OnesCount64(((uint64(k&63)*ones|highs)-s)&highs) * 8
	k -= int(s << 8 >> (place & 63)) // of which the low three bits count
	return place + int(selectByte[k&7][x>>(place&63)&0xFF])
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
