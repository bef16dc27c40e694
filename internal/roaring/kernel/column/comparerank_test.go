// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareRanks compares two functions that look for a count among others, with sizes beside them:
// of all numbers of counts to beyond four vectors and longer ones, most of them too small, both
// operands at both ends of memory that must not be touched.
func compareRanks(t *testing.T, got, want func(counts, sizes []uint32, least uint32, part float64) int) {
	r := rand.New(rand.NewPCG(125, 1))
	x, y := kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 2*4096)
	for i := range 30000 {
		n := i % 150
		if i%50 == 0 {
			n = r.IntN(2048)
		}
		rarely, bits := 1+r.IntN(2*n+1), r.IntN(32)
		least := 1 + r.Uint32()>>bits
		a, b := make([]byte, 4*n), make([]byte, 4*n)
		for k := range n {
			count := r.Uint32N(least)
			switch {
			case r.IntN(rarely) == 0:
				count = least + r.Uint32()>>bits>>1
			case r.IntN(8) == 0:
				count = least
			case r.IntN(50) == 0:
				count = math.MaxUint32
			}
			binary.LittleEndian.PutUint32(a[4*k:], count)
			size := count
			if r.IntN(3) > 0 {
				size = uint32(min(uint64(count)+r.Uint64N(uint64(count)+2), math.MaxUint32))
			}
			binary.LittleEndian.PutUint32(b[4*k:], size)
		}
		where, other := r.IntN(2)+kerneltest.AtEnd, r.IntN(2)+kerneltest.AtEnd
		asCounts := func(b []byte) []uint32 {
			return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
		}
		counts, sizes := asCounts(x.Put(4*n, where, a)), asCounts(y.Put(4*n, other, b))
		part := []float64{0, 0.5, 0.75, 1, r.Float64(), 2, math.Inf(1), math.NaN()}[r.IntN(8)]
		if k, m := got(counts, sizes, least, part), want(counts, sizes, least, part); k != m {
			t.Fatalf("%d counts at %d from %d on, or %g of their sizes: got %d, want %d", n, where, least, part, k, m)
		}
	}
}
