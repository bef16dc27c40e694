// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func upperOffsets(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	return upperOffsetsGeneric(dst, words, word, zeros, low)
}

func addLowers(offsets []uint32, block []byte, off int, low uint) {
	addLowersGeneric(offsets, block, off, low)
}

func arraysOffsets(dst []uint32, a *Arrays, i, end int) (n, next int) {
	return arraysOffsetsGeneric(dst, a, i, end)
}

func arraysValues(dst []uint64, a *Arrays, i, end int) (n, next int) {
	return arraysValuesGeneric(dst, a, i, end)
}
