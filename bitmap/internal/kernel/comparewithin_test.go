// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// compareWithin compares two functions that look values up in bits: of all numbers of values to beyond two vectors, inside of the bits, at their ends and outside, both operands beside memory that must not be touched.
func compareWithin(t *testing.T, got, want func(values []uint64, bits []byte, base uint64) int) {
	r := rand.New(rand.NewPCG(111, 1))
	list, words := newArena(t, 8*64), newArena(t, 8192)
	var bytes [8192]byte
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	for n := range 40 {
		for _, size := range []int{0, 8, 16, 64, 4096, 8192} {
			for _, end := range []bool{false, true} {
				base := r.Uint64() >> r.IntN(64)
				var packed [8 * 64]byte
				for i := range n {
					x := base + r.Uint64N(uint64(8*size+1))
					switch r.IntN(8) {
					case 0:
						x = base + uint64(8*size) - 1
					case 1:
						x = base - uint64(r.IntN(3))
					case 2:
						x = r.Uint64()
					}
					binary.LittleEndian.PutUint64(packed[8*i:], x)
				}
				at, where := 0, 0
				if end {
					at, where = len(list.memory)-8*n, len(words.memory)-size
				}
				b, bits := list.place(8*n, at, packed[:]), words.place(size, where, bytes[:])
				values := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n)
				if x, y := got(values, bits, base), want(values, bits, base); x != y {
					t.Fatalf("%d values %v in %d bytes from %d on: got %d, want %d", n, values, size, base, x, y)
				}
				if !list.intact() || !words.intact() {
					t.Fatalf("%d values in %d bytes: memory was changed", n, size)
				}
			}
		}
	}
}
