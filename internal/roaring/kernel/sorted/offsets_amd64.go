// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// OffsetsFrom is the number of values of the longer list from which comparing two lists as offsets
// pays.
const OffsetsFrom = 64

func offsetsAndLen(a, b []uint32) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		if cpu.FastPairs {
			return offsetsAndLenByPairs(a, b)
		}
		return offsetsAndLenAVX512(a, b)
	case cpu.AVX2:
		return offsetsAndLenAVX2(a, b)
	}
	return offsetsAndLenGeneric(a, b)
}

func offsetsAnd(dst, a, b []uint32) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		if cpu.FastPairs {
			return offsetsAndByPairs(dst, a, b)
		}
		return offsetsAndAVX512(dst, a, b)
	case cpu.AVX2:
		return offsetsAndAVX2(dst, a, b)
	}
	return offsetsAndGeneric(dst, a, b)
}

func arrayOffsets(dst []uint32, lows []byte, base uint32) {
	switch cpu.Active {
	case cpu.AVX512:
		arrayOffsetsAVX512(dst, lows, base)
	case cpu.AVX2:
		arrayOffsetsAVX2(dst, lows, base)
	default:
		arrayOffsetsGeneric(dst, lows, base)
	}
}

func keepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	switch cpu.Active {
	case cpu.AVX512:
		return keepOffsetsAVX512(offsets, bits, base)
	case cpu.AVX2:
		return keepOffsetsAVX2(offsets, bits, base)
	}
	return keepOffsetsGeneric(offsets, bits, base)
}

// offsetsAndLenByPairs compares by VP2INTERSECTD, and leaves less than two blocks of one list to
// offsetsAndLenAVX512.
func offsetsAndLenByPairs(a, b []uint32) (n, i, j int) {
	if min(len(a), len(b)) >= 32 {
		n, i, j = offsetsAndLenPairsAVX512(a, b)
	}
	more, k, l := offsetsAndLenAVX512(a[i:], b[j:])
	return n + more, i + k, j + l
}

// offsetsAndByPairs is offsetsAndLenByPairs, and writes what both have in common.
func offsetsAndByPairs(dst, a, b []uint32) (n, i, j int) {
	if min(len(a), len(b)) >= 32 {
		n, i, j = offsetsAndPairsAVX512(dst, a, b)
	}
	more, k, l := offsetsAndAVX512(dst[n:], a[i:], b[j:])
	return n + more, i + k, j + l
}
