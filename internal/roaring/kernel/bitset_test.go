// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func encodeWords(xs []int) *Words {
	var w Words
	for _, x := range xs {
		w[x/8] |= 1 << (x % 8)
	}
	return &w
}

func encodeRuns(xs []int) (b []byte) {
	for i := 0; i < len(xs); {
		j := i
		for j+1 < len(xs) && xs[j+1] == xs[j]+1 {
			j++
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(xs[i]))
		b = binary.LittleEndian.AppendUint16(b, uint16(j-i))
		i = j + 1
	}
	return b
}

// shapes returns sets of a chunk: empty, full, corners, sparse, dense, clustered.
func shapes(r *rand.Rand) (out [][]int) {
	full := make([]int, 65536)
	for i := range full {
		full[i] = i
	}
	out = append(out, nil, full, full[:1], full[65535:], full[60:70], full[64:128], full[63:65473],
		[]int{0, 63, 64, 65535})
	for _, n := range []int{5, 300, 4096, 30000, 65000} {
		_, xs := randomLows(r, n, 65536)
		out = append(out, xs)
	}
	for _, runs := range []int{3, 50, 700} {
		var xs []int
		for range runs {
			lo := r.IntN(65536)
			for x := lo; x < min(lo+1+r.IntN(60000/runs), 65536); x++ {
				xs = append(xs, x)
			}
		}
		slices.Sort(xs)
		out = append(out, slices.Compact(xs))
	}
	return out
}

func TestPairsOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	list := shapes(r)
	for i, xs := range list {
		for j, ys := range list {
			what := fmt.Sprintf("shapes %d and %d", i, j)
			a, b := encodeWords(xs), encodeWords(ys)
			and, or, andNot, xor := merge(xs, ys, both), merge(xs, ys, either), merge(xs, ys, onlyFirst),
				merge(xs, ys, onlyOne)
			if BitsetAndLen(a, b) != len(and) || BitsetIntersects(a, b) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of bitsets", what)
			}
			ra, rb := encodeRuns(xs), encodeRuns(ys)
			if RunAndLen(ra, rb) != len(and) || RunIntersects(ra, rb) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of runs", what)
			}
			if RunBitsetAndLen(ra, b) != len(and) || RunBitsetIntersects(ra, b) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of runs and bitset", what)
			}
			for _, c := range []struct {
				name string
				op   Op
				want []int
				f    func(dst, a, b *Words) int
				runs func(dst *Words) int // changes the words of a by the runs of b and returns their number
			}{
				{"and", And, and, BitsetAnd, func(dst *Words) int { return len(xs) - KeepRuns(dst, rb) }},
				{"or", Or, or, BitsetOr, func(dst *Words) int { return len(xs) + SetRuns(dst, rb) }},
				{"andnot", AndNot, andNot, BitsetAndNot, func(dst *Words) int { return len(xs) - ClearRuns(dst, rb) }},
				{"xor", Xor, xor, BitsetXor, func(dst *Words) int { return len(xs) + FlipRuns(dst, rb) }},
			} {
				var dst Words
				want := encodeWords(c.want)
				if n := c.f(&dst, a, b); n != len(c.want) || dst != *want {
					t.Fatalf("%s of %s: wrong bitset", c.name, what)
				}
				dst = *a
				if n := c.runs(&dst); n != len(c.want) || dst != *want {
					t.Fatalf("%s of %s: wrong bitset by runs, %d values", c.name, what, n)
				}
				wantRuns := encodeRuns(c.want)
				room := make([]byte, len(wantRuns))
				if n, runs := Runs(c.op, room, ra, false, rb, false); n != len(c.want) || 4*runs != len(wantRuns) ||
					!bytes.Equal(room, wantRuns) {
					t.Fatalf("%s of %s: wrong runs", c.name, what)
				}
				if n, runs := Runs(c.op, nil, encodeLows(xs), true, rb, false); n != len(c.want) ||
					4*runs != len(wantRuns) {
					t.Fatalf("%s of %s: wrong number of runs of an array", c.name, what)
				}
				if n, runs := Runs(c.op, nil, ra, false, encodeLows(ys), true); n != len(c.want) ||
					4*runs != len(wantRuns) {
					t.Fatalf("%s of %s: wrong number of runs with an array", c.name, what)
				}
			}
			var dst Words
			if n := RunBitsetAnd(&dst, ra, b); n != len(and) || dst != *encodeWords(and) {
				t.Fatalf("%s: wrong ones inside runs", what)
			}
			if n := RunBitsetAndNot(&dst, ra, b); n != len(andNot) || dst != *encodeWords(andNot) {
				t.Fatalf("%s: wrong places of runs outside a bitset", what)
			}
			lows := make([]byte, 2*len(and))
			if n := RunBitsetToArray(lows, ra, b); n != len(and) || !bytes.Equal(lows, encodeLows(and)) {
				t.Fatalf("%s: wrong array of ones inside runs", what)
			}
			checkArrayWith(t, what, xs, ys, and, andNot, b, rb)
		}
	}
}

