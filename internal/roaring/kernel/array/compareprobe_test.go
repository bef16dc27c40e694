// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareFilters compares kernels that look up the values of any bytes in a bitset. They write some
// of the values in the room of all, or write nothing.
func compareFilters(t *testing.T, writes bool, got, want func(dst, lows []byte, a *bitset.Words, flip int) int) {
	r := rand.New(rand.NewPCG(105, 1))
	list := kerneltest.SomeWords(r)
	x, y, z := kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096)
	var random [8192]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	expected := make([]byte, len(random))
	wheres := kerneltest.Places()
	sizes := []int{8190, 8191, 8192, 2048}
	for n := range 260 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]} {
			flip, room := r.IntN(2), 0
			if writes {
				room = n
			}
			a, from := list[r.IntN(len(list))], r.IntN(len(random)-n+1)
			m := want(expected[:n], random[from:from+n], a, flip)
			dst, lows, bits := x.Put(room, where, nil), y.Put(n, where, random[from:]),
				(*bitset.Words)(z.Put(8192, wheres[r.IntN(len(wheres))], a[:]))
			if k := got(dst, lows, bits, flip); k != m || writes && !bytes.Equal(dst[:2*k], expected[:2*k]) {
				t.Fatalf("%d bytes at %d: got %d, want %d", n, where, k, m)
			}
			if !x.Intact() || !y.Intact() || !z.Intact() || !bytes.Equal(lows, random[from:from+n]) || *bits != *a {
				t.Fatalf("%d bytes at %d: memory was changed", n, where)
			}
			if !writes {
				continue
			}
			if k := got(lows, lows, bits, flip); k != m || !bytes.Equal(lows[:2*k], expected[:2*k]) || !y.Intact() {
				t.Fatalf("%d bytes at %d, in their place: got %d, want %d", n, where, k, m)
			}
		}
	}
}
