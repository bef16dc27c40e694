// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package eliasfano

func packedSame(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext, done int) {
	return packedSameGeneric(dst, a, b, aAt, bAt, buckets)
}

func packedInArray(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint, lows []byte) (n, k,
	read, used int) {
	return packedInArrayGeneric(dst, words, word, last, zeros, block, off, low, lows)
}

func packedInBits(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint, bits []byte) (n, k,
	read int, left uint64) {
	return packedInBitsGeneric(dst, words, word, last, zeros, block, off, low, bits)
}

func packedKeepOffsets(offsets []uint32, p *Packed, upper int) (n, read int) {
	return packedKeepOffsetsGeneric(offsets, p, upper)
}
