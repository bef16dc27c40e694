// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"math/bits"
)

// LoadUint reads w bytes at off as an integer; they must lie inside b.
func LoadUint(b []byte, off int, w uint8) uint64 {
	if off+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[off:]) & (1<<(8*w) - 1)
	}
	return loadTail(b[off : off+int(w)])
}

// loadTail reads an integer too near to the end of the bytes for a load of eight.
func loadTail(b []byte) (x uint64) {
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// ByteWidth returns the number of bytes that x needs, at least 1.
func ByteWidth(x uint64) uint8 { return uint8(max((bits.Len64(x)+7)/8, 1)) }

// StoreUint writes the low w bytes of x.
func StoreUint(b []byte, x uint64, w int) {
	for i := range b[:w] {
		b[i] = byte(x)
		x >>= 8
	}
}
