// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// What is done around the kernels in assembly that merge arrays.

// andRest writes what a from byte i on and b from byte j on have in common. It returns the number
// of values. It follows a merge by blocks of eight values. dst need not have the room of either.
func andRest(dst, a, b []byte, i, j int) int {
	// Some values of the first block that is left may have been found, and need no room again.
	rest, other := a[i:], b[j:]
	for ; i < len(a)&^1 && j > 0 && swar.Uint16(a, i) <= swar.Uint16(b, j-2); i += 2 {
		rest = rest[2:]
	}
	for ; j < len(b)&^1 && i > 0 && swar.Uint16(b, j) <= swar.Uint16(a, i-2); j += 2 {
		other = other[2:]
	}
	if min(len(rest), len(other)) > len(dst) {
		rest = rest[:len(dst)] // not ascending
	}
	return arrayAndGeneric(dst, rest, other)
}

// endsFull returns 1 if the last value of lows is 65 535.
func endsFull(lows []byte) int {
	return (int(swar.Uint16(lows, len(lows)&^1-2)) + 1) >> 16
}

// putLast makes an array of n values end with 65 535 if full is 1, and otherwise not. It returns
// the number of values.
func putLast(dst []byte, n, full int) int {
	for n > 0 && swar.Uint16(dst, 2*n-2) == 1<<16-1 {
		n--
	}
	if full == 1 && 2*n+1 < len(dst) {
		swar.PutUint16(dst, 2*n, 1<<16-1)
		n++
	}
	return n
}
