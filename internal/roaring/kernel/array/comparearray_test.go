// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// arrayPairs are pairs of ascending arrays without 0: of all lengths up to beyond two vectors of 32
// values, and longer ones; with nothing, everything and some values in common, next to each other
// and spread out, with runs of values that only one has, and with the largest values.
var arrayPairs = sync.OnceValue(func() (pairs [][2][]byte) {
	r := rand.New(rand.NewPCG(108, 1))
	do := func(a, b []byte) { pairs = append(pairs, [2][]byte{a, b}) }
	pair := func(n, m, limit int) {
		limit = max(limit, n+1, m+1)
		a, _ := kerneltest.RandomLows(r, n, limit-1)
		b, _ := kerneltest.RandomLows(r, m, limit-1)
		for _, lows := range [][]byte{a, b} {
			shift := 1
			if r.IntN(3) == 0 {
				shift = 65536 - limit + 1 // the largest value may be among them
			}
			for i := 0; i < len(lows); i += 2 {
				swar.PutUint16(lows, i, swar.Uint16(lows, i)+uint16(shift))
			}
		}
		do(a, b)
	}
	for n := range 71 {
		for m := range 71 {
			pair(n, m, []int{0, 2 * (n + m), 1000, 65536}[r.IntN(4)])
		}
	}
	for range 200 {
		pair(r.IntN(4096), r.IntN(4096), 1<<(9+r.IntN(8)))
	}
	same, _ := kerneltest.RandomLows(r, 1000, 65535)
	for i := 0; i < len(same); i += 2 {
		swar.PutUint16(same, i, swar.Uint16(same, i)+1)
	}
	do(same, same)
	do(same[:1000], same[1000:])
	do(same[1000:], same[:1000])
	do(same[:998], same[8:])
	return pairs
})

// compareArrays compares merges of two arrays in a destination of exactly the room that they ask
// for. It makes them on arrays that do not ascend, too, where any result is right that stays inside
// the memory, and is the same at another place.
func compareArrays(t *testing.T, room func(a, b []byte) int, got, want func(dst, a, b []byte) int) {
	r := rand.New(rand.NewPCG(104, 1))
	x, y, z := kerneltest.NewArena(t, 8*4096), kerneltest.NewArena(t, 4*4096), kerneltest.NewArena(t, 4*4096)
	expected := make([]byte, 32768)
	wheres := kerneltest.Places()
	for _, pair := range arrayPairs() {
		a, b := pair[0], pair[1]
		m := want(expected[:room(a, b)], a, b)
		for _, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]} {
			dst := x.Put(room(a, b), where, nil)
			p, q := y.Put(len(a), where, a), z.Put(len(b), wheres[r.IntN(len(wheres))], b)
			if n := got(dst, p, q); n != m || len(dst) > 0 && !bytes.Equal(dst[:2*n], expected[:2*n]) {
				t.Fatalf("%d and %d values at %d: got %d, want %d", len(a)/2, len(b)/2, where, n, m)
			}
			if !x.Intact() || !y.Intact() || !z.Intact() || !bytes.Equal(p, a) || !bytes.Equal(q, b) {
				t.Fatalf("%d and %d values at %d: memory was changed", len(a)/2, len(b)/2, where)
			}
		}
	}
	var operand [8192]byte
	for i := range 2000 {
		values := uint32(1 + r.IntN(1<<(1+i%16)))
		for j := 0; j < len(operand); j += 2 {
			swar.PutUint16(operand[:], j, uint16(1+r.Uint32N(values)))
		}
		a, b := operand[:r.IntN(2<<(1+i%12))], operand[4096:][:r.IntN(2<<(1+i%11))]
		var results [2][]byte
		for k, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin} {
			dst := x.Put(room(a, b), where, expected)
			n := got(dst, y.Put(len(a), where, a), z.Put(len(b), where, b))
			if n < 0 || n > max(len(a), len(b), len(dst)) {
				t.Fatalf("%d and %d bytes that do not ascend: %d values", len(a), len(b), n)
			}
			if !x.Intact() || !y.Intact() || !z.Intact() {
				t.Fatalf("%d and %d bytes that do not ascend: memory was changed", len(a), len(b))
			}
			results[k] = append(results[k], byte(n), byte(n>>8))
			if len(dst) > 0 {
				results[k] = append(results[k], dst[:2*n]...)
			}
		}
		if !bytes.Equal(results[0], results[1]) {
			t.Fatalf("%d and %d bytes that do not ascend: one result at the end of memory, another at its beginning",
				len(a), len(b))
		}
	}
}
