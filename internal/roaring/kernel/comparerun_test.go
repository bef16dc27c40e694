// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// someRuns returns runs of which some lists are valid, of any lengths, and others any bytes.
func someRuns(r *rand.Rand) []byte {
	runs := randomRuns(r, 1+r.IntN(1<<r.IntN(10)), 1+r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(12)))
	switch r.IntN(3) {
	case 0:
		for i := range runs {
			runs[i] = byte(r.Uint32())
		}
	case 1:
		for range len(runs) / 8 {
			runs[r.IntN(len(runs))] ^= 1 << r.IntN(8)
		}
	}
	return runs
}

// compareRunValues compares two functions that write the values of runs, in any room and from any
// run and value on. Runs and room stand beside memory that must not be touched.
func compareRunValues(t *testing.T, got, want func(dst []uint64, runs []byte, at, next int, base uint64) (n, run,
	value int)) {
	r := rand.New(rand.NewPCG(211, 1))
	x, y := newArena(t, 64*4096), newArena(t, 3*4096)
	expected := make([]uint64, 32000)
	wheres := places()
	for i := range 6000 {
		list := someRuns(r)
		size := max(len(list)-min(r.IntN(8), r.IntN(4)), 0) // some end within a run
		room, where := min(r.IntN(2<<(i%15)), len(expected)), []int{atEnd, atBegin, 8 * r.IntN(8)}[i%3]
		at, next, base := 0, 0, r.Uint64()>>1
		if i&4 != 0 {
			at, next = r.IntN(size/4+3), r.IntN(1<<16+1)
		}
		m, run, value := want(expected[:room], list[:size], at, next, base)
		b, runs := x.place(8*room, where, nil), y.place(size, wheres[r.IntN(len(wheres))], list)
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), room)
		if k, l, v := got(dst, runs, at, next, base); k != m || l != run || v != value ||
			!slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes from run %d and value %d, room for %d values at %d: got %d values, to run %d and "+
				"value %d; want %d, %d and %d", size, at, next, room, where, k, l, v, m, run, value)
		}
		if !x.intact() || !y.intact() || !equal(runs, list[:size]) {
			t.Fatalf("%d bytes, room for %d values at %d: memory was changed", size, room, where)
		}
	}
}

// runPairs is a function that writes the runs that two lists have in common, of which the first is
// not the longer one; runPairsLen counts the values.
type (
	runPairs    func(dst, a, b []byte) (values, runs int)
	runPairsLen func(a, b []byte) int
)

// compareRunPairs compares two functions: of valid lists of all lengths they have the same answer,
// of others one within the room. Lists and room stand beside memory that must not be touched.
func compareRunPairs(t *testing.T, got, want runPairs) {
	r := rand.New(rand.NewPCG(213, 1))
	x, y, z := newArena(t, 8*4096), newArena(t, 3*4096), newArena(t, 3*4096)
	expected := make([]byte, 8*4096)
	wheres := places()
	many := 0
	for i := range 8000 {
		gap, length := 1+r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(12))
		a, b := randomRuns(r, r.IntN(1<<(i%11)), 1+r.IntN(2*gap), length),
			randomRuns(r, r.IntN(1<<(i%12)), gap, 1+r.IntN(2*length))
		valid := i%4 != 0
		if !valid {
			a, b = someRuns(r), someRuns(r)
			a, b = a[:max(len(a)-r.IntN(4), 0)], b[:max(len(b)-r.IntN(4), 0)] // some end within a run
		}
		if len(a) > len(b) {
			a, b = b, a
		}
		if len(b) > 3*4096-8 {
			continue
		}
		size := len(a) + len(b)
		values, runs := want(expected[:size], a, b)
		dst := x.place(size, wheres[r.IntN(len(wheres))], nil)
		p, q := y.place(len(a), wheres[r.IntN(len(wheres))], a), z.place(len(b), wheres[r.IntN(len(wheres))], b)
		n, k := got(dst, p, q)
		switch {
		case n < 0 || 4*k > size:
			t.Fatalf("%d and %d bytes: got %d values in %d runs", len(a), len(b), n, k)
		case valid && (n != values || k != runs || !equal(dst[:4*k], expected[:4*runs])):
			t.Fatalf("%v and %v: got %d values in %d runs, want %d in %d", a, b, n, k, values, runs)
		}
		if !x.intact() || !y.intact() || !z.intact() || !equal(p, a) || !equal(q, b) {
			t.Fatalf("%d and %d bytes: memory was changed", len(a), len(b))
		}
		if valid && values > 100 && len(a) >= 64 {
			many++
		}
	}
	if many < 500 {
		t.Fatalf("%d pairs had many values in common", many)
	}
}

// compareSelects compares two functions that find the number in a list, of cardinalities of two
// bytes or of runs of four, up to which the sum of all exceeds i.
func compareSelects(t *testing.T, width int, got, want func(list []byte, i uint32) (at int, left uint32)) {
	r := rand.New(rand.NewPCG(212, 1))
	x := newArena(t, 3*4096)
	wheres := places()
	for round := range 20000 {
		list := someRuns(r)
		size := max(len(list)-min(r.IntN(8), r.IntN(4)), 0)
		if width == 2 {
			size = min(size, stride) &^ 1
		}
		sum := uint64(0)
		for i := width - 2; i+1 < size; i += width {
			sum += uint64(load16(list, i)) + 1
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
		in := x.place(size, wheres[r.IntN(len(wheres))], list)
		at, left := got(in, i)
		if at != m || left != expected {
			t.Fatalf("%d of %d in %d bytes: got %d at %d, want %d at %d", i, sum, size, left, at, expected, m)
		}
		if !x.intact() || !equal(in, list[:size]) {
			t.Fatalf("%d bytes: memory was changed", size)
		}
	}
}

// selectEachCard finds a place in a list of cardinalities one by one.
func selectEachCard(cards []byte, i uint32) (at int, left uint32) {
	for ; 2*at+1 < len(cards); at++ {
		n := uint32(load16(cards, 2*at)) + 1
		if i < n {
			break
		}
		i -= n
	}
	return at, i
}
