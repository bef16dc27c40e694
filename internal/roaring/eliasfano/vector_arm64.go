// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	if cpu.Active == cpu.NEON {
		return upperLowsNEON(dst, words, word, zeros, end, low)
	}
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) {
	if cpu.Active == cpu.NEON {
		lowersByNEON(lows, block, off, low)
	} else {
		orLowersGeneric(lows, block, off, low)
	}
}

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	if cpu.Active == cpu.NEON {
		return packedValuesNEON(dst, words, word, zeros, block, off, low, base)
	}
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}

func lowersByNEON(lows, block []byte, off int, low uint) {
	n := orLowersNEON(lows, block, off, low)
	orLowersGeneric(lows[2*n:], block, off+n*int(low), low)
}
