// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Two ascending lists of values are compared block by block where the processor has a path for it:
// each value of a block with each of the other's, and the block whose last value is smaller is
// exchanged for the next, as with arrays (Schlegel, Willhalm, Lehner, Fast Sorted-Set Intersection
// Using SIMD Instructions, 2011). A value costs the same whether it is found or not, and nothing is
// guessed.

// maxMeeting is the number of values of each list that are compared in one call, which cannot be
// interrupted.
const maxMeeting = 1 << 13

// Block is a multiple of the numbers of values that vectors compare at once. Lists of whole blocks
// are compared by vectors alone.
const Block = 8

// ValuesAndLen counts the values that two ascending lists have in common. i and j are how many of
// each need not be looked at again if there is more of the other: all of one of them.
func ValuesAndLen(a, b []uint64) (n, i, j int) {
	for p, q := 1, 1; p+q > 0; i, j = i+p, j+q {
		var k int
		k, p, q = valuesAndLen(a[i:min(len(a), i+maxMeeting)], b[j:min(len(b), j+maxMeeting)])
		n += k
	}
	k, p, q := valuesAndLenGeneric(a[i:], b[j:])
	return n + k, i + p, j + q
}

// ValuesAnd writes the values that two ascending lists have in common to dst, and returns their
// number. dst must have room for the shorter list and not overlap either.
func ValuesAnd(dst, a, b []uint64) (n int) {
	i, j := 0, 0
	for p, q := 1, 1; p+q > 0; i, j = i+p, j+q {
		var k int
		k, p, q = valuesAnd(dst[n:], a[i:min(len(a), i+maxMeeting)], b[j:min(len(b), j+maxMeeting)])
		n += k
	}
	for i < len(a) && j < len(b) && n < len(dst) {
		x, y := a[i], b[j]
		inA, inB := swar.AtMost(x, y), swar.AtMost(y, x)
		dst[n] = x
		n += inA & inB
		i += inA
		j += inB
	}
	return n
}

// valuesAndLenGeneric is ValuesAndLen, one value at a time. It advances without branches that
// depend on the values.
func valuesAndLenGeneric(a, b []uint64) (n, i, j int) {
	for i < len(a) && j < len(b) {
		inA, inB := swar.AtMost(a[i], b[j]), swar.AtMost(b[j], a[i])
		n += inA & inB
		i += inA
		j += inB
	}
	return n, i, j
}
