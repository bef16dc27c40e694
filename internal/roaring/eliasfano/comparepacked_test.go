// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareUppers compares kernels that decode upper parts, on words of any density.
func compareUppers(t *testing.T, got, want func(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int,
	left uint64)) {
	r := rand.New(rand.NewPCG(109, 1))
	x, y := kerneltest.NewArena(t, 4*4096), kerneltest.NewArena(t, 2*4096)
	expected := make([]byte, 4*4096)
	wheres := kerneltest.Places()
	dense := func(i int) uint64 {
		w := r.Uint64()
		switch i & 7 {
		case 0:
			return w & r.Uint64() & r.Uint64()
		case 1:
			return w | r.Uint64() | r.Uint64()
		case 2:
			return 0
		case 3:
			return ^uint64(0)
		case 4:
			return 1 << (w & 63)
		}
		return w
	}
	for i := range 20000 {
		var random [512]byte
		for at := 0; at < len(random); at += 8 {
			w := dense(i>>4 + at*r.IntN(2))
			for k := range 8 {
				random[at+k] = byte(w >> (8 * k))
			}
		}
		n := r.IntN(1 << (i % 10))
		room := r.IntN(2 << (i / 10 % 13))
		word, low := dense(r.IntN(8))>>r.IntN(64), uint(r.IntN(maxVectorLow+1))
		zeros := r.IntN(1<<(i%14)) - r.IntN(64)
		end := zeros + r.IntN(1<<r.IntN(14)) - 2
		if i%3 == 0 {
			end = 1 << 30
		}
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]}[i%3]
		m, wantRead, wantLeft := want(expected[:room], random[:n], word, zeros, end, low)
		dst, words := x.Put(room, where, nil), y.Put(n, where, random[:])
		k, read, left := got(dst, words, word, zeros, end, low)
		if k != m || read != wantRead || left != wantLeft || !bytes.Equal(dst[:2*k], expected[:2*k]) {
			t.Fatalf("%d bytes, room for %d, %d ones before them, %d zeros, end %d, low width %d: got %d, %d, %x, "+
				"want %d, %d, %x", n, room, bits.OnesCount64(word), zeros, end, low, k, read, left, m, wantRead,
				wantLeft)
		}
		if !x.Intact() || !y.Intact() {
			t.Fatalf("%d bytes, room for %d at %d: memory was changed", n, room, where)
		}
	}
}

// compareLowers compares kernels that add lower parts to lows. The blocks end with the last lower
// part or a little later.
func compareLowers(t *testing.T, got, want func(lows, block []byte, off int, low uint)) {
	r := rand.New(rand.NewPCG(110, 1))
	x, y := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 2*4096)
	var random [8192]byte
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	wheres := kerneltest.Places()
	for low := uint(1); low <= maxVectorLow; low++ {
		for n := range 150 {
			off := r.IntN(200)
			if low == maxVectorLow {
				off &^= 7 // as the parts take whole bytes, and end with one
			}
			size := (off+n*int(low)+7)/8 + max(r.IntN(80)-40, 0)
			expected := append([]byte(nil), random[4000:4000+2*n]...)
			want(expected, random[:size], off, low)
			where := []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]}[n%3]
			lows, block := x.Put(2*n, where, random[4000:]), y.Put(size, where, random[:])
			got(lows, block, off, low)
			if !bytes.Equal(lows, expected) {
				t.Fatalf("%d parts of %d bits from %d on: got %x, want %x", n, low, off, lows, expected)
			}
			if !x.Intact() || !y.Intact() {
				t.Fatalf("%d parts of %d bits at %d: memory was changed", n, low, where)
			}
		}
	}
}

// comparePackedValues compares kernels that decode values of 64 bits with packedValuesGeneric, as
// far as they go: where they stop, less than eight values have room, or the lower parts of eight
// end with the block.
func comparePackedValues(t *testing.T, got func(dst []uint64, words []byte, word uint64, zeros int, block []byte,
	off int, low uint, base uint64) (n, read int, left uint64)) {
	r := rand.New(rand.NewPCG(111, 1))
	x, y, z := kerneltest.NewArena(t, 16*4096), kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 4*4096)
	var random [16384]byte
	for i := range random {
		random[i] = byte(r.Uint32() & r.Uint32())
	}
	wheres := kerneltest.Places()
	far := 0
	for i := range 6000 {
		n, low := r.IntN(1<<(i%10)), uint(r.IntN(maxGatherLow+1))
		room := r.IntN(2 << (i / 10 % 12))
		word, zeros, base := r.Uint64()>>r.IntN(64), r.IntN(1<<12)-64, r.Uint64()
		word &= r.Uint64()
		count := bits.OnesCount64(word) + bitset.Ones(random[:n&^7])
		off := r.IntN(300)
		size := min((off+count*int(low)+7)/8+r.IntN(20), len(random))
		if off+count*int(low) > 8*size {
			continue
		}
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(8)}[i%3]
		b, words, block := x.Put(8*room, where, nil), y.Put(n, wheres[r.IntN(len(wheres))], random[:]),
			z.Put(size, []int{kerneltest.AtEnd, kerneltest.AtBegin}[i%2], random[:])
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), room)
		k, read, left := got(dst, words, word, zeros, block, off, low, base)
		expected := make([]uint64, k)
		m, wantRead, wantLeft := packedValuesGeneric(expected, random[:n], word, zeros, random[:size], off, low, base)
		for left == 0 && wantLeft == 0 && wantRead < read && bitset.Ones(random[wantRead:read]) == 0 {
			wantRead = read // words without ones behind the last value
		}
		if left != 0 && wantLeft == 0 && k == 0 {
			wantLeft = left
		}
		if m != k || !slices.Equal(dst[:k], expected) || read != wantRead || left != wantLeft {
			t.Fatalf("%d words, room for %d, low width %d: got %d, %d, %x, want %d, %d, %x", n/8, room, low, k, read,
				left, m, wantRead, wantLeft)
		}
		if !x.Intact() || !y.Intact() || !z.Intact() {
			t.Fatalf("%d words, room for %d at %d: memory was changed", n/8, room, where)
		}
		if k < min(room, count) {
			if at := off + k*int(low); room-k >= 8 && (at+7*int(low))>>3+8 <= size {
				t.Fatalf("%d words, room for %d, low width %d: stopped after %d of %d values", n/8, room, low, k, count)
			}
		}
		far += k
	}
	if far < 10000 {
		t.Fatalf("%d values only", far)
	}
}

// TestLongBlock decodes more values at once than one call of a kernel does, in rooms of about that
// size.
func TestLongBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(112, 1))
	for _, width := range []int{18, 40} {
		values := kerneltest.Ascending(50000, func() uint64 { return r.Uint64N(1 << width) })
		p := packOf(values, LowWidth(len(values), values[len(values)-1]))
		for _, room := range []int{len(values), len(values) + 100, maxVectorValues - 1, maxVectorValues,
			maxVectorValues + 1, maxVectorValues + 9, 100} {
			dst := make([]uint64, room)
			it := p.Iter()
			for from := 0; from < len(values); {
				n := it.Values(dst, 0)
				if n != min(room, len(values)-from) || !slices.Equal(dst[:n], values[from:from+n]) {
					t.Fatalf("%d bits, room for %d: wrong from value %d on, %d values", width, room, from, n)
				}
				from += n
			}
		}
	}
}
