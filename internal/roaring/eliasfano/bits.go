// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values of blocks of narrow lower parts are looked up in bits as they are decoded: those of a word
// of the upper part lie within a few vectors of bits.

const (
	minBitsLow = 3 // low width from which a bucket has whole bytes of bits
	maxBitsLow = 6 // up to which those of a word of the upper part have 512
	bitsRoom   = 2 * 64
)

// FitBits reports whether looking values up in bits while decoding them is faster than decoding
// them first. It is so with AVX-512, for low widths from three to six and blocks of at most
// passMost upper bits.
func (it *Iter) FitBits() bool {
	return cpu.Active == cpu.AVX512 && it.low-minBitsLow <= maxBitsLow-minBitsLow && it.upper <= passMost
}

// InBits counts the next values that, less from, are ones of bits. It moves behind all values up to
// the end of bits. The bits of the bytes count in their order. The low width is from three to six.
// from is a multiple of 1<<low and not larger than the next value. The number of bytes is a
// multiple of eight.
func (it *Iter) InBits(bits []byte, from uint64) (n int) { return it.inBits(nil, bits, from) }

// LowsInBits is InBits of one chunk, and writes the low 16 bits of these values to dst. dst has
// room for all values that are left and BitsRoom bytes more. What has no room is left out.
func (it *Iter) LowsInBits(dst []byte, bits *bitset.Words, from uint64) (n int) {
	return it.inBits(dst, bits[:], from)
}

// BitsRoom is what LowsInBits needs beside the room for values, in bytes.
const BitsRoom = bitsRoom

func (it *Iter) inBits(dst, bits []byte, from uint64) (n int) {
	most, start := it.Left(), int(from>>it.low)
	bits = bits[:len(bits)&^7]
	if !it.toValue() || it.low-minBitsLow > maxBitsLow-minBitsLow ||
		uint64(it.high()-start) >= 8*uint64(len(bits))>>it.low {
		return 0
	}
	for it.toValue() {
		words, last := it.words()
		found, k, read, left := packedInBits(dst, words, it.word, last, it.w<<6-it.i-start, it.block, it.lowAt(it.i),
			it.low, bits)
		if n += found; len(dst) > 2*found {
			dst = dst[2*found:]
		}
		it.i = min(it.i+k, it.n)
		it.w += read >> 3
		it.word = left
		if left != 0 {
			break
		}
	}
	return min(n, most)
}

// words returns the words of the upper part behind the current one. last marks the bits of the last
// word that belong to the upper part. If the block ends in that word, it is left out.
func (it *Iter) words() (words []byte, last uint64) {
	whole := it.upper >> 6
	if it.w >= whole {
		return nil, 0
	}
	if rest := it.upper & 63; rest > 0 && 8*whole+8 <= len(it.block) {
		return it.block[8*it.w+8 : 8*whole+8], 1<<rest - 1
	}
	return it.block[8*it.w+8 : 8*whole], ^uint64(0)
}

// packedInBitsGeneric looks the values of a block up in bits while it decodes them. Their upper
// parts are the ones of word and then of words, as in upperLowsGeneric; in the last word only the
// bits of last count. Their lower parts have from three to six bits and stand in block from bit off
// on. It ends at the end of the bits.
//
// It returns the number n of values that are ones, and writes their low 16 bits to dst unless that
// is empty. What it finds in a word does not count if dst has less than bitsRoom bytes left for it.
// It also returns the number of all values, the number of bytes of words it has read, and the ones
// of the last word that are left.
func packedInBitsGeneric(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	in []byte) (n, k, read int, left uint64) {
	end := 8 * len(in) >> low
	for {
		room := len(dst) == 0 || len(dst)-2*n >= bitsRoom
		for ; word != 0; word &= word - 1 {
			high := zeros + bits.TrailingZeros64(word)
			if high >= end {
				return n, k, read, word
			}
			part := uint64(0)
			if off+int(low) <= 8*len(block) {
				part = swar.LowBits(block, off, low)
			}
			x := high<<low | int(part)
			if in[x>>3]>>(x&7)&1 == 1 && room {
				if len(dst) > 0 {
					swar.PutUint16(dst, 2*n, uint16(x))
				}
				n++
			}
			off += int(low)
			k++
			zeros--
		}
		if read+8 > len(words) {
			return n, k, read, 0
		}
		zeros += 64
		word = swar.Uint64(words, read)
		if read += 8; read+8 > len(words) {
			word &= last
		}
	}
}
