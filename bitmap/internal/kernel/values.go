// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// ArrayValues writes base plus each value of lows, as many as dst has room for.
func ArrayValues(dst []uint64, lows []byte, base uint64) {
	for i := range min(len(dst), len(lows)/2) {
		dst[i] = base + uint64(load16(lows, 2*i))
	}
}

// BitsetValues writes base plus the place of each one, as many as dst has room for, and returns their number.
func BitsetValues(dst []uint64, a *Words, base uint64) (n int) {
	for at := 0; at < len(a); at += 8 {
		for w := load64(a, at); w != 0; w &= w - 1 {
			if n >= len(dst) {
				return n
			}
			dst[n] = base + uint64(at*8+bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}
