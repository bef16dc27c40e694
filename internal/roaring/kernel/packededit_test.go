// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPackedEdit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, values := range lists() {
		n := len(values)
		if n < 2 {
			continue
		}
		_, best := PackedSize(n, values[n-1], 63)
		for _, low := range []uint{best, best + 2} {
			if low > 63 {
				continue
			}
			whole := appendPacked(nil, values, low)
			for range 30 {
				i := r.IntN(n)
				if r.IntN(4) == 0 {
					i = r.IntN(2) * (n - 1)
				}
				rest := slices.Delete(slices.Clone(values), i, i+1)
				want := appendPacked(nil, rest, low)
				got := bytes.Repeat([]byte{0xAA}, PackedBytes(n-1, rest[n-2], low))
				PackedRemove(got, Packed{Block: whole, N: n, Low: low}, i, values[i])
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, low width %d: value %d of %d removed: got % x, want % x", name, low, i, n, got, want)
				}
			}
		}
	}
}

func TestConvert(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		// Runs and gaps of lengths of some scale each.
		words := new(Words)
		n, runs := 0, 0
		for at := r.IntN(2) * r.IntN(70000); at < 1<<16; runs++ {
			end := min(at+1+r.IntN(1<<r.IntN(17)), 1<<16)
			n += end - at
			for ; at < end; at++ {
				words[at>>3] |= 1 << (at & 7)
			}
			at = end + 1 + r.IntN(1<<r.IntN(12))
		}
		if gotN, gotRuns := BitsetShape(words); gotN != n || gotRuns != runs {
			t.Fatalf("BitsetShape: got %d values in %d runs, want %d in %d", gotN, gotRuns, n, runs)
		}
		dst := make([]byte, 4*runs)
		if got := BitsetToRuns(dst, words); got != runs || RunLen(dst) != n {
			t.Fatalf("BitsetToRuns: got %d runs of %d values, want %d of %d", got, RunLen(dst), runs, n)
		}
		lows := make([]byte, 2*n)
		if got := RunToArray(lows, dst); got != n {
			t.Fatalf("RunToArray: got %d values, want %d", got, n)
		}
		back := new(Words)
		if SetArray(back, lows); *back != *words {
			t.Fatal("BitsetToRuns: other values")
		}
		if got, ascending := ArrayShape(lows); got != runs || !ascending {
			t.Fatalf("ArrayShape: got %d, %v, want %d runs", got, ascending, runs)
		}
		if got := ArrayRuns(lows); got != runs {
			t.Fatalf("ArrayRuns: got %d, want %d", got, runs)
		}
		again := make([]byte, 4*runs)
		if got := ArrayToRuns(again, lows); got != runs || !bytes.Equal(again, dst) {
			t.Fatalf("ArrayToRuns: got %d runs, want %d, the same as from the bitset", got, runs)
		}
		if runs > 1 {
			if got := BitsetToRuns(dst[:4*runs-1], words); got != runs-1 {
				t.Fatalf("BitsetToRuns without room for the last: got %d, want %d", got, runs-1)
			}
		}
		if n > 1 {
			i := 1 + r.IntN(n-1)
			binary.LittleEndian.PutUint16(lows[2*i:], Low(lows, i-1))
			if _, ascending := ArrayShape(lows); ascending {
				t.Fatal("ArrayShape: a repeated value is ascending")
			}
		}
	}
}

func BenchmarkPackedPut(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	values := ascending(400, func() uint64 { return r.Uint64N(1 << 30) })
	i := 200
	d := values[i]
	values = slices.Delete(values, i, i+1)
	n, last := len(values), values[len(values)-1]
	for _, low := range []uint{16, 21} {
		b.Run(fmt.Sprintf("low=%d", low), func(b *testing.B) {
			old := append([]byte{byte(low)}, appendPacked(nil, values, low)...)
			size, newSize := len(old), 1+PackedBytes(n+1, last, low)
			room := make([]byte, (newSize+7)&^7)
			for b.Loop() {
				copy(room, old)
				PackedPut(room, size, newSize, n, i, d)
			}
		})
	}
}
