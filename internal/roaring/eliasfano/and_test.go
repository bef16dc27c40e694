// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// packOf returns the block of ascending values with the low width given.
func packOf(values []uint64, low uint) Packed {
	block := naiveBlock(values, low)
	return Packed{Block: block[:len(block):len(block)], N: len(values), Low: low}
}

// TestPackedAnd intersects lists of every length, range and overlap, also of values whose lower
// bits are the same.
func TestPackedAnd(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	tried, found := 0, 0
	for range 4000 {
		bits, shift := 1+r.IntN(50), r.IntN(14)
		draw := func() uint64 { return r.Uint64N(1<<bits) << shift }
		a, b := kerneltest.Ascending(1+r.IntN(1<<r.IntN(11)), draw), kerneltest.Ascending(1+r.IntN(1<<r.IntN(11)), draw)
		shared := kerneltest.Ascending(r.IntN(1<<r.IntN(8)), draw)
		a, b = kerneltest.SortedSet(append(a, shared...)), kerneltest.SortedSet(append(b, shared...))
		if r.IntN(20) == 0 {
			a = slices.Clone(b)
		}
		p, q := packOf(a, LowWidth(len(a), a[len(a)-1])), packOf(b, LowWidth(len(b), b[len(b)-1]))
		dst := make([]uint64, r.IntN(MaxAnd+1))
		n, ok := And(dst, &p, &q)
		tried++
		if !ok {
			continue
		}
		found++
		want := kerneltest.InBoth(a, b)
		if n != len(want) || !slices.Equal(dst[:min(n, len(dst))], want[:min(n, len(dst))]) {
			t.Fatalf("%d and %d values below 2^%d: got %d values %d, want %d", len(a), len(b), bits+shift, n,
				dst[:min(n, len(dst))], want)
		}
	}
	if found < tried/10 {
		t.Fatalf("found the answer for %d of %d pairs of lists, want a tenth of them at least", found, tried)
	}
}

// TestPackedAndFindsOut is about the lists that And is for: it must have the answer for them.
func TestPackedAndFindsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, n := range []int{2, 10, 16, 17, 30, 100, 181, 182, 300, 1000} {
		for range 50 {
			draw := func() uint64 { return r.Uint64N(1 << 40) }
			shared := draw()
			a, b := kerneltest.SortedSet(append(kerneltest.Ascending(n-1, draw), shared)),
				kerneltest.SortedSet(append(kerneltest.Ascending(n-1, draw), shared))
			p, q := packOf(a, LowWidth(len(a), a[len(a)-1])), packOf(b, LowWidth(len(b), b[len(b)-1]))
			var dst [MaxAnd]uint64
			got, ok := And(dst[:], &p, &q)
			if want := kerneltest.InBoth(a, b); !ok || !slices.Equal(dst[:got], want) {
				t.Fatalf("two lists of %d values: got %d, %v, want %d", n, dst[:got], ok, want)
			}
		}
	}
}

// TestPackedAndOfAnyBytes intersects blocks that are not valid: the work and the answer are
// bounded.
func TestPackedAndOfAnyBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	block := func() Packed {
		b := make([]byte, r.IntN(1<<r.IntN(12)))
		for i := range b {
			b[i] = byte(r.Uint64() & r.Uint64())
		}
		low := uint(r.IntN(66))
		return Packed{Block: b[:len(b):len(b)], N: r.IntN(8*len(b)/(int(low)+1)+2) - 1, Low: low}
	}
	for range 20_000 {
		p, q := block(), block()
		dst := make([]uint64, MaxAnd)
		n, ok := And(dst, &p, &q)
		again, okAgain := And(nil, &p, &q)
		if n != again || ok != okAgain || n > MaxAnd {
			t.Fatalf("N=%d low=%d and N=%d low=%d: got %d, %v, and again %d, %v", p.N, p.Low, q.N, q.Low, n, ok, again,
				okAgain)
		}
	}
}
