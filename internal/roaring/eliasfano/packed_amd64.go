// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels that find the values of packed blocks as they are decoded, see
// assembly_amd64.go.

func packedSame(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext, done int) {
	if cpu.Active == cpu.AVX512 {
		return packedSameAVX512(dst, a, b, aAt, bAt, buckets)
	}
	return packedSameGeneric(dst, a, b, aAt, bAt, buckets)
}

func packedInBits(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint, bits []byte) (n, k,
	read int, left uint64) {
	if cpu.Active == cpu.AVX512 {
		return packedInBitsAVX512(dst, words, word, last, zeros, block, off, low, bits)
	}
	return packedInBitsGeneric(dst, words, word, last, zeros, block, off, low, bits)
}

func packedInArray(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint, lows []byte) (n, k,
	read, used int) {
	if cpu.Active == cpu.AVX512 {
		return packedInArrayAVX512(dst, words, word, last, zeros, block, off, low, lows)
	}
	return packedInArrayGeneric(dst, words, word, last, zeros, block, off, low, lows)
}

func packedKeepOffsets(offsets []uint32, p *Packed, upper int) (n, read int) {
	if cpu.Active == cpu.AVX512 {
		return packedKeepByAVX512(offsets, p, upper)
	}
	return packedKeepOffsetsGeneric(offsets, p, upper)
}

func packedKeepByAVX512(offsets []uint32, p *Packed, upper int) (n, read int) {
	return packedKeepOffsetsAVX512(offsets, p, upper, min(uint64(upper>>6+1)<<16/uint64(upper-p.N+1), 1<<16-1),
		&fieldsOf[p.Low])
}

// packedSameAVX512 returns -1 if dst, unless it is empty, has no room, or a bucket has 57 values or
// more. It may count some buckets behind the end of a block.
//
//go:noescape
func packedSameAVX512(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext, done int)

//go:noescape
func packedInBitsAVX512(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	bits []byte) (n, k, read int, left uint64)

//go:noescape
func packedInArrayAVX512(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	lows []byte) (n, k, read, used int)
