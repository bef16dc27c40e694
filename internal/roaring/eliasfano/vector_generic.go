// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) { orLowersGeneric(lows, block, off, low) }

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}
