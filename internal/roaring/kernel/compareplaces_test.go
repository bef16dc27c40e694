// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// compareFilters compares kernels that look the values of any bytes up in a bitset, and that write
// some of them in the room of all, or do not write.
func compareFilters(t *testing.T, writes bool, got, want func(dst, lows []byte, a *Words, flip int) int) {
	r := rand.New(rand.NewPCG(105, 1))
	list := someWords(r)
	x, y, z := newArena(t, 3*4096), newArena(t, 3*4096), newArena(t, 3*4096)
	var random [8192]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	expected := make([]byte, len(random))
	wheres := places()
	sizes := []int{8190, 8191, 8192, 2048}
	for n := range 260 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, where := range []int{atEnd, atBegin, wheres[r.IntN(len(wheres))]} {
			flip, room := r.IntN(2), 0
			if writes {
				room = n
			}
			a, from := list[r.IntN(len(list))], r.IntN(len(random)-n+1)
			m := want(expected[:n], random[from:from+n], a, flip)
			dst, lows, bits := x.place(room, where, nil), y.place(n, where, random[from:]),
				(*Words)(z.place(8192, wheres[r.IntN(len(wheres))], a[:]))
			if k := got(dst, lows, bits, flip); k != m || writes && !equal(dst[:2*k], expected[:2*k]) {
				t.Fatalf("%d bytes at %d: got %d, want %d", n, where, k, m)
			}
			if !x.intact() || !y.intact() || !z.intact() || !equal(lows, random[from:from+n]) || *bits != *a {
				t.Fatalf("%d bytes at %d: memory was changed", n, where)
			}
			if !writes {
				continue
			}
			if k := got(lows, lows, bits, flip); k != m || !equal(lows[:2*k], expected[:2*k]) || !y.intact() {
				t.Fatalf("%d bytes at %d, in their place: got %d, want %d", n, where, k, m)
			}
		}
	}
}

// asLows returns memory as room for lows: on amd64 and arm64 they may stand anywhere.
func asLows(b []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}

// compareToArray compares kernels that write the ones of a bitset as an array in any room.
func compareToArray(t *testing.T, got, want func(dst []byte, a *Words) int) {
	r := rand.New(rand.NewPCG(106, 1))
	x, z := newArena(t, 35*4096), newArena(t, 3*4096)
	expected := make([]byte, 1<<17)
	wheres := places()
	for _, a := range someWords(r) {
		n := BitsetLen(a)
		rooms := []int{2 * n, 2*n + 1, 2*n + 2, 2*n + 500, max(2*n-2, 0), n, r.IntN(2*n + 1)}
		for i := range 150 {
			rooms = append(rooms, i)
		}
		for _, room := range rooms {
			room = min(room, 1<<17)
			where := []int{atEnd, atBegin, wheres[r.IntN(len(wheres))]}[r.IntN(3)]
			m := want(expected[:room], a)
			dst, bits := x.place(room, where, nil), (*Words)(z.place(8192, wheres[r.IntN(len(wheres))], a[:]))
			if k := got(dst, bits); k != m || !equal(dst[:2*k], expected[:2*k]) {
				t.Fatalf("%d ones, room for %d bytes at %d: got %d, want %d", n, room, where, k, m)
			}
			if !x.intact() || !z.intact() || *bits != *a {
				t.Fatalf("%d ones, room for %d bytes at %d: memory was changed", n, room, where)
			}
		}
	}
}

// compareValues compares kernels that write values of 64 bits for operands of whole parts, of which
// some lengths are tried that are not.
func compareValues(t *testing.T, part int, got, want func(dst []uint64, from []byte, base uint64) (n, read int)) {
	r := rand.New(rand.NewPCG(107, 1))
	x, z := newArena(t, 64*4096), newArena(t, 3*4096)
	var random [8192]byte
	for i := 0; i < len(random); i += 8 {
		w := r.Uint64()
		for range i >> 6 & 3 {
			w &= r.Uint64()
		}
		if i>>8&3 == 3 {
			w = ^w
		}
		for k := range 8 {
			random[i+k] = byte(w >> (8 * k))
		}
	}
	expected := make([]uint64, 30000)
	wheres := places()
	for i := range 3000 {
		n := min(r.IntN(2<<(i%13)), len(random))
		if r.IntN(4) > 0 {
			n -= n % part
		}
		room, base, where := r.IntN(2<<(i%15)), r.Uint64()>>1, []int{atEnd, atBegin, 8 * r.IntN(8)}[i%3]
		room = min(room, 30000)
		from := r.IntN((len(random)-n)/8+1) * 8
		m, read := want(expected[:room], random[from:from+n], base)
		b, in := x.place(8*room, where, nil), z.place(n, wheres[r.IntN(len(wheres))], random[from:])
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), room)
		if k, l := got(dst, in, base); k != m || l != read || !slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes, room for %d values at %d: got %d of %d bytes, want %d of %d", n, room, where, k, l, m,
				read)
		}
		if !x.intact() || !z.intact() || !equal(in, random[from:from+n]) {
			t.Fatalf("%d bytes, room for %d values at %d: memory was changed", n, room, where)
		}
	}
}
