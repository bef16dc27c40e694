// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestRunPairs compares the loops over two lists of runs with the sweep over their edges.
func TestRunPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := []byte{0, 0, 0xFF, 0xFF}
	for round := range 4000 {
		a, b := kerneltest.RandomRuns(r, r.IntN(60), 1+r.IntN(300), 1+r.IntN(300)),
			kerneltest.RandomRuns(r, r.IntN(1000), 1+r.IntN(60), 1+r.IntN(60))
		switch round % 8 {
		case 0:
			a = whole
		case 1:
			b = a
		case 2:
			a, b = b, a
		}
		for _, c := range []struct {
			op setOp
			do func(dst, a, b []byte) (values, runs int)
		}{{andOp, And}, {orOp, Or}, {andNotOp, AndNot}, {xorOp, Xor}} {
			want := make([]byte, len(a)+len(b))
			n, runs := Runs(c.op, want, a, false, b, false)
			got := make([]byte, len(a)+len(b))
			gotN, gotRuns := c.do(got, a, b)
			if gotN != n || gotRuns != runs || !bytes.Equal(got[:4*gotRuns], want[:4*runs]) {
				t.Fatalf("op %04b of %d and %d: got %d values, %d runs %d, want %d, %d, %d", c.op, a, b, gotN, gotRuns,
					got, n, runs, want)
			}
			if c.op == andOp && AndLen(a, b) != n {
				t.Fatalf("AndLen(%d, %d): got %d, want %d", a, b, AndLen(a, b), n)
			}
		}
	}
}

// TestRunPairsOfAnyBytes runs the loops on bytes that are not valid runs: they must end, and stay
// within their room.
func TestRunPairsOfAnyBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		a, b := make([]byte, 4*r.IntN(12)), make([]byte, 4*r.IntN(200))
		for _, x := range [][]byte{a, b} {
			for i := range x {
				x[i] = byte(r.Uint32() >> (8 * r.IntN(4)))
			}
		}
		for i, do := range []func(dst, a, b []byte) (values, runs int){And, Or, AndNot, Xor} {
			dst := make([]byte, len(a)+len(b))
			if n, runs := do(dst, a, b); n < 0 || n > 1<<16 || 4*runs > len(dst) {
				t.Fatalf("loop %d of %d and %d: got %d values and %d runs", i, a, b, n, runs)
			}
		}
		if n := AndLen(a, b); n < 0 || n > 1<<16 {
			t.Fatalf("AndLen of %d and %d: got %d", a, b, n)
		}
	}
}

// endRuns makes the last run end before end, if it begins before that. beginRuns makes the first
// run begin at begin, if it ends behind that.
func endRuns(runs []byte, end int) {
	if lo, _ := At(runs, len(runs)/4-1); lo < end {
		putRun(runs, len(runs)-4, lo, end)
	}
}

func beginRuns(runs []byte, begin int) {
	if _, hi := At(runs, 0); begin < hi {
		putRun(runs, 0, begin, hi)
	}
}

// TestRunsAtTheEnds combines lists of runs that reach the ends of the chunk. The first run of one
// list, of both or of none begins with the chunk, and the last run ends with it; or a single value
// is left out there. Lists have all lengths up to beyond a vector, and beyond the little memory of
// some loops.
func TestRunsAtTheEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 8000 {
		most := 80
		if round%16 == 0 {
			most = 1000
		}
		a, b := kerneltest.RandomRuns(r, 1+r.IntN(most), 1+r.IntN(16000/most), 1+r.IntN(16000/most)),
			kerneltest.RandomRuns(r, 1+r.IntN(most), 1+r.IntN(16000/most), 1+r.IntN(16000/most))
		for i, list := range []*[]byte{&a, &b} {
			if round>>i&1 != 0 && len(*list) > 0 {
				endRuns(*list, 1<<16-round>>4&1)
			}
			if round>>i&4 != 0 && len(*list) > 0 {
				beginRuns(*list, round>>5&1)
			}
		}
		for _, c := range []struct {
			op setOp
			do func(dst, a, b []byte) (values, runs int)
		}{{orOp, Or}, {andNotOp, AndNot}, {xorOp, Xor}} {
			want, got := make([]byte, len(a)+len(b)), make([]byte, len(a)+len(b))
			n, runs := Runs(c.op, want, a, false, b, false)
			if gotN, gotRuns := c.do(got, a, b); gotN != n || gotRuns != runs ||
				!bytes.Equal(got[:4*gotRuns], want[:4*runs]) {
				t.Fatalf("op %04b of %d and %d: got %d values, %d runs %d, want %d, %d, %d", c.op, a, b, gotN, gotRuns,
					got, n, runs, want)
			}
		}
	}
}
