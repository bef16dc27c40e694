// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// inArrayFunction is the type of packedInArray.
type inArrayFunction = func(dst, words []byte, word, last uint64, zeros int, block []byte, off int, low uint,
	lows []byte) (n, k, read, used int)

// compareInArray compares two functions that compare the values of a block with an array. Words and
// arrays have any density, and arrays any length. Arrays have many of the values.
func compareInArray(t *testing.T, got, want inArrayFunction) {
	r := rand.New(rand.NewPCG(163, 1))
	x, y, z, d := kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 3*4096),
		kerneltest.NewArena(t, 4*4096)
	wheres := kerneltest.Places()
	where := func() int { return []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)] }
	var random, parts [8192]byte
	for i := range parts {
		parts[i] = byte(r.Uint32())
	}
	found, ended := 0, 0
	for i := range 6000 {
		low := uint(minArrayLow + i%6)
		for at := range 512 {
			b := byte(r.Uint32())
			switch i / 6 % 6 {
			case 0:
				b &= byte(r.Uint32() >> 8)
			case 1:
				b |= byte(r.Uint32() >> 8)
			case 2:
				b = []byte{0, 0xFF}[at/8&1]
			case 3:
				b = []byte{b, 0xFF}[at/32&1]
			}
			random[at] = b
		}
		size := r.IntN(1 << (i % 10))
		word, last := swar.Uint64(random[:], 8*r.IntN(60)), r.Uint64()>>r.IntN(64)
		if i%3 == 0 {
			word &= ^uint64(0) << r.IntN(64)
		}
		zeros := r.IntN(1 << (i % 12))
		if i%7 == 0 {
			zeros -= leading(word)
		}
		if i%5 == 0 { // values before the first one that the array may have
			zeros -= r.IntN(1 << (i / 5 % 15))
		}
		off := r.IntN(500)
		words, block := x.Put(size, where(), random[:]), y.Put((off+int(low)*(8*size+64)+7)/8&^7+8, where(),
			parts[:])
		most := min((zeros+8*size+64)<<low, 1<<16)
		if r.IntN(4) == 0 {
			most = 1 << 16
		}
		values := kerneltest.Ascending(r.IntN(1<<(i/5%13)), func() uint64 { return uint64(r.IntN(max(most, 1))) })
		if r.IntN(3) > 0 {
			for v := range decoded(words, word, last, zeros, block, off, low) {
				if v < 1<<16 && r.IntN(4) > 0 {
					values = append(values, v)
				}
			}
			values = kerneltest.SortedSet(values)
		}
		values = values[:min(len(values), 4096)]
		var payload []byte
		for _, v := range values {
			payload = binary.LittleEndian.AppendUint16(payload, uint16(v))
		}
		lows := z.Put(len(payload), where(), payload)
		room := []int{0, r.IntN(1 << (i % 13)), 2*len(values) + bitsRoom}[r.IntN(3)]
		dst, expected := d.Put(room, where(), nil), make([]byte, room)
		n, k, read, used := got(dst, words, word, last, zeros, block, off, low, lows)
		if !x.Intact() || !y.Intact() || !z.Intact() || !d.Intact() {
			t.Fatalf("%d bytes, room for %d, %d values: memory was changed", size, room, len(values))
		}
		m, kWant, readWant, usedWant := want(expected, words, word, last, zeros, block, off, low, lows)
		if n != m || k != kWant || read != readWant || used != usedWant || room > 0 &&
			!bytes.Equal(dst[:2*n], expected[:2*m]) {
			t.Fatalf("%d bytes, room for %d, %d values, low width %d, %d zeros: got %d of %d, %d, %d, want %d of "+
				"%d, %d, %d", size, room, len(values), low, zeros, n, k, read, used, m, kWant, readWant, usedWant)
		}
		found += n
		if used == len(lows)/2 {
			ended++
		}
		// Of a block that ends anywhere, and an array that does not ascend, only that nothing else
		// is touched.
		block, lows = y.Put(r.IntN(200), kerneltest.AtEnd, parts[:]), z.Put(r.IntN(1<<(i%13)), where(), parts[:])
		if n, _, read, used = got(dst, words, word, last, zeros, block, off, low, lows); !d.Intact() ||
			used > len(lows)/2 || used < 0 || read > size || 2*n > room && room > 0 {
			t.Fatalf("a block of %d bytes, %d of an array: memory was changed, or %d of %d values in %d of %d bytes",
				len(block), len(lows), n, used, read, size)
		}
	}
	if found < 100_000 || ended < 1000 {
		t.Fatalf("%d values were found, %d arrays ended: this tests too little", found, ended)
	}
	// Of an array that has one value again and again, which is in every word, none of the words
	// meets all.
	words, block, lows := x.Put(512, kerneltest.AtEnd, bytes.Repeat([]byte{0xFF}, 512)),
		y.Put(4096, kerneltest.AtEnd, make([]byte, 4096)), z.Put(8192, kerneltest.AtEnd, make([]byte, 8192))
	if n, _, _, _ := got(nil, words, ^uint64(0), ^uint64(0), 0, block, 0, 7, lows); n > 65*256 {
		t.Fatalf("got %d values of 65 words and one value", n)
	}
}

