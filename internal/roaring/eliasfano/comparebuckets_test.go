// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// sameFunction is the type of packedSame.
type sameFunction = func(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext, done int)

// inBitsFunction is the type of packedInBits.
type inBitsFunction = func(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	bits []byte) (n, k, read int, left uint64)

// compareSame compares two functions that compare blocks bucket by bucket. They begin at any bucket
// and take any number, in valid blocks of all lengths. With other blocks they must only do no harm.
func compareSame(t *testing.T, got, want sameFunction) {
	r := rand.New(rand.NewPCG(161, 1))
	x, y, z := kerneltest.NewArena(t, 8*4096), kerneltest.NewArena(t, 8*4096), kerneltest.NewArena(t, 4*4096)
	found, given, whole := 0, 0, 0
	for i := range 20000 {
		low, width := uint(1+i%maxSameLow), 6+r.IntN(12)
		valid := i%5 > 0
		block := func(at *kerneltest.Arena) Iter {
			values := kerneltest.Ascending(1+r.IntN(1<<(i/9%12)), func() uint64 { return r.Uint64N(1 << width) })
			p := packOf(values, low)
			if !valid {
				for k := range p.Block {
					p.Block[k] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
				}
			}
			p.Block = at.Put(len(p.Block), []int{kerneltest.AtEnd, kerneltest.AtBegin, r.IntN(64)}[r.IntN(3)],
				p.Block)
			return p.Iter()
		}
		a, b := block(x), block(y)
		from := uint64(0)
		if i%2 == 0 {
			from = r.Uint64N(1<<width) >> low << low
			a.Seek(from)
			b.Seek(from)
		}
		if !sameLow(&a, &b) {
			continue
		}
		aAt, bAt, buckets := int(from>>low)+a.i, int(from>>low)+b.i, 1<<20
		if i%3 == 0 {
			buckets = r.IntN(2 + 1<<width>>low)
		}
		room := []int{0, min(a.n, b.n), r.IntN(20)}[r.IntN(3)]
		dst, expected := kerneltest.PutOffsets(z, []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[i%3],
			make([]uint32, room)),
			make([]uint32, room)
		n, aNext, bNext, done := got(dst, &a, &b, aAt, bAt, buckets)
		if !x.Intact() || !y.Intact() || !z.Intact() || n > room && room > 0 || done > buckets {
			t.Fatalf("%d and %d values, low width %d: memory was changed, or %d values for %d", a.n, b.n, low, n, room)
		}
		if !valid {
			continue
		}
		m, aWant, bWant, doneWant := want(expected, &a, &b, aAt, bAt, buckets)
		switch {
		case n < 0:
			if given++; m >= 0 && max(a.n, b.n) < 57 {
				t.Fatalf("%d and %d values up to 2^%d, low width %d: not found out", a.n, b.n, width, low)
			}
		case n != m || room > 0 && !slices.Equal(dst[:n], expected[:n]):
			t.Fatalf("%d and %d values, low width %d, %d buckets from %d: got %d %v, want %d %v", a.n, b.n, low,
				buckets, from>>low, n, dst, m, expected)
		case doneWant == buckets:
			if whole++; aNext != aWant || bNext != bWant || done != doneWant {
				t.Fatalf("%d and %d values, low width %d, %d buckets: ended at %d, %d, %d, want %d, %d, %d", a.n, b.n,
					low, buckets, aNext, bNext, done, aWant, bWant, doneWant)
			}
		case done < doneWant:
			t.Fatalf("%d and %d values, low width %d: ended after %d buckets, want %d", a.n, b.n, low, done, doneWant)
		}
		found += max(n, 0)
	}
	if found < 10_000 || given < 20 || whole < 500 {
		t.Fatalf("%d values in common, %d not found out, %d up to a bucket: this tests too little", found, given, whole)
	}
}

// compareInBits compares two functions that look up the values of a block in bits. The words have
// any density, and the bits any number.
func compareInBits(t *testing.T, got, want inBitsFunction) {
	r := rand.New(rand.NewPCG(162, 1))
	x, y, z, d := kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 3*4096),
		kerneltest.NewArena(t, 4*4096)
	wheres := kerneltest.Places()
	where := func() int { return []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)] }
	var random, parts, ones [8192]byte
	for i := range parts {
		parts[i], ones[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	found := 0
	for i := range 30000 {
		low := uint(minBitsLow + i%4)
		for at := range 512 {
			b := byte(r.Uint32())
			switch i / 4 % 5 {
			case 0:
				b &= byte(r.Uint32() >> 8)
			case 1:
				b |= byte(r.Uint32() >> 8)
			case 2:
				b = []byte{0, 0xFF}[at/8&1]
			}
			random[at] = b
		}
		if i/4%5 == 3 { // as many ones as decide on how many vectors are looked at, with all zeros between two of them
			for at := 0; at < 512; at += 8 {
				n := 14 + r.IntN(6)
				low := 1 + r.IntN(n)
				binary.LittleEndian.PutUint64(random[at:], 1<<low-1|^uint64(0)<<(64-n+low))
			}
		}
		size := r.IntN(1 << r.IntN(10))
		word, last := swar.Uint64(random[:], 8*r.IntN(60)), r.Uint64()>>r.IntN(64)
		if i%3 == 0 {
			word &= ^uint64(0) << r.IntN(64)
		}
		zeros := r.IntN(1 << r.IntN(12))
		if i%7 == 0 {
			zeros -= leading(word)
		}
		length, room := 8*r.IntN(1<<r.IntN(11)), []int{0, r.IntN(1 << r.IntN(13)), 8192, bitsRoom +
			2*r.IntN(100)}[r.IntN(4)]
		off := r.IntN(500)
		words, block, bits, dst := x.Put(size, where(), random[:]), y.Put((off+int(low)*(8*size+64)+7)/8&^7+8,
			where(), parts[:]), z.Put(length, where(), ones[:]), d.Put(room, where(), nil)
		expected := make([]byte, room)
		n, k, read, left := got(dst, words, word, last, zeros, block, off, low, bits)
		if !x.Intact() || !y.Intact() || !z.Intact() || !d.Intact() {
			t.Fatalf("%d bytes, room for %d, %d bits: memory was changed", size, room, 8*length)
		}
		m, kWant, readWant, leftWant := want(expected, words, word, last, zeros, block, off, low, bits)
		if n != m || k != kWant || read != readWant || left != leftWant || room > 0 &&
			!bytes.Equal(dst[:2*n], expected[:2*m]) {
			t.Fatalf("%d bytes, room for %d, %d bits, low width %d: got %d of %d, %d, %x, want %d of %d, %d, %x", size,
				room, 8*length, low, n, k, read, left, m, kWant, readWant, leftWant)
		}
		// Of a block that ends anywhere only that nothing else is touched.
		block = y.Put(r.IntN(1+size), kerneltest.AtEnd, parts[:])
		got(dst, words, word, last, zeros, block, off, low, bits)
		if !d.Intact() {
			t.Fatalf("a block of %d bytes: memory was changed", len(block))
		}
		found += n
	}
	if found < 300_000 {
		t.Fatalf("%d values were found: this tests too little", found)
	}
}

// leading returns the number of zeros before the first one of a word.
func leading(word uint64) (n int) {
	for ; n < 64 && word>>n&1 == 0; n++ {
	}
	return n
}
