// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

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
