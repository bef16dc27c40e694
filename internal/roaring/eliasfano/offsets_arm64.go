// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

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
