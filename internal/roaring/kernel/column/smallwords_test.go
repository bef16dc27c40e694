// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestSmallWords reads words of each width from columns of random words with every path.
func TestSmallWords(t *testing.T) {
	r := rand.New(rand.NewPCG(128, 1))
	for i := range 300 {
		bits, column := 1+i%7, make([]uint16, 1+r.IntN(500))
		words := make([]byte, len(column)*bits/8+2)
		for k := range column {
			column[k] = uint16(r.Uint32N(1 << bits))
			at := k * bits
			words[at>>3] |= byte(column[k] << (at & 7))
			words[at>>3+1] |= byte(column[k] << (at & 7) >> 8)
		}
		offset := r.IntN(len(column)+100) - 100
		var lows, want []uint16
		for k := max(0, offset); k < len(column); k += 1 + r.IntN(3) {
			lows, want = append(lows, uint16(k-offset)), append(want, column[k])
		}
		got, most := make([]uint16, len(lows)), uint16(0)
		for _, w := range want {
			most = max(most, w)
		}
		if m := SmallWords(got, lows, words, offset, bits); m != most || !slices.Equal(got, want) {
			t.Fatalf("%d words of %d bits, offset %d: got %d and %d at most, want %d and %d", len(lows), bits, offset,
				got, m, want, most)
		}
	}
}

// TestManySmallWords reads more words than one call of a kernel does. The greatest one may be in
// any of the calls.
func TestManySmallWords(t *testing.T) {
	const bits = 3
	words := make([]byte, 1<<16*bits/8+2)
	words[0] = 7 // the first word; the others are zeros
	for _, n := range []int{maxWords - 1, maxWords, maxWords + 1, 3*maxWords + 5} {
		for _, at := range []int{0, min(n, maxWords) - 1, min(n-1, maxWords), n - 1} {
			lows, got, want := make([]uint16, n), make([]uint16, n), make([]uint16, n)
			for i := range lows {
				lows[i] = uint16(i | 1)
			}
			lows[at], want[at] = 0, 7
			if most := SmallWords(got, lows, words, 0, bits); most != 7 || !slices.Equal(got, want) {
				t.Fatalf("%d words, of which number %d is 7: got %d at most, or other words", n, at, most)
			}
		}
	}
}

// BenchmarkSmallWords is the time of a word of three bits, of one in seventy.
func BenchmarkSmallWords(b *testing.B) {
	words, lows := make([]byte, 65536*3/8+2), make([]uint16, 936)
	for i := range lows {
		lows[i] = uint16(70 * i)
	}
	dst := make([]uint16, len(lows))
	kerneltest.OnPaths(b, "read", len(lows), "ns/word", func() { SmallWords(dst, lows, words, 0, 3) })
}
