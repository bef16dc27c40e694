// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of offsets. Those in assembly that end before the end leave
// the rest to Go.

// OffsetsFrom is the number of values of the longer list from which comparing two lists as offsets
// pays. The ends of lists are done one by one, which is most of shorter ones.
const OffsetsFrom = 128

func offsetsAndLen(a, b []uint32) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return offsetsLenByNEON(a, b)
	}
	return offsetsAndLenGeneric(a, b)
}

func offsetsLenByNEON(a, b []uint32) (n, i, j int) {
	n, i, j = offsetsAndLenNEON(a, b)
	k, p, q := offsetsAndLenGeneric(a[i:], b[j:])
	return n + k, i + p, j + q
}

func offsetsAnd(dst, a, b []uint32) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return offsetsByNEON(dst, a, b)
	}
	return offsetsAndGeneric(dst, a, b)
}

func offsetsByNEON(dst, a, b []uint32) (n, i, j int) {
	n, i, j = offsetsAndNEON(dst, a, b)
	k, p, q := offsetsAndGeneric(dst[n:], a[i:], b[j:])
	return n + k, i + p, j + q
}

func arrayOffsets(dst []uint32, lows []byte, base uint32) {
	if cpu.Active == cpu.NEON {
		arrayByNEON(dst, lows, base)
	} else {
		arrayOffsetsGeneric(dst, lows, base)
	}
}

func arrayByNEON(dst []uint32, lows []byte, base uint32) {
	n := arrayOffsetsNEON(dst, lows, base)
	arrayOffsetsGeneric(dst[n:], lows[2*n:], base)
}

func keepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	if cpu.Active == cpu.NEON {
		return keepOffsetsNEON(offsets, bits, base)
	}
	return keepOffsetsGeneric(offsets, bits, base)
}

// fourTogether has, for each set of four lanes of 32 bits, the shuffle that moves them together,
// and at the end how many bytes each keeps.
//
//lint:ignore U1000 assembly uses it
var fourTogether = func() (t [17][16]byte) {
	for set := range 16 {
		n := 0
		for lane := range 4 {
			if set>>lane&1 == 1 {
				for at := range 4 {
					t[set][n+at] = byte(4*lane + at)
				}
				n += 4
			}
		}
		t[16][set] = byte(n)
	}
	return t
}()
