// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareSmallWords compares two functions that read words of a few bits: any number of them to
// beyond four vectors, anywhere up to the last that two bytes can be read for, with offsets of both
// signs; all operands stand at both ends of memory that must not be touched.
func compareSmallWords(t *testing.T, got, want func(dst, lows []uint16, words []byte, offset, bits int) uint16) {
	r := rand.New(rand.NewPCG(127, 1))
	x, y, z := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 3*4096)
	var random [8192]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for i := range 20000 {
		n, bits, size := i%80, 1+r.IntN(7), 2+r.IntN(2<<r.IntN(12))
		count := ((size-2)*8 + 8) / bits // words that begin where two bytes follow
		for count > 0 && (count-1)*bits>>3+2 > size {
			count--
		}
		base := r.IntN(1 << 12)
		offset := -base
		if r.IntN(2) == 0 {
			offset = r.IntN(count)
			base = 0
			count -= offset
		}
		drawn := make([]int, n)
		for k := range drawn {
			drawn[k] = base + r.IntN(count)
		}
		from := kerneltest.NativeLows(drawn)
		at := func() int { return r.IntN(2) + kerneltest.AtEnd }
		lows, dst, words := kerneltest.AsLows(x.Put(2*n, at(), from)), kerneltest.AsLows(y.Put(2*n, at(),
			nil)),
			z.Put(size, at(), random[:])
		expected := make([]uint16, n)
		m := want(expected, lows, words, offset, bits)
		if k := got(dst, lows, words, offset, bits); k != m || !slices.Equal(dst, expected) {
			t.Fatalf("%d words of %d bits in %d bytes, offset %d: got %d and %d at most, want %d and %d", n, bits, size,
				offset, dst, k, expected, m)
		}
		if !x.Intact() || !y.Intact() || !z.Intact() {
			t.Fatalf("%d words of %d bits in %d bytes: memory was changed", n, bits, size)
		}
		// One word that begins where no two bytes can be read.
		beyond := ((size-1)*8+bits-1)/bits + r.IntN(3) - offset
		if n == 0 || beyond >= 1<<16 {
			continue
		}
		words = z.Put(size, kerneltest.AtEnd, random[:])
		lows[r.IntN(n)] = uint16(beyond)
		if !refuses(func() { got(dst, lows, words, offset, bits) }) {
			t.Fatalf("%d words of %d bits in %d bytes, one of which begins in the last: got an answer, or a look behind them",
				n, bits, size)
		}
	}
}

// refuses reports whether a function panics, and not because it touches memory that it must not.
func refuses(f func()) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		_, fault := p.(interface{ Addr() uintptr })
		ok = p != nil && !fault
	}()
	f()
	return false
}
