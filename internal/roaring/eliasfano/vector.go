// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Low widths of up to 16 bits are decoded in two passes over 16 bits a value where the processor
// has a path for it: chunks begin with an upper part then, so that no value has to be put together
// to see where a chunk ends.

// maxVectorLow is the largest low width that such paths can decode. They are used up to
// fewVectorLow: a chunk of a wider block has two values or less.
const (
	maxVectorLow = 16
	fewVectorLow = 14
)

// vectorLows is Lows for a low width of at most maxVectorLow.
func (it *Iter) vectorLows(dst []byte, chunk uint64) (n int) {
	limit := min(len(dst)/2, it.n-it.i)
	if d, ok := it.Peek(); !ok || limit <= 0 || d>>16 != chunk {
		return 0
	}
	end := int(chunk+1) << (16 - it.low) // the upper part that is the first of the next chunk
	from := it.lowAt(it.i)
	for n < limit {
		var words []byte
		if whole := it.upper >> 6; it.w < whole {
			words = it.block[8*it.w+8 : 8*whole]
		}
		k, read, left := upperLows(dst[2*n:2*limit], words, it.word, it.w<<6-it.i, end, it.low)
		n += k
		it.i += k
		it.w += read >> 3
		it.word = left
		if k == 0 || left != 0 || n == limit || !it.toValue() {
			break
		}
	}
	if it.low > 0 {
		orLowers(dst[:2*n], it.block, from, it.low)
	}
	return n
}

// upperLowsGeneric writes upper parts, shifted to their place by the low width, as lows. They are
// the ones of word, and then of words, as far as dst has room and they are less than end. The upper
// part of a one is the number of zeros before it; zeros is the number before word. Ones of word
// that are gone count as zeros there, and each has been taken off zeros. It returns the number of
// upper parts, the number of bytes of words it has read, and the ones of the last word that are
// left.
func upperLowsGeneric(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	for {
		for ; word != 0; word &= word - 1 {
			high := zeros + bits.TrailingZeros64(word)
			if 2*n+1 >= len(dst) || high >= end {
				return n, read, word
			}
			swar.PutUint16(dst, 2*n, uint16(high<<low))
			n++
			zeros--
		}
		zeros += 64
		if zeros >= end || read+8 > len(words) || 2*n+1 >= len(dst) {
			return n, read, 0
		}
		word = swar.Uint64(words, read)
		read += 8
	}
}

// orLowersGeneric adds lower parts of at most maxVectorLow bits to lows. The first stands at bit
// off.
func orLowersGeneric(lows, block []byte, off int, low uint) {
	for i := 0; i+1 < len(lows); i += 2 {
		swar.PutUint16(lows, i, swar.Uint16(lows, i)|uint16(swar.LowBits(block, off, low)))
		off += int(low)
	}
}

// maxVectorValues is the number of values that are decoded in one call, which cannot be
// interrupted.
const maxVectorValues = 1 << 14

// vectorValues is Values as far as vectors of eight values go; what follows the values in dst is
// changed.
func (it *Iter) vectorValues(dst []uint64, base uint64) (n int) {
	dst = dst[:min(len(dst), it.n-it.i)]
	for n < len(dst) && it.toValue() {
		var words []byte
		if whole := it.upper >> 6; it.w < whole {
			words = it.block[8*it.w+8 : 8*whole]
		}
		part := dst[n:min(len(dst), n+maxVectorValues)]
		k, read, left := packedValues(part, words, it.word, it.w<<6-it.i, it.block, it.lowAt(it.i), it.low, base)
		n += k
		it.i += k
		it.w += read >> 3
		it.word = left
		if k < 8 || left != 0 && n+8 > len(dst) {
			break // less than eight are left, here or of the block
		}
	}
	return n
}

// packedValuesGeneric writes values plus base, as many as dst has room for. Their upper parts are
// the ones of word, and then of words, as in upperLowsGeneric. Their lower parts stand in block
// from bit off on. It returns their number, the number of bytes of words it has read, and the ones
// of the last word that are left.
func packedValuesGeneric(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64) {
	for {
		for ; word != 0; word &= word - 1 {
			if n >= len(dst) {
				return n, read, word
			}
			dst[n] = base + (uint64(zeros+bits.TrailingZeros64(word))<<low | swar.LowBits(block, off, low))
			off += int(low)
			n++
			zeros--
		}
		if zeros += 64; read+8 > len(words) {
			return n, read, 0
		}
		word = swar.Uint64(words, read)
		read += 8
	}
}

// ProbeRatio returns the ratio of lengths from which looking values up in a packed chunk beats
// decoding it. It is the number of values of the chunk for each value of the other block.
func ProbeRatio() int {
	switch cpu.Active {
	case cpu.Generic:
		return 12
	case cpu.AVX512:
		return 80
	}
	return 35
}
