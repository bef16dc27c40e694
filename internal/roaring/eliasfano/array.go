// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values of blocks of narrow lower parts are compared with an array as they are decoded, bucket by
// bucket.

// minArrayLow is the smallest low width whose upper parts fit 15 bits, for values of 16 bits. The
// upper parts behind them in the same word fit as well.
const minArrayLow = 2

// maxPassed is the number of buckets before the first one of an array that may be passed: all of a
// chunk, of the narrowest lower parts, as an array may end with its first values.
const maxPassed = 1 << (16 - minArrayLow)

// FitArray reports whether comparing values with an array while decoding them is faster than
// decoding them first. It is so with AVX-512, for low widths from two to seven and blocks of at
// most passMost upper bits.
func (it *Iter) FitArray() bool {
	return cpu.Active == cpu.AVX512 && it.low-minArrayLow <= maxSameLow-minArrayLow && it.upper <= passMost
}

// InArray counts the next values that, less from, are in an array, and moves on. It does not move
// behind a value larger than the last of the array. The low width is from two to seven, and from is
// a multiple of 1<<low. InArray passes the values before from if they span at most one chunk.
func (it *Iter) InArray(lows []byte, from uint64) (n int) { return it.inArray(nil, lows, from) }

// LowsInArray is InArray, and writes the common values to dst. dst has room for all values of the
// array and BitsRoom bytes more. What has no room is left out.
func (it *Iter) LowsInArray(dst, lows []byte, from uint64) (n int) {
	return it.inArray(dst, lows, from)
}

func (it *Iter) inArray(dst, lows []byte, from uint64) (n int) {
	start, most := int(from>>it.low), len(lows)/2
	lows = lows[:2*most]
	if !it.toValue() || it.low-minArrayLow > maxSameLow-minArrayLow {
		return 0
	}
	if high := it.high() - start; high < -maxPassed || high > 0xFFFF>>it.low {
		return 0
	}
	for len(lows) > 0 && it.toValue() {
		words, last := it.words()
		found, k, read, used := packedInArray(dst, words, it.word, last, it.w<<6-it.i-start, it.block, it.lowAt(it.i),
			it.low, lows)
		if n += found; len(dst) > 0 {
			dst = dst[min(2*found, len(dst)-1):] // without a byte it would be none
		}
		it.i = min(it.i+k, it.n)
		it.w += read >> 3
		if lows = lows[2*used:]; len(lows) > 0 {
			it.word = 0
		} else if read > 0 {
			it.word = it.load(it.w)
		}
	}
	return min(n, most) // bytes that are no block, or no array, may have a value more than once
}

// packedInArrayGeneric compares the values of a block with an array while it decodes them. Their
// upper parts are the ones of word and then of words, as in upperLowsGeneric; in the last word only
// the bits of last count. Their lower parts have from two to seven bits and stand in block from bit
// off on. It ends with the array, before the word that has the bucket of its last value, or with
// the words.
//
// It returns the number n of common values, and writes them to dst unless that is empty. What it
// finds among 64 array values, from the first that a word meets on, does not count if dst has less
// than bitsRoom bytes left. If the array does not ascend, other forms do not meet all values with a
// word.
//
// k is the number of all values in the words before the one at which it ended, and read the number
// of bytes of words up to that one. used is the number of array values whose buckets end before it.
func packedInArrayGeneric(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	lows []byte) (n, k, read, used int) {
	for len(lows) > 2*used+1 {
		ones := bits.OnesCount64(word)
		end, room := zeros+64-ones, true
		for at, i := used, used; i < len(lows)/2; i++ {
			x := swar.Uint16(lows, 2*i)
			h := int(x >> low)
			if h > end {
				break
			}
			if (i-at)%64 == 0 {
				room = len(dst) == 0 || len(dst)-2*n >= bitsRoom
			}
			if room && inWord(word, zeros, block, off, low, x) {
				if len(dst) > 0 {
					swar.PutUint16(dst, 2*n, x)
				}
				n++
			}
			if h < end {
				used++
			}
		}
		if len(lows) <= 2*used+1 {
			break
		}
		k += ones
		zeros = end
		off += ones * int(low)
		if read+8 > len(words) {
			break
		}
		word = swar.Uint64(words, read)
		if read += 8; read+8 > len(words) {
			word &= last
		}
	}
	return n, k, read, used
}

// inWord reports whether x is one of the values whose upper parts are the ones of a word.
func inWord(word uint64, zeros int, block []byte, off int, low uint, x uint16) bool {
	for ; word != 0; word &= word - 1 {
		part := uint64(0)
		if off+int(low) <= 8*len(block) {
			part = swar.LowBits(block, off, low)
		}
		if high := zeros + bits.TrailingZeros64(word); high == int(x>>low) && part == uint64(x)&(1<<low-1) {
			return true
		}
		off += int(low)
		zeros--
	}
	return false
}
