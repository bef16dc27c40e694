// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

// ContainedLen returns how many of the values are in a set. bits, whole words, are the part of the
// set from base on. It is the inner loop of a word cloud, which counts many small lists within one
// set. Values may be in any order. Values outside of the bits are not in the set.
func ContainedLen(values []uint64, bits []byte, base uint64) int {
	return containedLen(values, bits[:len(bits)&^7], base)
}

func containedLenGeneric(values []uint64, bits []byte, base uint64) (n int) {
	for _, x := range values {
		if x -= base; x < 8*uint64(len(bits)) {
			n += int(bits[x>>3] >> (x & 7) & 1)
		}
	}
	return n
}
