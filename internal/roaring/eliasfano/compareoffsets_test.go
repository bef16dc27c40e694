// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// compareUpperOffsets compares kernels that decode upper parts to offsets, on words of any density.
func compareUpperOffsets(t *testing.T, got, want func(dst []uint32, words []byte, word uint64, zeros int, low uint) (n,
	read int, left uint64)) {
	r := rand.New(rand.NewPCG(151, 1))
	x, y := kerneltest.NewArena(t, 4*4096), kerneltest.NewArena(t, 2*4096)
	wheres := kerneltest.Places()
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
		word, low := swar.Uint64(random[:], 8*r.IntN(64))>>r.IntN(64), uint(r.IntN(maxOffsetLow+1))
		zeros := r.IntN(1<<(i%20)) - r.IntN(64)
		expected := make([]uint32, room)
		m, wantRead, wantLeft := want(expected, random[:n], word, zeros, low)
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[i%3]
		dst, words := kerneltest.PutOffsets(x, where, make([]uint32, room)), y.Put(n,
			[]int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[i%2], random[:])
		k, read, left := got(dst, words, word, zeros, low)
		if k != m || read != wantRead || left != wantLeft || !slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes, room for %d, %d ones before them, %d zeros, low width %d: got %d, %d, %x, want %d, "+
				"%d, %x", n, room, bits.OnesCount64(word), zeros, low, k, read, left, m, wantRead, wantLeft)
		}
		if !x.Intact() || !y.Intact() {
			t.Fatalf("%d bytes, room for %d at %d: memory was changed", n, room, where)
		}
		decoded += k
	}
	if decoded < 500_000 {
		t.Fatalf("%d values only", decoded)
	}
}

// compareAddLowers compares kernels that add lower parts to offsets. The blocks end with the last
// lower part or a little later.
func compareAddLowers(t *testing.T, got, want func(offsets []uint32, block []byte, off int, low uint)) {
	r := rand.New(rand.NewPCG(152, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 2*4096)
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
			where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[n%3]
			offsets, block := kerneltest.PutOffsets(x, where, list), y.Put(size, []int{kerneltest.AtEnd,
				kerneltest.AtBegin, r.IntN(64)}[r.IntN(3)],
				random[:])
			want(list, random[:size], off, low)
			got(offsets, block, off, low)
			if !slices.Equal(offsets, list) {
				t.Fatalf("%d parts of %d bits from %d on: got %x, want %x", n, low, off, offsets, list)
			}
			if !x.Intact() || !y.Intact() {
				t.Fatalf("%d parts of %d bits at %d: memory was changed", n, low, where)
			}
		}
	}
}
