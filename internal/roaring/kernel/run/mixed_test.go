// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestRunsWithArraysAndBitsets combines runs with an array or a bitset, for few runs and for many.
// It compares the result with the same operation on one bit after the other.
func TestRunsWithArraysAndBitsets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		runs := kerneltest.RandomRuns(r, r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(9)), 1+r.IntN(1<<r.IntN(9)))
		var in, a bitset.Words
		for i := range len(runs) / 4 {
			for lo, hi := At(runs, i); lo < hi; lo++ {
				in[lo>>3] |= 1 << (lo & 7)
			}
		}
		switch round % 10 {
		case 0:
			runs, in = nil, bitset.Words{}
		case 1:
			runs = []byte{0, 0, 0xFF, 0xFF}
			in = bitset.Words(bytes.Repeat([]byte{0xFF}, len(in)))
		}
		step := 1 + r.IntN(1<<r.IntN(14))
		for x := r.IntN(step); x < 1<<16; x += 1 + r.IntN(2*step) {
			a[x>>3] |= 1 << (x & 7)
		}
		var lows, both, rest []byte
		for x := range 1 << 16 {
			if b := byte(1) << (x & 7); a[x>>3]&b != 0 {
				value := []byte{byte(x), byte(x >> 8)}
				lows = append(lows, value...)
				if in[x>>3]&b != 0 {
					both = append(both, value...)
				} else {
					rest = append(rest, value...)
				}
			}
		}
		fail := func(what string, got, want any) {
			t.Fatalf("%s of %d runs and %d values: got %v, want %v", what, len(runs)/4, len(lows)/2, got, want)
		}
		var filled bitset.Words
		if bitset.FillRuns(&filled, runs); filled != in {
			fail("FillRuns", filled, in)
		}
		if n := BitsetAndLen(runs, &a); n != len(both)/2 {
			fail("BitsetAndLen", n, len(both)/2)
		}
		var and, andNot, want bitset.Words
		bitset.And(&want, &in, &a)
		if n := BitsetAnd(&and, runs, &a); n != len(both)/2 || and != want {
			fail("BitsetAnd", n, len(both)/2)
		}
		outside := bitset.AndNot(&want, &in, &a)
		if n := BitsetAndNot(&andNot, runs, &a); n != outside || andNot != want {
			fail("BitsetAndNot", n, outside)
		}
		if n := ArrayAndLen(lows, runs); n != len(both)/2 {
			fail("ArrayAndLen", n, len(both)/2)
		}
		dst := make([]byte, len(lows))
		if n := ArrayAnd(dst, lows, runs); !bytes.Equal(dst[:2*n], both) {
			fail("ArrayAnd", dst[:2*n], both)
		}
		if n := ArrayAndNot(dst, lows, runs); !bytes.Equal(dst[:2*n], rest) {
			fail("ArrayAndNot", dst[:2*n], rest)
		}
	}
}

// TestRunsOfAnyBytes gives bytes that are not valid runs to what combines them with arrays and
// bitsets: counts stay within the operands.
func TestRunsOfAnyBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		runs, lows := make([]byte, r.IntN(1<<r.IntN(14))), make([]byte, r.IntN(1<<r.IntN(14)))
		for _, x := range [][]byte{runs, lows} {
			for i := range x {
				x[i] = byte(r.Uint32() >> (8 * r.IntN(4)))
			}
		}
		var a, dst bitset.Words
		copy(a[:], lows)
		bitset.FillRuns(&dst, runs)
		for i, n := range []int{BitsetAndLen(runs, &a), BitsetAnd(&dst, runs, &a),
			BitsetAndNot(&dst, runs, &a)} {
			if n < 0 || n > 1<<16 {
				t.Fatalf("bitset %d with %d bytes of runs: got %d values", i, len(runs), n)
			}
		}
		room := make([]byte, len(lows))
		for i, n := range []int{ArrayAnd(room, lows, runs), ArrayAndNot(room, lows, runs)} {
			if n < 0 || 2*n > len(lows) {
				t.Fatalf("array %d of %d bytes with %d bytes of runs: got %d values", i, len(lows), len(runs), n)
			}
		}
		ArrayAndLen(lows, runs)
	}
}

// TestFillRunsThatOverlap gives bitset.FillRuns as many runs as a chunk has room for, each the
// whole chunk. Bytes from outside may say so. Filling each anew would take too long: it must not
// take many times as long as runs of one value.
func TestFillRunsThatOverlap(t *testing.T) {
	for _, n := range []int{999, len(bitset.Words{}) / 4} {
		fastest := func(length int) time.Duration {
			runs := make([]byte, 4*n)
			for i := range n {
				lo := i * (1<<16 - length) / n
				putRun(runs, 4*i, lo, lo+length)
			}
			least := time.Hour
			for range 50 {
				var filled bitset.Words
				start := time.Now()
				bitset.FillRuns(&filled, runs)
				least = min(least, time.Since(start))
				if got, want := bitset.Ones(filled[:]), max(n, length); got != want {
					t.Fatalf("%d runs of %d values: got %d ones, want %d", n, length, got, want)
				}
			}
			return least
		}
		if one, all := fastest(1), fastest(1<<16); all > 20*one {
			t.Errorf("%d runs: got %v for whole chunks, and %v for single values, want at most 20 times as much", n,
				all, one)
		}
	}
}
