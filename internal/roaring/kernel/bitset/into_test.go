// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

func TestInto(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for i, xs := range kerneltest.Shapes(r) {
		for j, ys := range kerneltest.Shapes(r) {
			b, lows := kerneltest.EncodeWords(ys), kerneltest.EncodeLows(ys)
			for _, c := range []struct {
				name  string
				words func(dst, a *Words)
				lows  func(dst *Words, lows []byte)
				f     func(a, b bool) bool
			}{
				{"or", OrInto, Scatter, kerneltest.Either},
				{"xor", XorInto, Invert, kerneltest.OnlyOne},
				{"and not", AndNotInto, Erase, kerneltest.OnlyFirst},
			} {
				want := kerneltest.EncodeWords(kerneltest.Merge(xs, ys, c.f))
				got := kerneltest.EncodeWords(xs)
				if c.words(got, b); *got != *want {
					t.Fatalf("%s of the words of shapes %d and %d", c.name, i, j)
				}
				got = kerneltest.EncodeWords(xs)
				if c.lows(got, lows); *got != *want {
					t.Fatalf("%s of the lows of shapes %d and %d", c.name, i, j)
				}
			}
		}
	}
}

func TestRangeFills(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for i, xs := range kerneltest.Shapes(r) {
		a := kerneltest.EncodeWords(xs)
		var got []int
		for lo, hi := Run(a, 0); lo < 1<<16; lo, hi = Run(a, hi) {
			if len(got) > 0 && got[len(got)-1] == lo-1 {
				t.Fatalf("shape %d: runs that touch at %d", i, lo)
			}
			for ; lo < hi; lo++ {
				got = append(got, lo)
			}
		}
		if !slices.Equal(got, xs) {
			t.Fatalf("shape %d: runs of other values", i)
		}
		for _, from := range []int{0, 1, 63, 64, 40_000, 65_535, 65_536} {
			want := xs[len(xs)-len(slices.DeleteFunc(slices.Clone(xs), func(x int) bool { return x < from })):]
			dst := make([]uint64, 1+r.IntN(300))
			for at, n := from, 0; ; {
				n, at = ValuesFrom(dst, a, at, 7<<16)
				for k, x := range dst[:n] {
					if k >= len(want) || x != 7<<16+uint64(want[k]) {
						t.Fatalf("shape %d from %d: wrong values", i, from)
					}
				}
				if want = want[n:]; n < len(dst) {
					break
				}
			}
			if len(want) > 0 {
				t.Fatalf("shape %d from %d: %d values are missing", i, from, len(want))
			}
		}
	}
}

// TestBitsetWordsValues reads bitsets word by word into rooms of several sizes. It also finds the
// first word that is not full.
func TestBitsetWordsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for i, xs := range append(kerneltest.Shapes(r), nil) {
		a := kerneltest.EncodeWords(xs)
		for _, room := range []int{64, 65, 128, 1000} {
			var got []uint64
			dst := make([]uint64, room)
			for at := 0; at < 1<<16; {
				n, next := WordsValues(dst, a, at, 3<<16)
				if next <= at || next&63 != 0 || n == 0 && next < 1<<16 {
					t.Fatalf("shape %d, room %d: %d values from %d to %d", i, room, n, at, next)
				}
				got, at = append(got, dst[:n]...), next
			}
			if len(got) != len(xs) {
				t.Fatalf("shape %d, room %d: %d values, want %d", i, room, len(got), len(xs))
			}
			for k, x := range xs {
				if got[k] != 3<<16+uint64(x) {
					t.Fatalf("shape %d, room %d: value %d is %d", i, room, k, got[k])
				}
			}
		}
		full := Full(a, 0)
		for at := range full {
			if a[at] != 0xFF {
				t.Fatalf("shape %d: %d bytes are said to be full, byte %d is not", i, full, at)
			}
		}
		if full < len(a) && swar.Load(a, full) == ^uint64(0) || Full(a, full) != full {
			t.Fatalf("shape %d: only %d bytes are said to be full", i, full)
		}
	}
}

func TestShiftBits(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for i, xs := range kerneltest.Shapes(r) {
		for _, by := range []int{0, 1, 63, 64, 65, 4096, 65_535, r.IntN(1 << 16)} {
			var low, high []int
			for _, x := range xs {
				if x += by; x < 1<<16 {
					low = append(low, x)
				} else {
					high = append(high, x-1<<16)
				}
			}
			lo, hi := kerneltest.EncodeWords([]int{5}), kerneltest.EncodeWords([]int{6})
			nLo, nHi := ShiftBits(lo, hi, kerneltest.EncodeWords(xs), by)
			if nLo != len(low) || nHi != len(high) || *lo != *kerneltest.EncodeWords(low) ||
				*hi != *kerneltest.EncodeWords(high) {
				t.Fatalf("shape %d by %d", i, by)
			}
		}
	}
}
