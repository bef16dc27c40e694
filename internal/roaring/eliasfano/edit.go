// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Remove writes the valid block p without its value d, which has index i, to dst. The low width
// stays. dst must have Bytes of N − 1 values and not overlap the block.
//
// It moves bits by words and decodes nothing.
func Remove(dst []byte, p Packed, i int, d uint64) {
	l := int(p.Low)
	upper := 8*len(p.Block) - p.N*l
	lower := 8*len(dst) - (p.N-1)*l
	one := int(d>>p.Low) + i
	clear(dst)
	copyBits(dst, 0, p.Block, 0, min(one, lower))
	copyBits(dst, one, p.Block, one+1, min(upper-one-1, lower-one))
	copyBits(dst, lower, p.Block, upper, i*l)
	copyBits(dst, lower+i*l, p.Block, upper+(i+1)*l, (p.N-1-i)*l)
}

// copyBits copies n bits from bit from of src to bit to of dst, where they must be zero. n may be
// negative: nothing is copied.
func copyBits(dst []byte, to int, src []byte, from, n int) {
	if head := -to & 7; head > 0 && n > 0 {
		k := min(head, n)
		dst[to>>3] |= byte(swar.LowBits(src, from, uint(k)) << (to & 7))
		to += k
		from += k
		n -= k
	}
	if n <= 0 {
		return
	}
	at, s := to>>3, from>>3
	if shift := uint(from & 7); shift == 0 {
		k := copy(dst[at:], src[s:s+n>>3])
		at += k
		from += 8 * k
		n -= 8 * k
	} else {
		for ; n >= 64; n -= 64 {
			x := binary.LittleEndian.Uint64(src[s:s+8])>>shift | uint64(src[s+8])<<(64-shift)
			binary.LittleEndian.PutUint64(dst[at:at+8], x)
			at += 8
			s += 8
			from += 64
		}
	}
	if n > 0 {
		orBits(dst, 8*at, swar.LowBits(src, from, uint(n)), n)
	}
}

// orBits sets the n bits of x, at most 63, at bit to of dst.
func orBits(dst []byte, to int, x uint64, n int) {
	for n > 0 {
		dst[to>>3] |= byte(x << (to & 7))
		k := 8 - to&7
		x >>= k
		to += k
		n -= k
	}
}
