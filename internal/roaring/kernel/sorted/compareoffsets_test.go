// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareOffsets compares kernels that compare two lists of offsets. Of lists that do not ascend
// only that they do no harm.
func compareOffsets(t *testing.T, got, want func(dst, a, b []uint32) (n, i, j int), writes bool) {
	const size = (3*maxMeeting + 64) * 4
	x, y, z := kerneltest.NewArena(t, size), kerneltest.NewArena(t, size), kerneltest.NewArena(t, size)
	turn, found := 0, 0
	pairsOfLists(rand.New(rand.NewPCG(153, 1)), func(p, q []uint64, ascend bool) {
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * (turn % 17)}[turn%3]
		turn++
		a, b := kerneltest.OffsetsOf(p), kerneltest.OffsetsOf(q)
		ascend = ascend && slices.IsSorted(a) && slices.IsSorted(b)
		dst := []uint32(nil)
		if writes {
			dst = kerneltest.PutOffsets(z, where, make([]uint32, min(len(a), len(b))))
		}
		placedA, placedB := kerneltest.PutOffsets(x, where, a), kerneltest.PutOffsets(y, where, b)
		n, i, j := got(dst, placedA, placedB)
		if !x.Intact() || !y.Intact() || !z.Intact() || !slices.Equal(a, placedA) || !slices.Equal(b, placedB) {
			t.Fatalf("%d and %d values at %d: memory was changed", len(a), len(b), where)
		}
		if i > len(a) || j > len(b) || i < len(a) && j < len(b) || n < 0 || writes && n > len(dst) {
			t.Fatalf("%d and %d values: passed %d and %d, found %d", len(a), len(b), i, j, n)
		}
		if !ascend {
			return
		}
		expected := make([]uint32, len(dst))
		m, _, _ := want(expected, a, b)
		if n != m || writes && !slices.Equal(dst[:n], expected[:m]) {
			t.Fatalf("%d and %d values: got %d in common, want %d", len(a), len(b), n, m)
		}
		found += n
	})
	if found < 10000 {
		t.Fatalf("%d values in common: this tests nothing", found)
	}
}

// compareArrayOffsets compares kernels that widen lows to offsets.
func compareArrayOffsets(t *testing.T, got, want func(dst []uint32, lows []byte, base uint32)) {
	r := rand.New(rand.NewPCG(157, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096)
	var random [512]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	wheres := kerneltest.Places()
	for n := range 400 {
		for _, room := range []int{n / 2, n/2 + 1, max(n/2-1, 0), r.IntN(300)} {
			base := r.Uint32()
			where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[r.IntN(3)]
			dst, lows := kerneltest.PutOffsets(x, where, make([]uint32, room)),
				y.Put(n, []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)], random[:])
			expected := make([]uint32, room)
			want(expected, random[:n], base)
			got(dst, lows, base)
			if !slices.Equal(dst, expected) {
				t.Fatalf("%d bytes, room for %d: got %x, want %x", n, room, dst, expected)
			}
			if !x.Intact() || !y.Intact() {
				t.Fatalf("%d bytes, room for %d at %d: memory was changed", n, room, where)
			}
		}
	}
}

// compareKeeps compares kernels that look offsets up in bits: many, and each number of them to
// beyond two vectors.
func compareKeeps(t *testing.T, got, want func(offsets []uint32, bits []byte, base uint32) (n int)) {
	r := rand.New(rand.NewPCG(158, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096)
	wheres := kerneltest.Places()
	kept, asked := 0, 0
	for i := range 4000 {
		random := make([]byte, 8*r.IntN(1<<(i%9)))
		for j := range random {
			random[j] = byte(r.Uint32()) | byte(-(i % 5 / 4)) // or ones only
		}
		base := r.Uint32()
		if i%3 == 0 {
			base = uint32(i) << 16
		}
		offsets := make([]uint32, r.IntN(1<<(i/9%10)))
		if i%4 == 3 {
			offsets = make([]uint32, i/4%40)
		}
		for j := range offsets {
			offsets[j] = base + r.Uint32N(uint32(8*len(random)+8))
			if r.IntN(8) == 0 {
				offsets[j] = r.Uint32()
			}
		}
		expected := slices.Clone(offsets)
		m := want(expected, random, base)
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[i%3]
		placed, bits := kerneltest.PutOffsets(x, where, offsets), y.Put(len(random),
			[]int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)], random)
		n := got(placed, bits, base)
		if n != m || !slices.Equal(placed[:n], expected[:m]) {
			t.Fatalf("%d offsets in %d bytes: got %v, want %v", len(offsets), len(random), placed[:n], expected[:m])
		}
		if !x.Intact() || !y.Intact() {
			t.Fatalf("%d offsets in %d bytes: memory was changed", len(offsets), len(random))
		}
		kept, asked = kept+n, asked+len(offsets)
	}
	if kept < asked/4 {
		t.Fatalf("%d of %d offsets were kept: this tests little", kept, asked)
	}
}
