// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// ones4 returns the number of ones of the four words from byte i on, a multiple of 32 below 8 192.
func ones4(a *Words, i int) int {
	w := (*[group]byte)(a[i&(8192-group):])
	return bits.OnesCount64(leUint64(w[:], 0)) + bits.OnesCount64(leUint64(w[:], 8)) +
		bits.OnesCount64(leUint64(w[:], 16)) + bits.OnesCount64(leUint64(w[:], 24))
}

// BitsetRank returns the number of ones at places ≤ x of a bitset with n ones. It counts from the
// nearer end; n counts only for places in the upper half, and there the answer is 0 if n is less
// than the ones behind x.
func BitsetRank(a *Words, x uint16, n int) int {
	word := int(x>>6) * 8
	first := word &^ (group - 1) // of the group that x lies in
	part := 0
	for i := first; i < word; i += 8 {
		part += bits.OnesCount64(load64(a, i&8184))
	}
	part += bits.OnesCount64(load64(a, word) << (63 - x&63))
	if x < 1<<15 {
		return part + ones(a[:first])
	}
	return max(n-ones(a[first:])+part, 0)
}

// BitsetSelect returns the place of the i-th one, from 0, of a bitset with n ones. It counts from
// the nearer end; ok is false if there is none.
func BitsetSelect(a *Words, i, n int) (x uint16, ok bool) {
	if i < 0 || i >= n {
		return 0, false
	}
	// The part that it lies in, from the nearer end, and then the group.
	at := 0
	if i < n/2 {
		for c := ones(a[:part]); i >= c; c = ones(a[at : at+part]) {
			if i -= c; at == len(a)-part {
				return 0, false // fewer ones than n
			}
			at += part
		}
	} else {
		left := n - i // ones from the wanted one on
		at = len(a) - part
		c := ones(a[at:])
		for ; left > c; c = ones(a[at : at+part]) {
			if left -= c; at == 0 {
				return 0, false
			}
			at -= part
		}
		i = c - left
	}
	for c := ones4(a, at); i >= c; c = ones4(a, at) {
		i -= c
		at += group
	}
	for ; at < len(a); at += 8 {
		w := load64(a, at&8184)
		c := bits.OnesCount64(w)
		if i < c {
			return uint16(at*8 + selectBit(w, i)), true
		}
		i -= c
	}
	return 0, false
}
