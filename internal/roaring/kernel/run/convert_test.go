// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

func TestConvert(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		// Runs and gaps of lengths of some scale each.
		words := new(bitset.Words)
		n, runs := 0, 0
		for at := r.IntN(2) * r.IntN(70000); at < 1<<16; runs++ {
			end := min(at+1+r.IntN(1<<r.IntN(17)), 1<<16)
			n += end - at
			for ; at < end; at++ {
				words[at>>3] |= 1 << (at & 7)
			}
			at = end + 1 + r.IntN(1<<r.IntN(12))
		}
		if gotN, gotRuns := bitset.Shape(words); gotN != n || gotRuns != runs {
			t.Fatalf("Shape: got %d values in %d runs, want %d in %d", gotN, gotRuns, n, runs)
		}
		dst := make([]byte, 4*runs)
		if got := FromBitset(dst, words); got != runs || Len(dst) != n {
			t.Fatalf("FromBitset: got %d runs of %d values, want %d of %d", got, Len(dst), runs, n)
		}
		lows := make([]byte, 2*n)
		if got := ToArray(lows, dst); got != n {
			t.Fatalf("ToArray: got %d values, want %d", got, n)
		}
		back := new(bitset.Words)
		if bitset.SetArray(back, lows); *back != *words {
			t.Fatal("FromBitset: other values")
		}
		if got, ascending := array.Shape(lows); got != runs || !ascending {
			t.Fatalf("Shape: got %d, %v, want %d runs", got, ascending, runs)
		}
		if got := array.Runs(lows); got != runs {
			t.Fatalf("Runs: got %d, want %d", got, runs)
		}
		again := make([]byte, 4*runs)
		if got := FromArray(again, lows); got != runs || !bytes.Equal(again, dst) {
			t.Fatalf("FromArray: got %d runs, want %d, the same as from the bitset", got, runs)
		}
		if runs > 1 {
			if got := FromBitset(dst[:4*runs-1], words); got != runs-1 {
				t.Fatalf("FromBitset without room for the last: got %d, want %d", got, runs-1)
			}
		}
		if n > 1 {
			i := 1 + r.IntN(n-1)
			binary.LittleEndian.PutUint16(lows[2*i:], array.Low(lows, i-1))
			if _, ascending := array.Shape(lows); ascending {
				t.Fatal("Shape: a repeated value is ascending")
			}
		}
	}
}
