// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestRunGaps compares the gaps of runs with what a whole chunk has and the runs have not.
func TestRunGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	whole := []byte{0, 0, 0xFF, 0xFF}
	for round := range 4000 {
		runs := kerneltest.RandomRuns(r, round%67, 1+r.IntN(700), 1+r.IntN(700))
		if len(runs) > 0 && round&1 != 0 {
			endRuns(runs, 1<<16-round>>2&1)
		}
		if len(runs) > 0 && round&2 != 0 {
			beginRuns(runs, round>>3&1)
		}
		want := make([]byte, len(runs)+4)
		_, n := Runs(andNotOp, want, whole, false, runs, false)
		if got := runGaps(make([]byte, len(runs)+4), runs); !bytes.Equal(got, want[:4*n]) {
			t.Fatalf("gaps of %x: got %x, want %x", runs, got, want[:4*n])
		}
	}
}

// TestRunGapsOfAnyBytes gives bytes that are no runs, and too little room.
func TestRunGapsOfAnyBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		runs, dst := make([]byte, r.IntN(60)), make([]byte, 4+r.IntN(60))
		for i := range runs {
			runs[i] = byte(r.Uint32() >> (8 * r.IntN(4)))
		}
		if got := runGaps(dst, runs); len(got) > len(dst) || len(got) > len(runs)+4 {
			t.Fatalf("gaps of %x in %d bytes: got %d", runs, len(dst), len(got))
		}
	}
}
