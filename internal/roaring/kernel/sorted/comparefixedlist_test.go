// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

type (
	fixedPairs  func(a, b []byte) int
	fixedLookUp func(list []byte, width int, x uint64) bool
	fixedRanked func(list []byte, n, width int, x uint64) int
	fixedRead   func(dst []uint64, list []byte, width int)
)

// fixedOf writes values of up to width bytes as a fixed list.
func fixedOf(values []uint64, width int) (list []byte) {
	for _, x := range values {
		list = append(list, binary.LittleEndian.AppendUint64(nil, x)[:width]...)
	}
	return list
}

// fixedDraw draws up to n values of up to width bytes, in ascending order. They are near each other
// or far apart, with the smallest and the largest one now and then.
func fixedDraw(r *rand.Rand, n, width int) (values []uint64) {
	most := uint64(1)<<(8*width) - 1
	limit := most >> r.IntN(8*width-8)
	for range n {
		values = append(values, r.Uint64N(limit)+1)
	}
	if r.IntN(3) == 0 {
		values = append(values, 0)
	}
	if r.IntN(3) == 0 {
		values = append(values, most)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	return values[:min(n, len(values))]
}

// compareFixedPairs compares kernels that count what two fixed lists have in common. Lists have all
// lengths up to two vectors and a half, and some are longer.
func compareFixedPairs(t *testing.T, got, want fixedPairs) {
	r := rand.New(rand.NewPCG(171, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096)
	wheres, found := kerneltest.Places(), 0
	for i := range 20000 {
		n, m := i%41, i/41%41
		if i%5 == 0 {
			n, m = r.IntN(FixedUpTo+1), r.IntN(FixedUpTo+1)
		}
		p := fixedDraw(r, n, FixedLeast)
		q := fixedDraw(r, m, FixedLeast)
		if len(p) > 0 && len(q) > 0 {
			for range r.IntN(len(q) + 1) { // common ones
				q[r.IntN(len(q))] = p[r.IntN(len(p))]
			}
			slices.Sort(q)
			q = slices.Compact(q)
		}
		a, b := fixedOf(p, FixedLeast), fixedOf(q, FixedLeast)
		where := wheres[r.IntN(len(wheres))]
		placedA, placedB := x.Put(len(a), []int{where, kerneltest.AtEnd}[i%2], a), y.Put(len(b),
			[]int{kerneltest.AtEnd, where}[i%2], b)
		k, expected := got(placedA, placedB), want(a, b)
		if k != expected {
			t.Fatalf("%x and %x: got %d in common, want %d", p, q, k, expected)
		}
		if !x.Intact() || !y.Intact() || !bytes.Equal(placedA, a) || !bytes.Equal(placedB, b) {
			t.Fatalf("%d and %d values: memory was changed", len(p), len(q))
		}
		found += k
		// Bytes that are no list, of any number, do no harm.
		n, m = r.IntN(300), r.IntN(300)
		if k = got(x.Put(n, where, nil), y.Put(m, kerneltest.AtEnd, nil)); k < 0 {
			t.Fatalf("%d and %d bytes: got %d in common", n, m, k)
		}
	}
	if found < 100_000 {
		t.Fatalf("%d values in common: this tests little", found)
	}
}

// compareFixedLists compares kernels that look a value up in a fixed list. ask gives the answers of
// a kernel and of its reference.
func compareFixedLists(t *testing.T, ask func(list []byte, width int, x uint64) (got, want int)) {
	r := rand.New(rand.NewPCG(172, 1))
	at := kerneltest.NewArena(t, 4096)
	wheres, found := kerneltest.Places(), 0
	for i := range 20000 {
		width := FixedLeast + i%(FixedMost-FixedLeast+1)
		n := 1 + i/4%41
		if i%5 == 0 {
			n = 1 + r.IntN(FixedUpTo)
		}
		values := fixedDraw(r, n, width)
		list := fixedOf(values, width)
		placed := at.Put(len(list), wheres[r.IntN(len(wheres))], list)
		asked := []uint64{1, 1<<(8*width) - 1}
		for range 4 {
			x := values[r.IntN(len(values))]
			asked = append(asked, x, min(x+1, 1<<(8*width)-1), x-min(x, 1))
		}
		for _, x := range asked {
			if x == 0 {
				continue // is not asked of kernels
			}
			got, want := ask(placed, width, x)
			if got != want {
				t.Fatalf("%x of %x, %d bytes each: got %d, want %d", x, values, width, got, want)
			}
			found += got
		}
		if !at.Intact() || !bytes.Equal(placed, list) {
			t.Fatalf("%d values of %d bytes: memory was changed", len(values), width)
		}
	}
	if found < 50_000 {
		t.Fatalf("%d were found: this tests little", found)
	}
}

// compareFixedReads compares kernels that read a fixed list, with room for all of it, and for less
// and more.
func compareFixedReads(t *testing.T, got, want fixedRead) {
	r := rand.New(rand.NewPCG(173, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096)
	wheres := kerneltest.Places()
	var random [2048]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for i := range 4000 {
		width, n := FixedLeast+i%(FixedMost-FixedLeast+1), i/4%70
		bytes := n*width + r.IntN(width)
		room := max(n+r.IntN(5)-2, 0)
		expected := make([]uint64, room)
		want(expected, random[:bytes], width)
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x.Put(8*room,
			[]int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(9)}[i%3], make([]byte, 8*room))))), room)
		got(dst, y.Put(bytes, []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[i%2], random[:]), width)
		if !slices.Equal(dst, expected) {
			t.Fatalf("%d bytes of values of %d, room for %d: got %x, want %x", bytes, width, room, dst, expected)
		}
		if !x.Intact() || !y.Intact() {
			t.Fatalf("%d bytes of values of %d, room for %d: memory was changed", bytes, width, room)
		}
	}
}
