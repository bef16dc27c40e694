// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of offsets.

func upperOffsets(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		return upperOffsetsAVX512(dst, words, word, zeros, low)
	case cpu.AVX2:
		return upperOffsetsAVX2(dst, words, word, zeros, low)
	}
	return upperOffsetsGeneric(dst, words, word, zeros, low)
}

// lowersBlock is the least number of bytes of a block whose last lower parts AVX2 fetches.
const lowersBlock = 32

func addLowers(offsets []uint32, block []byte, off int, low uint) {
	switch {
	case cpu.Active == cpu.AVX512:
		addLowersAVX512(offsets, block, off, low)
	case cpu.Active == cpu.AVX2 && len(block) >= lowersBlock:
		addLowersAVX2(offsets, block, off, low)
	default:
		addLowersGeneric(offsets, block, off, low)
	}
}

func arraysOffsets(dst []uint32, a *Arrays, i, end int) (n, next int) {
	switch cpu.Active {
	case cpu.AVX512:
		return arraysOffsetsAVX512(dst, a, i, end)
	case cpu.AVX2:
		return arraysOffsetsAVX2(dst, a, i, end)
	}
	return arraysOffsetsGeneric(dst, a, i, end)
}

func arraysValues(dst []uint64, a *Arrays, i, end int) (n, next int) {
	switch cpu.Active {
	case cpu.AVX512:
		return arraysValuesAVX512(dst, a, i, end)
	case cpu.AVX2:
		return arraysValuesAVX2(dst, a, i, end)
	}
	return arraysValuesGeneric(dst, a, i, end)
}

func packedInArrays(p *Packed, upper int, a *Arrays) int {
	if cpu.Active == cpu.AVX512 {
		return packedInArraysAVX512(p, upper, a)
	}
	return packedInArraysGeneric(p, upper, a)
}

func valuesInArrays(few []uint64, a *Arrays) int {
	if cpu.Active == cpu.AVX512 {
		return valuesInArraysAVX512(few, a)
	}
	return valuesInArraysGeneric(few, a)
}
