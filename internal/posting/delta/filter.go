// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import "math/bits"

// Filter tells numbers that a level does not have, of twenty all but one: a Bloom filter with three
// bits in one word (Putze, Sanders and Singler, Cache-, Hash- and Space-Efficient Bloom Filters,
// 2007), so that a look costs one access to memory.
type Filter []uint64

// filterWords returns the length of a filter for n numbers, with 8 bits for each.
func filterWords(n int) int { return n/8 + 1 }

// FilterHash returns the hash of a number, by which filters are asked.
func FilterHash(x uint64) uint64 {
	h := (x ^ x>>32) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	return h * 0xbf58476d1ce4e5b9
}

// place returns the word of a number, and its bits.
func (f Filter) place(hash uint64) (word, bit uint64) {
	word, _ = bits.Mul64(hash, uint64(len(f)))
	return word, 1<<(hash&63) | 1<<(hash>>6&63) | 1<<(hash>>12&63)
}

// add puts a hash into the filter.
func (f Filter) add(hash uint64) {
	word, bit := f.place(hash)
	f[word] |= bit
}

// mayHave reports whether a hash may be in the filter.
func (f Filter) mayHave(hash uint64) bool { return f.Among(hash) != 0 }

// Among is MayHave as a number, 1 or 0.
func (f Filter) Among(hash uint64) (n int) {
	word, bit := f.place(hash)
	if f[word]&bit == bit {
		n = 1
	}
	return n
}
