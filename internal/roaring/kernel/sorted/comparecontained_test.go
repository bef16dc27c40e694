// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package sorted

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareContainedLen compares two functions that look values up in bits: of all numbers of values
// to beyond two vectors, inside of the bits, at their ends and outside, bits of any kind at any
// place, both operands beside memory that must not be touched.
func compareContainedLen(t *testing.T, got, want func(values []uint64, bits []byte, base uint64) int) {
	r := rand.New(rand.NewPCG(111, 1))
	list, words := kerneltest.NewArena(t, 8*64), kerneltest.NewArena(t, 3*4096)
	var bytes [8192]byte
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	full := slices.Repeat([]byte{255}, len(bytes))
	wheres, turn := kerneltest.Places(), 0
	for n := range 40 {
		for _, size := range []int{0, 8, 16, 64, 4096, 8128} {
			for range 6 {
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
				// What stands for a value that is outside may be a one or none.
				from := bytes[r.IntN(len(bytes)-size):]
				if turn%5 == 0 {
					from = full
				}
				where := []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]}[turn%3]
				turn++
				b, bits := list.Put(8*n, []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(9)}[r.IntN(3)],
					packed[:]),
					words.Put(size, where, from)
				values := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n)
				if x, y := got(values, bits, base), want(values, bits, base); x != y {
					t.Fatalf("%d values %v in %d bytes from %d on: got %d, want %d", n, values, size, base, x, y)
				}
				if !list.Intact() || !words.Intact() {
					t.Fatalf("%d values in %d bytes: memory was changed", n, size)
				}
			}
		}
	}
}
