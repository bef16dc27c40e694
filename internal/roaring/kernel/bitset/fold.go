// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Fold writes src to dst with the bits of each 16-bit word in reverse order. It returns the number
// of ones. dst may be src. Folded twice, a bitset is itself again.
func Fold(dst, src *Words) (n int) {
	for i := 0; i < len(dst); i += 8 {
		x := swar.Load(src, i)
		n += bits.OnesCount64(x)
		// Neighbours change places: bits, pairs, nibbles, bytes (Warren, Hacker's Delight, 7-1).
		x = x>>1&0x5555555555555555 | x&0x5555555555555555<<1
		x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
		x = x>>4&0x0F0F0F0F0F0F0F0F | x&0x0F0F0F0F0F0F0F0F<<4
		x = x>>8&0x00FF00FF00FF00FF | x&0x00FF00FF00FF00FF<<8
		swar.Store(dst, i, x)
	}
	return n
}
