// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		return upperLowsAVX512(dst, words, word, zeros, end, low)
	case cpu.AVX2:
		return upperLowsAVX2(dst, words, word, zeros, end, low)
	}
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) {
	switch cpu.Active {
	case cpu.AVX512:
		orLowersAVX512(lows, block, off, low)
	case cpu.AVX2:
		lowersByAVX2(lows, block, off, low)
	default:
		orLowersGeneric(lows, block, off, low)
	}
}

func lowersByAVX2(lows, block []byte, off int, low uint) {
	n := orLowersAVX2(lows, block, off, low)
	orLowersGeneric(lows[2*n:], block, off+n*int(low), low)
}

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		return packedValuesAVX512(dst, words, word, zeros, block, off, low, base)
	case cpu.AVX2:
		return packedValuesAVX2(dst, words, word, zeros, block, off, low, base)
	}
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}
