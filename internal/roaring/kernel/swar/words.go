// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"encoding/binary"
	"math/bits"
)

// Load loads the word at byte i, a multiple of 8 below 8 192.
func Load(w *[8192]byte, i int) uint64 { return binary.LittleEndian.Uint64(w[i : i+8]) }

// Uint64 loads the eight bytes at byte i.
func Uint64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8]) }

// Uint32 loads the four bytes at byte i.
func Uint32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i : i+4]) }

// PutUint32 stores four bytes at byte i.
func PutUint32(b []byte, i int, x uint32) { binary.LittleEndian.PutUint32(b[i:i+4], x) }

// Store stores the word at byte i, a multiple of 8 below 8 192.
func Store(w *[8192]byte, i int, x uint64) { binary.LittleEndian.PutUint64(w[i:i+8], x) }

// Uint16 loads the two bytes at byte i.
func Uint16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i : i+2]) }

// PutUint16 stores two bytes at byte i.
func PutUint16(b []byte, i int, x uint16) { binary.LittleEndian.PutUint16(b[i:i+2], x) }

// Bit returns bit x of a. In this shape the compiler tests the bit without a shift, which is
// faster.
func Bit(a *[8192]byte, x uint16) int {
	if uint32(a[x>>3])&(1<<(x&7)) != 0 {
		return 1
	}
	return 0
}

// One returns 1 if x is true.
func One(x bool) int {
	if x {
		return 1
	}
	return 0
}

// AtMost returns 1 if x ≤ y, else 0.
func AtMost(x, y uint64) int {
	if x <= y {
		return 1
	}
	return 0
}

// LowBits returns the l bits at bit off. They must lie inside b, and l is at most 63.
func LowBits(b []byte, off int, l uint) uint64 {
	mask := uint64(1)<<l - 1
	at, shift := off>>3, uint(off&7)
	if at+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[at:]) >> shift
		if shift+l > 64 {
			x |= uint64(b[at+8]) << (64 - shift)
		}
		return x & mask
	}
	// Less than eight bytes are left: load the last eight, if there are as many.
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b[len(b)-8:]) >> uint(off-8*(len(b)-8)) & mask
	}
	return TailWord(b) >> uint(off) & mask
}

// TailWord loads at most seven bytes as the low bytes of a word.
func TailWord(b []byte) (x uint64) {
	switch n := len(b); {
	case n >= 4:
		// Two loads that overlap.
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n>>1])<<(8*(n>>1)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}

// Group is what the counting loops take at a time, in bytes: four words, whose counts do not wait
// for each other.
const Group = 32

// RunAt returns the run at byte i as [lo, hi). Whatever the bytes, 0 ≤ lo < hi ≤ 65 536.
func RunAt(runs []byte, i int) (lo, hi int) {
	x := Uint32(runs, i)
	lo = int(x & 0xFFFF)
	return lo, min(lo+int(x>>16)+1, 1<<16)
}

// Lanes of a word that are uint32 with a uint16 inside.
const (
	Even16  = 0x0000FFFF0000FFFF
	Carry32 = 0x0001000000010000
	Lanes32 = 0x0000000100000001
)

// SignBit is the place of the sign in an int: shifted right by it, a uint is 1 if it was made of a
// negative int, else 0.
const SignBit = bits.UintSize - 1

// HashFactor is 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
const HashFactor = 0x9E37_79B9_7F4A_7C15
