// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package run

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareRunValues compares two functions that write the values of runs. They begin at any run and
// value and write to any room. Runs and room stand beside memory that must not be touched.
func compareRunValues(t *testing.T, got, want func(dst []uint64, runs []byte, at, next int, base uint64) (n, run,
	value int)) {
	r := rand.New(rand.NewPCG(211, 1))
	x, y := kerneltest.NewArena(t, 64*4096), kerneltest.NewArena(t, 3*4096)
	expected := make([]uint64, 32000)
	wheres := kerneltest.Places()
	for i := range 6000 {
		list := kerneltest.SomeRuns(r)
		size := max(len(list)-min(r.IntN(8), r.IntN(4)), 0) // some end within a run
		room, where := min(r.IntN(2<<(i%15)), len(expected)), []int{kerneltest.AtEnd, kerneltest.AtBegin,
			8 * r.IntN(8)}[i%3]
		at, next, base := 0, 0, r.Uint64()>>1
		if i&4 != 0 {
			at, next = r.IntN(size/4+3), r.IntN(1<<16+1)
		}
		m, run, value := want(expected[:room], list[:size], at, next, base)
		b, runs := x.Put(8*room, where, nil), y.Put(size, wheres[r.IntN(len(wheres))], list)
		dst := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), room)
		if k, l, v := got(dst, runs, at, next, base); k != m || l != run || v != value ||
			!slices.Equal(dst[:k], expected[:k]) {
			t.Fatalf("%d bytes from run %d and value %d, room for %d values at %d: got %d values, to run %d and "+
				"value %d; want %d, %d and %d", size, at, next, room, where, k, l, v, m, run, value)
		}
		if !x.Intact() || !y.Intact() || !bytes.Equal(runs, list[:size]) {
			t.Fatalf("%d bytes, room for %d values at %d: memory was changed", size, room, where)
		}
	}
}

// runPairs is a function that writes the runs that two lists have in common. The first list is not
// the longer one. runPairsLen counts the values.
type (
	runPairs    func(dst, a, b []byte) (values, runs int)
	runPairsLen func(a, b []byte) int
)

// compareRunPairs compares two functions: of valid lists of all lengths they have the same answer,
// of others one within the room. Lists and room stand beside memory that must not be touched.
func compareRunPairs(t *testing.T, got, want runPairs) {
	r := rand.New(rand.NewPCG(213, 1))
	x, y, z := kerneltest.NewArena(t, 8*4096), kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096)
	expected := make([]byte, 8*4096)
	wheres := kerneltest.Places()
	many := 0
	for i := range 8000 {
		gap, length := 1+r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(12))
		a, b := kerneltest.RandomRuns(r, r.IntN(1<<(i%11)), 1+r.IntN(2*gap), length),
			kerneltest.RandomRuns(r, r.IntN(1<<(i%12)), gap, 1+r.IntN(2*length))
		valid := i%4 != 0
		if !valid {
			a, b = kerneltest.SomeRuns(r), kerneltest.SomeRuns(r)
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
		dst := x.Put(size, wheres[r.IntN(len(wheres))], nil)
		p, q := y.Put(len(a), wheres[r.IntN(len(wheres))], a), z.Put(len(b), wheres[r.IntN(len(wheres))], b)
		n, k := got(dst, p, q)
		switch {
		case n < 0 || 4*k > size:
			t.Fatalf("%d and %d bytes: got %d values in %d runs", len(a), len(b), n, k)
		case valid && (n != values || k != runs || !bytes.Equal(dst[:4*k], expected[:4*runs])):
			t.Fatalf("%v and %v: got %d values in %d runs, want %d in %d", a, b, n, k, values, runs)
		}
		if !x.Intact() || !y.Intact() || !z.Intact() || !bytes.Equal(p, a) || !bytes.Equal(q, b) {
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
