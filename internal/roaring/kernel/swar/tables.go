// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import "math/bits"

// ZerosBefore returns, for each byte, the number of zeros before its ones, the k-th in lane k.
// Packages whose assembly reads it keep a table of their own.
func ZerosBefore() (t [256][2]uint64) {
	for b := range t {
		for x, k := uint8(b), 0; x != 0; x, k = x&(x-1), k+1 {
			t[b][k/4] |= uint64(bits.TrailingZeros8(x)-k) << (16 * (k % 4))
		}
	}
	return t
}

// Together returns, for each set of eight lanes of 16 bits, the shuffle that moves them together.
// Packages whose assembly reads it keep a table of their own.
func Together() (t [256][16]byte) {
	for set := range t {
		n := 0
		for lane := range 8 {
			if set>>lane&1 == 1 {
				t[set][n], t[set][n+1] = byte(2*lane), byte(2*lane+1)
				n += 2
			}
		}
	}
	return t
}

// LaneWeights is what each lane of a mask of eight counts: its own bit in the lower byte, so that
// the sum of lanes is the number of a shuffle of [Together], and 1 in the upper one, so that it is
// the number of lanes, too.
func LaneWeights() [8]uint16 {
	return [8]uint16{0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180}
}
