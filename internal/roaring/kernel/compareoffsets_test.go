// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// placeOffsets puts a list into an arena.
func placeOffsets(at *arena, where int, list []uint32) []uint32 {
	b := at.place(4*len(list), where, nil)
	placed := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(list))
	copy(placed, list)
	return placed
}

// compareUpperOffsets compares kernels that decode upper parts to offsets, on words of any density.
func compareUpperOffsets(t *testing.T, got, want func(dst []uint32, words []byte, word uint64, zeros int, low uint) (n,
	read int, left uint64)) {
	r := rand.New(rand.NewPCG(151, 1))
	x, y := newArena(t, 4*4096), newArena(t, 2*4096)
	wheres := places()
	decoded := 0
	for i := range 20000 {
		var random [512]byte
		for at := range random {
			b := byte(r.Uint32())
			switch i / 3 % 5 {
			case 0:
				b &= byte(r.Uint32() >> 8)
			case 1:
				b |= byte(r.Uint32() >> 8)
			case 2:
				b = []byte{0, 0xFF}[at/8&1]
			}
			random[at] = b
		}
		n, room := r.IntN(1<<(i%10)), r.IntN(2<<(i/10%11))
		word, low := leUint64(random[:], 8*r.IntN(64))>>r.IntN(64), uint(r.IntN(maxOffsetLow+1))
		zeros := r.IntN(1<<(i%20)) - r.IntN(64)
		expected := make([]uint32, room)
		m, wantRead, wantLeft := want(expected, random[:n], word, zeros, low)
		where := []int{atEnd, atBegin, 4 * r.IntN(16)}[i%3]
		dst, words := placeOffsets(x, where, make([]uint32, room)), y.place(n,
			[]int{atEnd, wheres[r.IntN(len(wheres))]}[i%2], random[:])
		k, read, left := got(dst, words, word, zeros, low)
		if k != m || read != wantRead || left != wantLeft || !slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes, room for %d, %d ones before them, %d zeros, low width %d: got %d, %d, %x, want %d, "+
				"%d, %x", n, room, bits.OnesCount64(word), zeros, low, k, read, left, m, wantRead, wantLeft)
		}
		if !x.intact() || !y.intact() {
			t.Fatalf("%d bytes, room for %d at %d: memory was changed", n, room, where)
		}
		decoded += k
	}
	if decoded < 500_000 {
		t.Fatalf("%d values only", decoded)
	}
}

// compareAddLowers compares kernels that add lower parts to offsets, of blocks that end with the
// last of them or a little later.
func compareAddLowers(t *testing.T, got, want func(offsets []uint32, block []byte, off int, low uint)) {
	r := rand.New(rand.NewPCG(152, 1))
	x, y := newArena(t, 4096), newArena(t, 2*4096)
	var random [8192]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for low := uint(1); low <= maxOffsetLow; low++ {
		for n := range 150 {
			off := r.IntN(200)
			size := (off+n*int(low)+7)/8 + max(r.IntN(80)-40, 0)
			list := make([]uint32, n)
			for i := range list {
				list[i] = r.Uint32() << low
			}
			where := []int{atEnd, atBegin, 4 * r.IntN(16)}[n%3]
			offsets, block := placeOffsets(x, where, list), y.place(size, []int{atEnd, atBegin, r.IntN(64)}[r.IntN(3)],
				random[:])
			want(list, random[:size], off, low)
			got(offsets, block, off, low)
			if !slices.Equal(offsets, list) {
				t.Fatalf("%d parts of %d bits from %d on: got %x, want %x", n, low, off, offsets, list)
			}
			if !x.intact() || !y.intact() {
				t.Fatalf("%d parts of %d bits at %d: memory was changed", n, low, where)
			}
		}
	}
}

// compareOffsets compares kernels that compare two lists of offsets. Of lists that do not ascend
// only that they do no harm.
func compareOffsets(t *testing.T, got, want func(dst, a, b []uint32) (n, i, j int), writes bool) {
	const size = (3*maxMeeting + 64) * 4
	x, y, z := newArena(t, size), newArena(t, size), newArena(t, size)
	turn, found := 0, 0
	pairsOfLists(rand.New(rand.NewPCG(153, 1)), func(p, q []uint64, ascend bool) {
		where := []int{atEnd, atBegin, 4 * (turn % 17)}[turn%3]
		turn++
		a, b := offsetsOf(p), offsetsOf(q)
		ascend = ascend && slices.IsSorted(a) && slices.IsSorted(b)
		dst := []uint32(nil)
		if writes {
			dst = placeOffsets(z, where, make([]uint32, min(len(a), len(b))))
		}
		placedA, placedB := placeOffsets(x, where, a), placeOffsets(y, where, b)
		n, i, j := got(dst, placedA, placedB)
		if !x.intact() || !y.intact() || !z.intact() || !slices.Equal(a, placedA) || !slices.Equal(b, placedB) {
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
	x, y := newArena(t, 4096), newArena(t, 4096)
	var random [512]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	wheres := places()
	for n := range 400 {
		for _, room := range []int{n / 2, n/2 + 1, max(n/2-1, 0), r.IntN(300)} {
			base := r.Uint32()
			where := []int{atEnd, atBegin, 4 * r.IntN(16)}[r.IntN(3)]
			dst, lows := placeOffsets(x, where, make([]uint32, room)),
				y.place(n, []int{atEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)], random[:])
			expected := make([]uint32, room)
			want(expected, random[:n], base)
			got(dst, lows, base)
			if !slices.Equal(dst, expected) {
				t.Fatalf("%d bytes, room for %d: got %x, want %x", n, room, dst, expected)
			}
			if !x.intact() || !y.intact() {
				t.Fatalf("%d bytes, room for %d at %d: memory was changed", n, room, where)
			}
		}
	}
}

// compareKeeps compares kernels that look offsets up in bits: many, and each number of them to
// beyond two vectors.
func compareKeeps(t *testing.T, got, want func(offsets []uint32, bits []byte, base uint32) (n int)) {
	r := rand.New(rand.NewPCG(158, 1))
	x, y := newArena(t, 4096), newArena(t, 4096)
	wheres := places()
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
		where := []int{atEnd, atBegin, 4 * r.IntN(16)}[i%3]
		placed, bits := placeOffsets(x, where, offsets), y.place(len(random),
			[]int{atEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)], random)
		n := got(placed, bits, base)
		if n != m || !slices.Equal(placed[:n], expected[:m]) {
			t.Fatalf("%d offsets in %d bytes: got %v, want %v", len(offsets), len(random), placed[:n], expected[:m])
		}
		if !x.intact() || !y.intact() {
			t.Fatalf("%d offsets in %d bytes: memory was changed", len(offsets), len(random))
		}
		kept, asked = kept+n, asked+len(offsets)
	}
	if kept < asked/4 {
		t.Fatalf("%d of %d offsets were kept: this tests little", kept, asked)
	}
}
