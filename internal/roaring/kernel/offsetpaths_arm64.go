// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

// The kernels of offsets. Those in assembly that end before the end leave
// the rest to Go.

// OffsetsFrom is the number of values of the longer one of two lists from which it pays to compare
// them as offsets: shorter ones have their ends done one by one.
const OffsetsFrom = 128

func upperOffsets(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	if cpu.Active == cpu.NEON {
		return upperOffsetsNEON(dst, words, word, zeros, low)
	}
	return upperOffsetsGeneric(dst, words, word, zeros, low)
}

func addLowers(offsets []uint32, block []byte, off int, low uint) {
	if cpu.Active == cpu.NEON {
		addByNEON(offsets, block, off, low)
	} else {
		addLowersGeneric(offsets, block, off, low)
	}
}

func addByNEON(offsets []uint32, block []byte, off int, low uint) {
	n := addLowersNEON(offsets, block, off, low)
	addLowersGeneric(offsets[n:], block, off+n*int(low), low)
}

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

func arraysOffsets(dst []uint32, a *Arrays, i, end int) (n, next int) {
	if cpu.Active == cpu.NEON {
		return arraysOffsetsNEON(dst, a, i, end)
	}
	return arraysOffsetsGeneric(dst, a, i, end)
}

func arraysValues(dst []uint64, a *Arrays, i, end int) (n, next int) {
	if cpu.Active == cpu.NEON {
		return arraysValuesNEON(dst, a, i, end)
	}
	return arraysValuesGeneric(dst, a, i, end)
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
