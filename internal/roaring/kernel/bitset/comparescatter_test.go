// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package bitset

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// compareScatters compares two functions that set the bits of arrays or runs. Sizes are all up to
// beyond some steps, and some larger ones. Values are in any order. Words and array stand beside
// memory that must not be touched.
func compareScatters(t *testing.T, got, want func(bits *Words, lows []byte)) {
	r := rand.New(rand.NewPCG(138, 1))
	list := kerneltest.SomeWords(r)
	x, y := kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096)
	random := make([]byte, 8192)
	sizes := []int{8190, 8191, 8192, 2048}
	for n := range 260 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin, 1 + r.IntN(64)} {
			mask := uint32(1)<<r.IntN(17) - 1 // many values of few words, or few of many
			for i := range random {
				random[i] = byte(r.Uint32() & mask >> (i & 1 * 8))
			}
			switch r.IntN(4) {
			case 0, 1:
				copy(random, kerneltest.SomeRuns(r))
			case 2: // runs of all lengths in any order; some end the chunk
				for i := 0; i < len(random); i += 4 {
					swar.PutUint16(random, i, uint16(r.IntN(1<<16)|(r.IntN(4)-1)>>2&0xFF00))
					swar.PutUint16(random, i+2, uint16(r.IntN(1<<r.IntN(14))))
				}
			}
			a := list[r.IntN(len(list))]
			expected := *a
			want(&expected, random[:n])
			lows, bits := x.Put(n, where, random), (*Words)(y.Put(8192, where, a[:]))
			got(bits, lows)
			if *bits != expected {
				t.Fatalf("%d bytes at %d: wrong bits", n, where)
			}
			if !x.Intact() || !y.Intact() || !bytes.Equal(lows, random[:n]) {
				t.Fatalf("%d bytes at %d: memory was changed", n, where)
			}
		}
	}
}
