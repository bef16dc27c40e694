// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// SetArray makes the bits of lows ones and returns how many were not.
func SetArray(a *Words, lows []byte) (n int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := swar.Uint16(lows, i)
		old := a[x>>3]
		a[x>>3] = old | 1<<(x&7)
		n += int(^old >> (x & 7) & 1)
	}
	return n
}

// ClearArray makes the bits of lows zeros and returns how many were not.
func ClearArray(a *Words, lows []byte) (n int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := swar.Uint16(lows, i)
		old := a[x>>3]
		a[x>>3] = old &^ (1 << (x & 7))
		n += int(old >> (x & 7) & 1)
	}
	return n
}

// FlipArray inverts the bits of lows and returns by how many the number of ones grew.
func FlipArray(a *Words, lows []byte) (grown int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := swar.Uint16(lows, i)
		old := a[x>>3]
		a[x>>3] = old ^ 1<<(x&7)
		grown += 1 - 2*int(old>>(x&7)&1)
	}
	return grown
}

// SetLows makes the bits of lows ones and returns how many were not.
func SetLows(a *Words, lows []uint16) (n int) {
	for _, x := range lows {
		old := a[x>>3]
		a[x>>3] = old | 1<<(x&7)
		n += int(^old >> (x & 7) & 1)
	}
	return n
}

// ClearLows makes the bits of lows zeros and returns how many were not.
func ClearLows(a *Words, lows []uint16) (n int) {
	for _, x := range lows {
		old := a[x>>3]
		a[x>>3] = old &^ (1 << (x & 7))
		n += int(old >> (x & 7) & 1)
	}
	return n
}
