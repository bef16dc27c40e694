// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/extsort"
)

// sortPairs sorts words by their upper and then their lower half. Those that come in the order of
// their lower half, as records do that are met for the first time, are not sorted by it again.
func sortPairs(words, scratch []uint64) (sorted, other []uint64) {
	all, last, ascend := uint64(0), uint32(0), true
	for _, w := range words {
		all |= w
		ascend = ascend && uint32(w) >= last
		last = uint32(w)
	}
	if !ascend {
		words, scratch = extsort.SortWords(words, scratch, 0, bits.Len32(uint32(all)))
	}
	return extsort.SortWords(words, scratch, 32, bits.Len32(uint32(all>>32)))
}

// sortAssigned sorts words by their upper half; those with the same one stay in their order.
func sortAssigned(words, scratch []uint64) (sorted, other []uint64) {
	all, last, ascend := uint64(0), uint64(0), true
	for _, w := range words {
		all |= w
		ascend = ascend && w>>32 >= last
		last = w >> 32
	}
	if ascend {
		return words, scratch
	}
	return extsort.SortWords(words, scratch, 32, bits.Len32(uint32(all>>32)))
}

// turnPairs exchanges the halves of words that ascend, and has them ascend again.
func turnPairs(words, scratch []uint64) (sorted, other []uint64) {
	all := uint64(0)
	for i, w := range words {
		words[i] = bits.RotateLeft64(w, 32)
		all |= w
	}
	return extsort.SortWords(words, scratch, 32, bits.Len32(uint32(all)))
}
