// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// The functions of dispatch_amd64.go that have a form of their own there only.

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	return valuesWithinGeneric(values, bits, base)
}

func countRows(counts []uint32, spans [][]byte, width int) int {
	return countRowsGeneric(counts, spans, width)
}

func upperOffsets(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	return upperOffsetsGeneric(dst, words, word, zeros, low)
}

func addLowers(offsets []uint32, block []byte, off int, low uint) {
	addLowersGeneric(offsets, block, off, low)
}

func offsetsAndLen(a, b []uint32) (n, i, j int) { return offsetsAndLenGeneric(a, b) }

func offsetsAnd(dst, a, b []uint32) (n, i, j int) { return offsetsAndGeneric(dst, a, b) }

func arrayOffsets(dst []uint32, lows []byte, base uint32) { arrayOffsetsGeneric(dst, lows, base) }

func keepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	return keepOffsetsGeneric(offsets, bits, base)
}