// checkArrayWith compares the kernels of an array and a bitset or runs.
func checkArrayWith(t *testing.T, what string, xs, ys, and, andNot []int, b *Words, rb []byte) {
	t.Helper()
	a := encodeLows(xs)
	if ArrayBitsetAndLen(a, b) != len(and) || ArrayBitsetIntersects(a, b) != (len(and) > 0) {
		t.Fatalf("%s: wrong intersection of array and bitset", what)
	}
	if ArrayRunAndLen(a, rb) != len(and) || ArrayRunIntersects(a, rb) != (len(and) > 0) {
		t.Fatalf("%s: wrong intersection of array and runs", what)
	}
	dst := make([]byte, len(a))
	for _, c := range []struct {
		name string
		n    int
		want []int
	}{
		{"array and bitset", ArrayBitsetAnd(dst, a, b), and},
		{"array without bitset", ArrayBitsetAndNot(dst, a, b), andNot},
		{"array and runs", ArrayRunAnd(dst, a, rb), and},
		{"array without runs", ArrayRunAndNot(dst, a, rb), andNot},
	} {
		if c.n != len(c.want) {
			t.Fatalf("%s: %s: got %d values, want %d", what, c.name, c.n, len(c.want))
		}
	}
	if n := ArrayBitsetAnd(dst, a, b); !bytes.Equal(dst[:2*n], encodeLows(and)) {
		t.Fatalf("%s: wrong array with bitset", what)
	}
	if n := ArrayBitsetAndNot(dst, a, b); !bytes.Equal(dst[:2*n], encodeLows(andNot)) {
		t.Fatalf("%s: wrong array without bitset", what)
	}
	if n := ArrayRunAnd(dst, a, rb); !bytes.Equal(dst[:2*n], encodeLows(and)) {
		t.Fatalf("%s: wrong array with runs", what)
	}
	if n := ArrayRunAndNot(dst, a, rb); !bytes.Equal(dst[:2*n], encodeLows(andNot)) {
		t.Fatalf("%s: wrong array without runs", what)
	}
	for _, c := range []struct {
		name string
		f    func(a *Words, lows []byte) int
		want []int
		n    int
	}{
		{"SetArray", SetArray, merge(xs, ys, either), len(xs) - len(and)},
		{"ClearArray", ClearArray, merge(ys, xs, onlyFirst), len(and)},
		{"FlipArray", FlipArray, merge(xs, ys, onlyOne), len(xs) - 2*len(and)},
	} {
		w := *b
		if n := c.f(&w, a); n != c.n || w != *encodeWords(c.want) {
			t.Fatalf("%s of %s: got %d, want %d", c.name, what, n, c.n)
		}
	}
}

func TestReadsOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i, xs := range shapes(r) {
		w, runs := encodeWords(xs), encodeRuns(xs)
		if BitsetLen(w) != len(xs) || RunLen(runs) != len(xs) {
			t.Fatalf("shape %d: wrong cardinality", i)
		}
		lows := make([]byte, 2*len(xs)+2)
		if n := BitsetToArray(lows, w); n != len(xs) || !bytes.Equal(lows[:2*n], encodeLows(xs)) {
			t.Fatalf("shape %d: wrong array of a bitset", i)
		}
		if n := RunToArray(lows, runs); n != len(xs) || !bytes.Equal(lows[:2*n], encodeLows(xs)) {
			t.Fatalf("shape %d: wrong array of runs", i)
		}
		if n := BitsetToArray(lows[:2], w); n != min(len(xs), 1) {
			t.Fatalf("shape %d: %d values in the room of one", i, n)
		}
		room := make([]uint16, len(xs)+3)
		copy(room[len(xs):], []uint16{1, 2, 3})
		if n := BitsetLows(room[:len(xs)], w); n != len(xs) || !slices.EqualFunc(room[:n], xs,
			func(a uint16, b int) bool {
				return int(a) == b
			}) || !slices.Equal(room[n:], []uint16{1, 2, 3}) {
			t.Fatalf("shape %d: wrong lows of a bitset, or more than there is room for", i)
		}
		if n := BitsetLows(room[:1], w); n != min(len(xs), 1) {
			t.Fatalf("shape %d: %d lows in the room of one", i, n)
		}
		values := make([]uint64, len(xs))
		if n := BitsetValues(values, w, 1<<40); n != len(xs) || n > 0 && values[n-1] != 1<<40+uint64(xs[n-1]) {
			t.Fatalf("shape %d: wrong values of a bitset", i)
		}
		for range 300 {
			x := r.IntN(65536)
			at, found := slices.BinarySearch(xs, x)
			if BitsetContains(w, uint16(x)) != found || RunContains(runs, uint16(x)) != found {
				t.Fatalf("shape %d: contains %d", i, x)
			}
			if next, ok := BitsetNext(w, uint16(x)); ok != (at < len(xs)) || ok && int(next) != xs[at] {
				t.Fatalf("shape %d: next of %d is %d", i, x, next)
			}
			rank := at
			if found {
				rank++
			}
			if previous, ok := BitsetPrevious(w, uint16(x)); ok != (rank > 0) || ok && int(previous) != xs[rank-1] {
				t.Fatalf("shape %d: previous of %d is %d", i, x, previous)
			}
			if BitsetRank(w, uint16(x), len(xs)) != rank || RunRank(runs, uint16(x)) != rank {
				t.Fatalf("shape %d: rank of %d", i, x)
			}
			k := r.IntN(len(xs) + 2)
			low, ok := BitsetSelect(w, k, len(xs))
			low2, ok2 := RunSelect(runs, k)
			if ok != (k < len(xs)) || ok2 != ok || ok && (int(low) != xs[k] || low2 != low) {
				t.Fatalf("shape %d: select of %d", i, k)
			}
		}
		for range 200 {
			lo := r.IntN(65536)
			hi := lo + 1 + r.IntN(65536-lo)
			if r.IntN(4) == 0 {
				lo, hi = lo&^63, min((hi+63)&^63, 65536)
			}
			from, _ := slices.BinarySearch(xs, lo)
			to, _ := slices.BinarySearch(xs, hi)
			in := to - from
			if got := RangeLen(w, lo, hi); got != in {
				t.Fatalf("shape %d: %d in [%d, %d), want %d", i, got, lo, hi, in)
			}
			set, unset, flipped := *w, *w, *w
			if n := SetRange(&set, lo, hi); n != hi-lo-in || BitsetLen(&set) != len(xs)+n ||
				RangeLen(&set, lo, hi) != hi-lo {
				t.Fatalf("shape %d: SetRange of [%d, %d)", i, lo, hi)
			}
			if n := ClearRange(&unset, lo, hi); n != in || BitsetLen(&unset) != len(xs)-n ||
				RangeLen(&unset, lo, hi) != 0 {
				t.Fatalf("shape %d: ClearRange of [%d, %d)", i, lo, hi)
			}
			if n := FlipRange(&flipped, lo, hi); n != hi-lo-2*in || BitsetLen(&flipped) != len(xs)+n {
				t.Fatalf("shape %d: FlipRange of [%d, %d)", i, lo, hi)
			}
			FlipRange(&flipped, lo, hi)
			if flipped != *w {
				t.Fatalf("shape %d: FlipRange twice of [%d, %d)", i, lo, hi)
			}
		}
	}
}

// TestBitsetClaims gives cardinalities that are wrong: rank and select stay in range.
func TestBitsetClaims(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var w Words
	for _, density := range []int{0, 1, 200, 60000} {
		for range density {
			w[r.IntN(len(w))] |= 1 << r.IntN(8)
		}
		ones := BitsetLen(&w)
		for _, n := range []int{0, 1, ones / 2, ones, ones + 1, 65536} {
			for range 100 {
				x := uint16(r.Uint32())
				if rank := BitsetRank(&w, x, n); rank < 0 || rank > 65536 {
					t.Fatalf("rank of %d, %d claimed of %d: %d", x, n, ones, rank)
				}
				i := r.IntN(65537)
				if at, ok := BitsetSelect(&w, i, n); ok && (i >= n || !BitsetContains(&w, at)) {
					t.Fatalf("select of %d, %d claimed of %d: %d", i, n, ones, at)
				}
			}
		}
	}
}
