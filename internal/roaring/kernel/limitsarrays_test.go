// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// sizesAt returns numbers of values next to those from which arrays are treated in other ways, and
// next to multiples of n from which the other array of two is.
func sizesAt(n int) (sizes []int) {
	for _, at := range []int{1, 2, 4, 8, 16, 32, wideWindow, 12 * n, 14 * n, 16 * n, 20 * n, 24 * n, 28 * n, 36 * n,
		64 * n, 1024, 1280} {
		sizes = append(sizes, at-1, at, at+1)
	}
	return sizes
}

// TestArrayLimits asks the functions that choose a form for arrays of so many values that another
// one is taken, or just not, beside memory that must not be touched: forms that compare many values
// at once read some before or behind fewer.
func TestArrayLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(321, 1))
	x, y, z := newArena(t, 4*4096), newArena(t, 4*4096), newArena(t, 8*4096)
	bits := new(Words)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	for _, n := range sizesAt(0)[:21] {
		for _, m := range sizesAt(n) {
			if n < 0 || m < 0 || m > 4096 {
				continue
			}
			limit := min(max(n, m)*(1+r.IntN(4))+1, 1<<16)
			p, few := randomLows(r, n, limit)
			q, _ := randomLows(r, m, limit)
			for _, where := range []int{atBegin, atEnd} {
				a, b := x.place(len(p), where, p), y.place(len(q), where, q)
				for _, c := range []struct {
					name      string
					got, want func(dst, a, b []byte) int
					room      func(a, b []byte) int
				}{
					{"ArrayAndLen", counting(ArrayAndLen), counting(arrayAndLenGeneric), noRoom},
					{"ArrayAnd", ArrayAnd, arrayAndGeneric, roomForShorter},
					{"ArrayAndNot", ArrayAndNot, arrayAndNotGeneric, roomForFirst},
					{"ArrayOr", ArrayOr, arrayOrGeneric, roomForBoth},
					{"ArrayXor", ArrayXor, arrayXorGeneric, roomForBoth},
				} {
					for _, of := range [][2][]byte{{a, b}, {b, a}} {
						room := c.room(of[0], of[1])
						dst, expected := z.place(room, where, nil), make([]byte, room)
						k, want := c.got(dst, of[0], of[1]), c.want(expected, of[0], of[1])
						if k != want || room > 0 && !bytes.Equal(dst[:2*k], expected[:2*want]) || !z.intact() {
							t.Fatalf("%s of %d and %d values below %d: got %d values %x, want %d %x, or memory was "+
								"changed", c.name, len(of[0])/2, len(of[1])/2, limit, k, dst, want, expected)
						}
					}
				}
				for _, v := range append(few, 0, r.IntN(limit), 1<<16-1) {
					at, has := SearchArray(b, uint16(v)), ArrayContains(b, uint16(v))
					if want, wantHas := searchArrayGeneric(q, uint16(v)),
						arrayContainsGeneric(q, uint16(v)); at != want || has != wantHas {
						t.Fatalf("%d in %d values below %d: got %d, %t, want %d, %t", v, m, limit, at, has, want,
							wantHas)
					}
				}
				if k, want := ArrayBitsetAndLen(b, bits), arrayBitsetAndLenGeneric(q, bits); k != want {
					t.Fatalf("%d values below %d in a bitset: got %d, want %d", m, limit, k, want)
				}
				if !x.intact() || !y.intact() || !equal(a, p) || !equal(b, q) {
					t.Fatalf("%d and %d values below %d: memory was changed", n, m, limit)
				}
			}
		}
	}
}

// TestRunLimits is TestArrayLimits for runs.
func TestRunLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(322, 1))
	x, y, z := newArena(t, 2*4096), newArena(t, 2*4096), newArena(t, 4*4096)
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17} {
		for _, m := range []int{1, 6, 7, 8, 9, 15, 16, 17, 64*n - 1, 64 * n, 64*n + 1} {
			if m < 0 {
				continue
			}
			for range 4 {
				p, q := runsApart(r, n, 1<<r.IntN(16)), runsApart(r, m, 1<<r.IntN(16))
				for _, where := range []int{atBegin, atEnd} {
					a, b := x.place(len(p), where, p), y.place(len(q), where, q)
					for _, of := range [][2][]byte{{a, b}, {b, a}} {
						dst, expected := z.place(4*(n+m), where, nil), make([]byte, 4*(n+m))
						values, runs := RunAnd(dst, of[0], of[1])
						want, wantRuns := runAndGeneric(expected, of[0], of[1])
						if k := RunAndLen(of[0], of[1]); k != want || values != want || runs != wantRuns ||
							!equal(dst[:4*runs], expected[:4*runs]) {
							t.Fatalf("%d and %d runs: got %d values, and %d in %d runs, want %d in %d", len(of[0])/4,
								len(of[1])/4, k, values, runs, want, wantRuns)
						}
					}
					if !x.intact() || !y.intact() || !z.intact() || !equal(a, p) || !equal(b, q) {
						t.Fatalf("%d and %d runs: memory was changed", n, m)
					}
				}
			}
		}
	}
}

// TestSmallWordsLimits reads words far before and behind a column, at places that are some of it as
// numbers of 32 bits: no path may answer.
func TestSmallWordsLimits(t *testing.T) {
	words, lows := newArena(t, 4096).place(64, atEnd, nil), make([]uint16, 16)
	for _, offset := range []int{1 << 15, 1<<23 - 1, 1 << 23, 1 << 29, 1 << 30, 1 << 31, 1 << 32, 1 << 40} {
		for bits := 1; bits < 8; bits++ {
			for _, offset := range []int{offset, -offset, -offset - 1} {
				if dst := make([]uint16, len(lows)); !refuses(func() { SmallWords(dst, lows, words, offset, bits) }) {
					t.Errorf("words of %d bits from %d on in 64 bytes: got %d", bits, offset, dst)
				}
			}
		}
	}
}
