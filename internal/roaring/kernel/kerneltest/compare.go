// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// CompareCounts compares functions that count something in one operand of any length.
func CompareCounts(t *testing.T, got, want func([]byte) int) {
	r := rand.New(rand.NewPCG(101, 1))
	at := NewArena(t, 8192)
	var operand [8192]byte
	for i := range operand {
		operand[i] = byte(r.Uint32())
	}
	sizes := []int{8191, 8192}
	for n := range 600 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, where := range Places() {
			if where+n > len(at.memory) {
				continue
			}
			b := at.Put(n, where, operand[:])
			if n, m := got(b), want(b); n != m {
				t.Fatalf("%d bytes at %d: got %d, want %d", len(b), where, n, m)
			}
			if !at.Intact() || !bytes.Equal(b, operand[:len(b)]) {
				t.Fatalf("%d bytes at %d: memory was changed", n, where)
			}
		}
	}
}

// CompareSelects compares two functions that find the element up to which the sum of a list exceeds
// i. The list has cardinalities of two bytes, at most most bytes of them, or runs of four bytes.
func CompareSelects(t *testing.T, width, most int, got, want func(list []byte, i uint32) (at int, left uint32)) {
	r := rand.New(rand.NewPCG(212, 1))
	x := NewArena(t, 3*4096)
	wheres := Places()
	for round := range 20000 {
		list := SomeRuns(r)
		size := max(len(list)-min(r.IntN(8), r.IntN(4)), 0)
		if width == 2 {
			size = min(size, most) &^ 1
		}
		sum := uint64(0)
		for i := width - 2; i+1 < size; i += width {
			sum += uint64(binary.LittleEndian.Uint16(list[i:])) + 1
		}
		i := uint32(r.Uint64N(sum + 2))
		switch round % 8 {
		case 0:
			i = uint32(sum)
		case 1:
			i = uint32(max(sum, 1) - 1)
		case 2:
			i = r.Uint32() >> 1
		}
		m, expected := want(list[:size], i)
		in := x.Put(size, wheres[r.IntN(len(wheres))], list)
		at, left := got(in, i)
		if at != m || left != expected {
			t.Fatalf("%d of %d in %d bytes: got %d at %d, want %d at %d", i, sum, size, left, at, expected, m)
		}
		if !x.Intact() || !bytes.Equal(in, list[:size]) {
			t.Fatalf("%d bytes: memory was changed", size)
		}
	}
}

// CompareValues compares kernels that write values of 64 bits for operands of whole parts. It also
// tries some lengths that are not whole parts.
func CompareValues(t *testing.T, part int, got, want func(dst []uint64, from []byte, base uint64) (n, read int)) {
	r := rand.New(rand.NewPCG(107, 1))
	x, z := NewArena(t, 64*4096), NewArena(t, 3*4096)
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
	wheres := Places()
	for i := range 3000 {
		n := min(r.IntN(2<<(i%13)), len(random))
		if r.IntN(4) > 0 {
			n -= n % part
		}
		room, base, where := r.IntN(2<<(i%15)), r.Uint64()>>1, []int{AtEnd, AtBegin, 8 * r.IntN(8)}[i%3]
		room = min(room, 30000)
		from := r.IntN((len(random)-n)/8+1) * 8
		m, read := want(expected[:room], random[from:from+n], base)
		b, in := x.Put(8*room, where, nil), z.Put(n, wheres[r.IntN(len(wheres))], random[from:])
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), room)
		if k, l := got(dst, in, base); k != m || l != read || !slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes, room for %d values at %d: got %d of %d bytes, want %d of %d", n, room, where, k, l, m,
				read)
		}
		if !x.Intact() || !z.Intact() || !bytes.Equal(in, random[from:from+n]) {
			t.Fatalf("%d bytes, room for %d values at %d: memory was changed", n, room, where)
		}
	}
}

// AsLows returns memory as room for lows: on amd64 and arm64 they may stand anywhere.
func AsLows(b []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}
