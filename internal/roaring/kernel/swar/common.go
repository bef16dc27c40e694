// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

const (
	lanes16 = 0x0001000100010001
	highs16 = 0x8000800080008000
)

// FitCommonLen reports whether the longer of two arrays has four to eight values: two words, which
// may overlap, have all of them.
func FitCommonLen(a, b []byte) bool { return uint(max(len(a), len(b))-8) <= 8 }

// CommonLen returns the number of values of two bytes that two ascending arrays have in common, for
// which FitCommonLen holds. It compares each value of the shorter one with all of the other at
// once. A merge takes longer: each of its steps waits for the one before.
func CommonLen(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	first, last := Uint64(b, 0), Uint64(b, len(b)-8)
	for ; len(a) >= 2; a = a[2:] {
		same := uint64(Uint16(a, 0)) * lanes16
		// The lowest lane that is zero, and no lane below it, borrows into its highest bit.
		v, w := first^same, last^same
		if ((v-lanes16)&^v|(w-lanes16)&^w)&highs16 != 0 {
			n++
		}
	}
	return n
}
