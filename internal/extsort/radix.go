// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

// digitBits is the width of a digit of SortWords, at most: the caches hold 4096 places to write to.
const digitBits = 12

// SortWords sorts words by width bits from bit from on. The sort is stable: a
// least-significant-digit radix sort (Knuth, The Art of Computer Programming 3, 5.2.5). scratch has
// the length of words. The outcome is in one of the two, which is returned first.
func SortWords(words, scratch []uint64, from, width int) (sorted, other []uint64) {
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
