// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

// maxRanked is the number of counts that are looked at in one call, which cannot be interrupted.
const maxRanked = 1 << 16

// FirstCount returns the place of the first count that is no less than least. If there is none, it
// returns the number of counts.
func FirstCount(counts []uint32, least uint32) (i int) {
	for ; len(counts)-i > maxRanked; i += maxRanked {
		if k := firstCount(counts[i:i+maxRanked], least); k < maxRanked {
			return i + k
		}
	}
	return i + firstCount(counts[i:], least)
}

func firstCountGeneric(counts []uint32, least uint32) int {
	for i, n := range counts {
		if n >= least {
			return i
		}
	}
	return len(counts)
}

// LastShare returns the place of the last count that reaches least and its share. The share is part
// times the size beside the count; there are as many sizes as counts. It returns -1 if there is
// none. It is the inner loop of ranking rows by what is typical of a set: it passes over nearly all
// of them.
func LastShare(counts, sizes []uint32, least uint32, part float64) int {
	sizes = sizes[:len(counts)]
	for len(counts) > maxRanked {
		from := len(counts) - maxRanked
		if i := lastShare(counts[from:], sizes[from:], least, part); i >= 0 {
			return from + i
		}
		counts, sizes = counts[:from], sizes[:from]
	}
	return lastShare(counts, sizes, least, part)
}

func lastShareGeneric(counts, sizes []uint32, least uint32, part float64) int {
	for i := len(counts) - 1; i >= 0; i-- {
		if n := counts[i]; n >= least && float64(n) >= part*float64(sizes[i]) {
			return i
		}
	}
	return -1
}
