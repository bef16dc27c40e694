// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"
)

// TestRunsWithArraysAndBitsets compares what combines runs with an array or a bitset, for few runs
// and for many, with the same for one bit after the other.
func TestRunsWithArraysAndBitsets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		runs := randomRuns(r, r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(9)), 1+r.IntN(1<<r.IntN(9)))
		var in, a Words
		for i := range len(runs) / 4 {
			for lo, hi := Run(runs, i); lo < hi; lo++ {
				in[lo>>3] |= 1 << (lo & 7)
			}
		}
		switch round % 10 {
		case 0:
			runs, in = nil, Words{}
		case 1:
			runs = []byte{0, 0, 0xFF, 0xFF}
			in = Words(bytes.Repeat([]byte{0xFF}, len(in)))
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
		var filled Words
		if FillRuns(&filled, runs); filled != in {
			fail("FillRuns", filled, in)
		}
		if n := RunBitsetAndLen(runs, &a); n != len(both)/2 {
			fail("RunBitsetAndLen", n, len(both)/2)
		}
		var and, andNot, want Words
		BitsetAnd(&want, &in, &a)
		if n := RunBitsetAnd(&and, runs, &a); n != len(both)/2 || and != want {
			fail("RunBitsetAnd", n, len(both)/2)
		}
		outside := BitsetAndNot(&want, &in, &a)
		if n := RunBitsetAndNot(&andNot, runs, &a); n != outside || andNot != want {
			fail("RunBitsetAndNot", n, outside)
		}
		if n := ArrayRunAndLen(lows, runs); n != len(both)/2 {
			fail("ArrayRunAndLen", n, len(both)/2)
		}
		dst := make([]byte, len(lows))
		if n := ArrayRunAnd(dst, lows, runs); !bytes.Equal(dst[:2*n], both) {
			fail("ArrayRunAnd", dst[:2*n], both)
		}
		if n := ArrayRunAndNot(dst, lows, runs); !bytes.Equal(dst[:2*n], rest) {
			fail("ArrayRunAndNot", dst[:2*n], rest)
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
		var a, dst Words
		copy(a[:], lows)
		FillRuns(&dst, runs)
		for i, n := range []int{RunBitsetAndLen(runs, &a), RunBitsetAnd(&dst, runs, &a),
			RunBitsetAndNot(&dst, runs, &a)} {
			if n < 0 || n > 1<<16 {
				t.Fatalf("bitset %d with %d bytes of runs: got %d values", i, len(runs), n)
			}
		}
		room := make([]byte, len(lows))
		for i, n := range []int{ArrayRunAnd(room, lows, runs), ArrayRunAndNot(room, lows, runs)} {
			if n < 0 || 2*n > len(lows) {
				t.Fatalf("array %d of %d bytes with %d bytes of runs: got %d values", i, len(lows), len(runs), n)
			}
		}
		ArrayRunAndLen(lows, runs)
	}
}

// TestFillRunsThatOverlap gives FillRuns as many runs as a chunk has room for, all of which are the
// whole chunk, as bytes from outside may say: each was filled anew, which took a millisecond. It
// must not take many times as long as runs of one value.
func TestFillRunsThatOverlap(t *testing.T) {
	for _, n := range []int{crowdedRuns - 1, len(Words{}) / 4} {
		fastest := func(length int) time.Duration {
			runs := make([]byte, 4*n)
			for i := range n {
				lo := i * (1<<16 - length) / n
				putRun(runs, 4*i, lo, lo+length)
			}
			least := time.Hour
			for range 50 {
				var filled Words
				start := time.Now()
				FillRuns(&filled, runs)
				least = min(least, time.Since(start))
				if got, want := ones(filled[:]), max(n, length); got != want {
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
