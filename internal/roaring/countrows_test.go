// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// TestCountRows counts rows of each width, some of them without a counter, and refuses other
// widths.
func TestCountRows(t *testing.T) {
	for width := 1; width <= 4; width++ {
		row := func(x byte) []byte { return append([]byte{x}, 0, 0, 0)[:width] }
		spans := [][]byte{slices.Concat(row(3), row(0), row(3)), nil, slices.Concat(row(7), row(1))}
		counts := make([]uint32, 4)
		if beyond := CountRows(counts, spans, width); beyond != 1 || !slices.Equal(counts, []uint32{1, 1, 0, 2}) {
			t.Errorf("rows of %d bytes: got %v and %d beyond, want [1 1 0 2] and 1", width, counts, beyond)
		}
	}
	for _, width := range []int{0, 5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("rows of %d bytes: got no panic", width)
				}
			}()
			CountRows(nil, nil, width)
		}()
	}
}

// TestKeepLows keeps up to thousands of lows, in any order, in their own memory too.
func TestKeepLows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 702))
	for n := range 200 {
		var among [container.MaxPayload]byte
		lows, want := make([]uint16, n*n/8), []uint16(nil)
		for i := range lows {
			lows[i] = uint16(r.Uint32())
			if r.IntN(3) == 0 {
				among[lows[i]>>3] |= 1 << (lows[i] & 7)
			}
		}
		for _, x := range lows {
			if among[x>>3]>>(x&7)&1 != 0 {
				want = append(want, x)
			}
		}
		dst := make([]uint16, len(lows))
		if got := dst[:KeepLows(dst, lows, &among)]; !slices.Equal(got, want) {
			t.Fatalf("of %d: got %d, want %d", len(lows), got, want)
		}
		if got := lows[:KeepLows(lows, lows, &among)]; !slices.Equal(got, want) {
			t.Fatalf("of %d, in their memory: got %d, want %d", len(lows), got, want)
		}
	}
}

// TestSmallWords reads words of each width, and refuses other widths.
func TestSmallWords(t *testing.T) {
	for bits := 1; bits <= 7; bits++ {
		want, lows, words := make([]uint16, 40), make([]uint16, 40), make([]byte, 40)
		for i := range want {
			want[i], lows[i] = uint16(i)&(1<<bits-1), uint16(i)+3
			at := i * bits
			both := want[i] << (at & 7)
			words[at>>3] |= byte(both)
			words[at>>3+1] |= byte(both >> 8)
		}
		got := make([]uint16, len(lows))
		if most := SmallWords(got, lows, words, -3, bits); most != slices.Max(want) || !slices.Equal(got, want) {
			t.Errorf("words of %d bits: got %d and %d at most, want %d", bits, got, most, want)
		}
	}
	for _, bits := range []int{0, 8} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("words of %d bits: got no panic", bits)
				}
			}()
			SmallWords(nil, nil, nil, 0, bits)
		}()
	}
}

// TestRanks finds counts, none, and refuses counts without sizes.
func TestRanks(t *testing.T) {
	counts, sizes := []uint32{1, 5, 3, 0, 4}, []uint32{1, 50, 4, 0, 40}
	for least, want := range []int{0, 0, 1, 1, 1, 1, 5} {
		if got := FirstCount(counts, uint32(least)); got != want {
			t.Errorf("the first count from %d on: got place %d, want %d", least, got, want)
		}
	}
	for _, c := range []struct {
		least uint32
		part  float64
		want  int
	}{{0, 0, 4}, {1, 0.5, 2}, {1, 0.8, 0}, {0, 0.5, 3}, {4, 0.1, 4}, {5, 0.1, 1}, {5, 0.2, -1}} {
		if got := LastShare(counts, sizes, c.least, c.part); got != c.want {
			t.Errorf("the last count from %d on that is %g of its size: got place %d, want %d", c.least, c.part, got,
				c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("more counts than sizes: got no panic")
		}
	}()
	LastShare(counts, sizes[:4], 0, 0)
}
