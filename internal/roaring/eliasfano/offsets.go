// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values below 2^32 are decoded across chunks, as offsets of 32 bits. This is faster than lanes of
// 64 bits, whatever the number of chunks.

// maxOffsetLow is the largest low width at which four bytes hold a lower part. The part may begin
// at any bit of the first byte.
const maxOffsetLow = 25

// maxOffsets is the number of offsets that are decoded in one call, which cannot be interrupted.
const maxOffsets = 1 << 14

// FitOffsets reports whether values of the block can be decoded as offsets. They can if no block
// with as many bits has a value of 2^32 or more.
func (p *Packed) FitOffsets() bool {
	highest := uint64(p.upper() - p.N)
	return p.Low <= maxOffsetLow && highest < 1<<(32-p.Low)
}

// Offsets decodes the next values into dst and moves behind them. It returns how many there were:
// less than len(dst) at the end. The rest of dst may be changed. FitOffsets must hold for the
// block.
func (it *Iter) Offsets(dst []uint32) (n int) {
	for n < len(dst) && it.i < it.n {
		part, from := dst[n:min(len(dst), n+maxOffsets)], it.lowAt(it.i)
		k := it.upperParts(part)
		if k == 0 {
			break
		}
		if it.low > 0 {
			addLowers(part[:k], it.block, from, it.low)
		}
		n += k
	}
	return n
}

// upperParts is Offsets without lower parts. Behind the last value dst may have room, so that
// vectors need not end with it: what a block that is not valid has beyond its values does not
// count.
func (it *Iter) upperParts(dst []uint32) (n int) {
	for n < len(dst) && it.toValue() {
		var words []byte
		if whole := it.upper >> 6; it.w < whole {
			words = it.block[8*it.w+8 : 8*whole]
		}
		k, read, left := upperOffsets(dst[n:], words, it.word, it.w<<6-it.i, it.low)
		k = min(k, it.n-it.i)
		n += k
		it.i += k
		it.w += read >> 3
		it.word = left
	}
	return n
}

// upperOffsetsGeneric writes upper parts, shifted to their place by the low width: those of the
// ones of word, and then of words, as many as dst has room for. zeros is as of upperLowsGeneric. It
// returns the number of upper parts, the number of bytes of words that it has read, and the ones of
// the last word that are left.
func upperOffsetsGeneric(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	for {
		for ; word != 0; word &= word - 1 {
			if n >= len(dst) {
				return n, read, word
			}
			dst[n] = uint32(zeros+bits.TrailingZeros64(word)) << low
			n++
			zeros--
		}
		zeros += 64
		if read+8 > len(words) || n >= len(dst) {
			return n, read, 0
		}
		word = swar.Uint64(words, read)
		read += 8
	}
}

// addLowersGeneric adds lower parts of at most maxOffsetLow bits to offsets. The first stands at
// bit off.
func addLowersGeneric(offsets []uint32, block []byte, off int, low uint) {
	for i := range offsets {
		offsets[i] |= uint32(swar.LowBits(block, off, low))
		off += int(low)
	}
}
