// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// ones4 returns the number of ones of four words from byte i on. i is a multiple of 32 below 8 192.
func ones4(a *Words, i int) int {
	w := (*[swar.Group]byte)(a[i&(8192-swar.Group):])
	return bits.OnesCount64(swar.Uint64(w[:], 0)) + bits.OnesCount64(swar.Uint64(w[:], 8)) +
		bits.OnesCount64(swar.Uint64(w[:], 16)) + bits.OnesCount64(swar.Uint64(w[:], 24))
}

// Rank returns the number of ones at places ≤ x of a bitset with n ones. It counts from the
// nearer end; n counts only for places in the upper half, and there the answer is 0 if n is less
// than the ones behind x.
func Rank(a *Words, x uint16, n int) int {
	word := int(x>>6) * 8
	first := word &^ (swar.Group - 1) // of the group that x lies in
	part := 0
	for i := first; i < word; i += 8 {
		part += bits.OnesCount64(swar.Load(a, i&8184))
	}
	part += bits.OnesCount64(swar.Load(a, word) << (63 - x&63))
	if x < 1<<15 {
		return part + Ones(a[:first])
	}
	return max(n-Ones(a[first:])+part, 0)
}

// Select returns the place of the i-th one, from 0, of a bitset with n ones. It counts from
// the nearer end; ok is false if there is none.
func Select(a *Words, i, n int) (x uint16, ok bool) {
	if i < 0 || i >= n {
		return 0, false
	}
	// The part that it lies in, from the nearer end, and then the group.
	at := 0
	if i < n/2 {
		for c := Ones(a[:part]); i >= c; c = Ones(a[at : at+part]) {
			if i -= c; at == len(a)-part {
				return 0, false // fewer ones than n
			}
			at += part
		}
	} else {
		left := n - i // ones from the wanted one on
		at = len(a) - part
		c := Ones(a[at:])
		for ; left > c; c = Ones(a[at : at+part]) {
			if left -= c; at == 0 {
				return 0, false
			}
			at -= part
		}
		i = c - left
	}
	for c := ones4(a, at); i >= c; c = ones4(a, at) {
		i -= c
		at += swar.Group
	}
	for ; at < len(a); at += 8 {
		w := swar.Load(a, at&8184)
		c := bits.OnesCount64(w)
		if i < c {
			return uint16(at*8 + swar.SelectBit(w, i)), true
		}
		i -= c
	}
	return 0, false
}
