// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "math/bits"

// digitBits is the width of a digit of sortWords, at most: 4096 places to write to, which the processor's caches hold.
const digitBits = 12

// sortWords sorts words by so many bits from one on, and keeps the order of those that are equal there: a least-significant-digit radix sort (Knuth, The
// Art of Computer Programming 3, 5.2.5). scratch has the length of words. The outcome is in one of the two, which is returned first.
func sortWords(words, scratch []uint64, from, width int) (sorted, other []uint64) {
	digits := (width + digitBits - 1) / digitBits
	if digits == 0 {
		return words, scratch
	}
	var counts [1 << digitBits]uint32
	for step := (width + digits - 1) / digits; width > 0; from, width = from+step, width-step {
		mask := uint64(1)<<min(step, width) - 1
		clear(counts[:])
		for _, w := range words {
			counts[w>>from&mask]++
		}
		sum := uint32(0)
		for i, n := range counts[:mask+1] {
			counts[i], sum = sum, sum+n
		}
		for _, w := range words {
			at := &counts[w>>from&mask]
			scratch[*at] = w
			*at++
		}
		words, scratch = scratch, words
	}
	return words, scratch
}

// sortPairs sorts words by their upper and then their lower half. Those that come in the order of their lower half, as records do that are met for the first time, are not sorted by it
// again.
func sortPairs(words, scratch []uint64) (sorted, other []uint64) {
	all, last, ascend := uint64(0), uint32(0), true
	for _, w := range words {
		all |= w
		ascend = ascend && uint32(w) >= last
		last = uint32(w)
	}
	if !ascend {
		words, scratch = sortWords(words, scratch, 0, bits.Len32(uint32(all)))
	}
	return sortWords(words, scratch, 32, bits.Len32(uint32(all>>32)))
}

// turnPairs exchanges the halves of words that ascend, and has them ascend again.
func turnPairs(words, scratch []uint64) (sorted, other []uint64) {
	all := uint64(0)
	for i, w := range words {
		words[i] = bits.RotateLeft64(w, 32)
		all |= w
	}
	return sortWords(words, scratch, 32, bits.Len32(uint32(all)))
}