// TestInArrayOfDamaged: of a block that is none and an array that has a value again and again, no
// more is found than the array has, and what has no room is left out.
func TestInArrayOfDamaged(t *testing.T) {
	for _, size := range []int{60, 100, 1000} {
		for low := uint(minArrayLow); low <= maxSameLow; low++ {
			for n := 1; n*int(low+1) <= 8*size; n += 1 + n/4 {
				block := bytes.Repeat([]byte{0xFF}, size)
				clear(block[(8*size-n*int(low))/8:])
				for _, values := range []int{32, 63, 64, 65, 128, 192, 1000} {
					it := Packed{Block: block, N: n, Low: low}.Iter()
					if got := it.InArray(make([]byte, 2*values), 0); got > values {
						t.Fatalf("%d values of low width %d in %d bytes: got %d of %d", n, low, size, got, values)
					}
					it = Packed{Block: block, N: n, Low: low}.Iter()
					dst := make([]byte, 2*values+BitsRoom)
					if got := it.LowsInArray(dst, make([]byte, 2*values), 0); got > values {
						t.Fatalf("%d values of low width %d in %d bytes: wrote %d of %d", n, low, size, got, values)
					}
				}
			}
		}
	}
}

// TestInArrayPassesWhatLiesBefore asks for arrays behind the next value. InArray passes a few
// values before the array, and finds nothing if there are more.
func TestInArrayPassesWhatLiesBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(164, 1))
	for low := uint(minArrayLow); low <= maxSameLow; low++ {
		values := kerneltest.Ascending(40_000, func() uint64 { return r.Uint64N(40_000 << low) })
		p := Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
		for range 50 {
			from := r.Uint64N(40_000) << low
			var array []byte
			want := 0
			for _, x := range values {
				if d := x - from; x >= from && d < 1<<16 && r.IntN(2) == 0 {
					array, want = binary.LittleEndian.AppendUint16(array, uint16(d)), want+1
				}
			}
			it := p.Iter()
			it.Skip(r.IntN(len(values)))
			first, _ := it.Peek()
			if !it.FitArray() || len(array) == 0 {
				continue
			}
			begin := it
			n := it.InArray(array, from)
			switch {
			case first <= from && from-first <= (maxPassed-1)<<low:
				if n != want {
					t.Fatalf("low width %d, from %d of %d on: got %d values, want %d", low, from, first, n, want)
				}
			case first <= from && from-first > (maxPassed+1)<<low:
				if n != 0 || it.Index() != begin.Index() {
					t.Fatalf("low width %d, from %d of %d on: got %d values at %d", low, from, first, n, it.Index())
				}
			}
		}
	}
}

// decoded returns the values whose upper parts are the ones of word, and then of words, as of
// packedInArrayGeneric.
func decoded(words []byte, word, last uint64, zeros int, block []byte, off int,
	low uint) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for read := 0; ; {
			for at := range 64 {
				if word>>at&1 == 0 {
					zeros++
					continue
				}
				if zeros >= 0 && !yield(uint64(zeros)<<low|swar.LowBits(block, off, low)) {
					return
				}
				off += int(low)
			}
			if read+8 > len(words) {
				return
			}
			word = swar.Uint64(words, read)
			if read += 8; read+8 > len(words) {
				word &= last
			}
		}
	}
}
