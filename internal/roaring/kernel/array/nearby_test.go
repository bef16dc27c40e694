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

// TestNearby probes a bitset between pages that may not be touched with long arrays. Each 32 values
// in turn have some words between them: about as many as are loaded at once, fewer and more. They
// begin and end everywhere, also at the ends of the bitset. Some do not ascend.
func TestNearby(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	bits := (*bitset.Words)(kerneltest.NewMemory(t, len(bitset.Words{})))
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	const group, groups = 32, 64
	got, want := make([]byte, 2*group*groups), make([]byte, 2*group*groups)
	check := func(what string, words int, lows []byte) {
		t.Helper()
		for flip := range 2 {
			n, m := FilterBits(got, lows, bits, flip), filterBitsGeneric(want, lows, bits, flip)
			if n != m || !bytes.Equal(got[:2*n], want[:2*m]) {
				t.Fatalf("%s, %d words apart, flip %d: got %d values of %d, want %d, or others", what, words, flip, n,
					len(lows)/2, m)
			}
			if n := arrayBitsetAndLen(lows, bits); flip == 0 && n != m {
				t.Fatalf("%s, %d words apart: counted %d values, want %d", what, words, n, m)
			}
		}
	}
	for _, words := range []int{0, 1, 2, 31, 63, 64, 65, 126, 127, 128, 129, 200, 255, 256, 4095} {
		for round := range 50 {
			values := make([]int, 0, group*groups)
			for g := range groups {
				span := 16*words + r.IntN(16) // from the first to the last of a group
				first := 0
				if span < 1<<16 {
					first = r.IntN(1<<16 - span)
				}
				switch {
				case span >= 1<<16:
					span = 1<<16 - 1
				case g == 0:
					first = 0
				case g == groups-1:
					first = 1<<16 - 1 - span
				}
				first &^= 15 * (round & 1) // at the begin of a word, or anywhere
				values = append(values, first)
				for i := 1; i < group-1; i++ {
					values = append(values, first+span*i/(group-1))
				}
				values = append(values, first+span)
			}
			lows := kerneltest.EncodeLows(values)
			check("ascending groups", words, lows[:len(lows)-2*(round%group)])
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			check("no order", words, kerneltest.EncodeLows(values))
		}
	}
}
