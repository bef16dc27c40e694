// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "encoding/binary"

// Words is the payload of a bitset.
type Words = [8192]byte

// load64 and store64 take byte offsets that are multiples of 8 below 8 192.
func load64(w *Words, i int) uint64 { return binary.LittleEndian.Uint64(w[i : i+8]) }

// leUint64 loads the eight bytes at byte i.
func leUint64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8]) }

// leUint32 and storeUint32 take the four bytes at byte i.
func leUint32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i : i+4]) }

func storeUint32(b []byte, i int, x uint32) { binary.LittleEndian.PutUint32(b[i:i+4], x) }

func store64(w *Words, i int, x uint64) { binary.LittleEndian.PutUint64(w[i:i+8], x) }

// load16 reads the uint16 at byte i; both bytes must lie in b.
func load16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i : i+2]) }

func store16(b []byte, i int, x uint16) { binary.LittleEndian.PutUint16(b[i:i+2], x) }

// bit returns bit x of a. In this shape the compiler tests the bit without a shift, a third faster.
func bit(a *Words, x uint16) int {
	if uint32(a[x>>3])&(1<<(x&7)) != 0 {
		return 1
	}
	return 0
}

// one returns 1 if x is true.
func one(x bool) int {
	if x {
		return 1
	}
	return 0
}

// le returns 1 if x ≤ y, else 0.
func le(x, y uint64) int {
	if x <= y {
		return 1
	}
	return 0
}

// lowBits returns the l bits at bit off, which must lie inside b, of which l is at most 63.
func lowBits(b []byte, off int, l uint) uint64 {
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
	return tailWord(b) >> uint(off) & mask
}

// upperWord returns word w of an upper part, which must begin inside it. Bits beyond the upper part
// are zero.
func upperWord(block []byte, w, upper int) uint64 {
	at := 8 * w
	if 64*(w+1) <= upper {
		return leUint64(block, at)
	}
	return lastWord(block, at) & (1<<(upper-64*w) - 1)
}

// tailWord loads at most seven bytes as the low bytes of a word.
func tailWord(b []byte) (x uint64) {
	switch n := len(b); {
	case n >= 4:
		// Two loads that overlap.
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n>>1])<<(8*(n>>1)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}

// group is what the counting loops take at a time: four words, whose counts do not wait for each
// other.
const (
	group = 32   // bytes
	part  = 1024 // bytes that are counted by vectors
)

// runAt returns the run at byte i as Run does.
func runAt(runs []byte, i int) (lo, hi int) {
	x := leUint32(runs, i)
	lo = int(x & 0xFFFF)
	return lo, min(lo+int(x>>16)+1, 1<<16)
}

// lastWord loads the bytes from at on, as many of eight as there are.
func lastWord(block []byte, at int) uint64 {
	switch {
	case at+8 <= len(block):
		return leUint64(block, at)
	case len(block) >= 8:
		return leUint64(block, len(block)-8) >> (8 * (at + 8 - len(block)) & 63)
	}
	return tailWord(block[at:])
}
