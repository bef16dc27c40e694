// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// sizesAt returns numbers of values next to the limits at which arrays are treated in other ways.
// Some limits are multiples of n, the size of the other array.
func sizesAt(n int) (sizes []int) {
	for _, at := range []int{1, 2, 4, 8, 16, 32, wideWindow, 12 * n, 14 * n, 16 * n, 20 * n, 24 * n, 28 * n, 36 * n,
		64 * n, 1024, 1280} {
		sizes = append(sizes, at-1, at, at+1)
	}
	return sizes
}

// TestArrayLimits asks the functions that choose a form, with arrays at and next to the limits.
// Arrays stand beside memory that must not be touched: forms that compare many values at once would
// read some before or behind fewer.
func TestArrayLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(321, 1))
	x, y, z := kerneltest.NewArena(t, 4*4096), kerneltest.NewArena(t, 4*4096), kerneltest.NewArena(t, 8*4096)
	bits := new(bitset.Words)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	for _, n := range sizesAt(0)[:21] {
		for _, m := range sizesAt(n) {
			if n < 0 || m < 0 || m > 4096 {
				continue
			}
			limit := min(max(n, m)*(1+r.IntN(4))+1, 1<<16)
			p, few := kerneltest.RandomLows(r, n, limit)
			q, _ := kerneltest.RandomLows(r, m, limit)
			for _, where := range []int{kerneltest.AtBegin, kerneltest.AtEnd} {
				a, b := x.Put(len(p), where, p), y.Put(len(q), where, q)
				for _, c := range []struct {
					name      string
					got, want func(dst, a, b []byte) int
					room      func(a, b []byte) int
				}{
					{"AndLen", counting(AndLen), counting(arrayAndLenGeneric), noRoom},
					{"And", And, arrayAndGeneric, roomForShorter},
					{"AndNot", AndNot, arrayAndNotGeneric, roomForFirst},
					{"Or", Or, arrayOrGeneric, roomForBoth},
					{"Xor", Xor, arrayXorGeneric, roomForBoth},
				} {
					for _, of := range [][2][]byte{{a, b}, {b, a}} {
						room := c.room(of[0], of[1])
						dst, expected := z.Put(room, where, nil), make([]byte, room)
						k, want := c.got(dst, of[0], of[1]), c.want(expected, of[0], of[1])
						if k != want || room > 0 && !bytes.Equal(dst[:2*k], expected[:2*want]) || !z.Intact() {
							t.Fatalf("%s of %d and %d values below %d: got %d values %x, want %d %x, or memory was "+
								"changed", c.name, len(of[0])/2, len(of[1])/2, limit, k, dst, want, expected)
						}
					}
				}
				for _, v := range append(few, 0, r.IntN(limit), 1<<16-1) {
					at, has := Search(b, uint16(v)), Contains(b, uint16(v))
					if want, wantHas := searchArrayGeneric(q, uint16(v)),
						arrayContainsGeneric(q, uint16(v)); at != want || has != wantHas {
						t.Fatalf("%d in %d values below %d: got %d, %t, want %d, %t", v, m, limit, at, has, want,
							wantHas)
					}
				}
				if k, want := BitsetAndLen(b, bits), arrayBitsetAndLenGeneric(q, bits); k != want {
					t.Fatalf("%d values below %d in a bitset: got %d, want %d", m, limit, k, want)
				}
				if !x.Intact() || !y.Intact() || !bytes.Equal(a, p) || !bytes.Equal(b, q) {
					t.Fatalf("%d and %d values below %d: memory was changed", n, m, limit)
				}
			}
		}
	}
}
