// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// places are those at which an operand stands: at both ends of memory, and at all alignments of the
// widest vectors and beyond.
func places() (list []int) {
	list = append(list, atEnd)
	for at := range 67 {
		list = append(list, at)
	}
	return list
}

// someWords returns words with none, all, few, half and most of their bits, and clusters.
func someWords(r *rand.Rand) (list []*Words) {
	list = append(list, new(Words), new(Words))
	for i := range list[1] {
		list[1][i] = 0xFF
	}
	for _, xs := range shapes(r)[2:] {
		list = append(list, encodeWords(xs))
	}
	return list
}

// compareCounts compares functions that count something in one operand of any length.
func compareCounts(t *testing.T, got, want func([]byte) int) {
	r := rand.New(rand.NewPCG(101, 1))
	at := newArena(t, 8192)
	var bytes [8192]byte
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	sizes := []int{8191, 8192}
	for n := range 600 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for _, where := range places() {
			if where+n > len(at.memory) {
				continue
			}
			b := at.place(n, where, bytes[:])
			if n, m := got(b), want(b); n != m {
				t.Fatalf("%d bytes at %d: got %d, want %d", len(b), where, n, m)
			}
			if !at.intact() || !equal(b, bytes[:len(b)]) {
				t.Fatalf("%d bytes at %d: memory was changed", n, where)
			}
		}
	}
}

func equal(a, b []byte) bool { return bytes.Equal(a, b) }

func compareWordCounts(t *testing.T, got, want func(a, b *Words) int) {
	r := rand.New(rand.NewPCG(102, 1))
	list := someWords(r)
	x, y := newArena(t, 3*4096), newArena(t, 3*4096)
	for _, where := range places() {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		p, q := (*Words)(x.place(8192, where, a[:])), (*Words)(y.place(8192, atBegin, b[:]))
		if n, m := got(p, q), want(a, b); n != m {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if n, m := got(q, p), want(b, a); n != m {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if !x.intact() || !y.intact() || *p != *a || *q != *b {
			t.Fatalf("at %d: memory was changed", where)
		}
	}
	for _, a := range list {
		for _, b := range list {
			if n, m := got(a, b), want(a, b); n != m {
				t.Fatalf("got %d, want %d", n, m)
			}
		}
	}
}

func compareWordWrites(t *testing.T, got, want func(dst, a, b *Words) int) {
	r := rand.New(rand.NewPCG(103, 1))
	list := someWords(r)
	x, y, z := newArena(t, 3*4096), newArena(t, 3*4096), newArena(t, 3*4096)
	for _, where := range places() {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		var expected Words
		m := want(&expected, a, b)
		dst := (*Words)(x.place(8192, where, nil))
		p, q := (*Words)(y.place(8192, atEnd, a[:])), (*Words)(z.place(8192, where, b[:]))
		if n := got(dst, p, q); n != m || *dst != expected {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if !x.intact() || !y.intact() || !z.intact() || *p != *a || *q != *b {
			t.Fatalf("at %d: memory was changed", where)
		}
		if n := got(p, p, q); n != m || *p != expected {
			t.Fatalf("at %d, into the first operand: got %d, want %d", where, n, m)
		}
	}
	for _, a := range list {
		for _, b := range list {
			var dst, expected Words
			if n, m := got(&dst, a, b), want(&expected, a, b); n != m || dst != expected {
				t.Fatalf("got %d, want %d", n, m)
			}
		}
	}
}
