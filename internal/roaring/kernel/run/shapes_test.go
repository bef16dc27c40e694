// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

func TestPairsOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	list := kerneltest.Shapes(r)
	for i, xs := range list {
		for j, ys := range list {
			what := fmt.Sprintf("shapes %d and %d", i, j)
			a, b := kerneltest.EncodeWords(xs), kerneltest.EncodeWords(ys)
			and, or, andNot, xor := kerneltest.Merge(xs, ys, kerneltest.Both), kerneltest.Merge(xs, ys,
				kerneltest.Either), kerneltest.Merge(xs, ys, kerneltest.OnlyFirst),
				kerneltest.Merge(xs, ys, kerneltest.OnlyOne)
			if bitset.AndLen(a, b) != len(and) || bitset.Intersects(a, b) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of bitsets", what)
			}
			ra, rb := kerneltest.EncodeRuns(xs), kerneltest.EncodeRuns(ys)
			if AndLen(ra, rb) != len(and) || Intersects(ra, rb) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of runs", what)
			}
			if BitsetAndLen(ra, b) != len(and) || BitsetIntersects(ra, b) != (len(and) > 0) {
				t.Fatalf("%s: wrong intersection of runs and bitset", what)
			}
			for _, c := range []struct {
				name string
				op   setOp
				want []int
				f    func(dst, a, b *bitset.Words) int
				runs func(dst *bitset.Words) int // changes the words of a by the runs of b and returns their number
			}{
				{"and", andOp, and, bitset.And, func(dst *bitset.Words) int { return len(xs) - Keep(dst, rb) }},
				{"or", orOp, or, bitset.Or, func(dst *bitset.Words) int { return len(xs) + Set(dst, rb) }},
				{"andnot", andNotOp, andNot, bitset.AndNot, func(dst *bitset.Words) int {
					return len(xs) - Clear(dst,
						rb)
				}},
				{"xor", xorOp, xor, bitset.Xor, func(dst *bitset.Words) int { return len(xs) + Flip(dst, rb) }},
			} {
				var dst bitset.Words
				want := kerneltest.EncodeWords(c.want)
				if n := c.f(&dst, a, b); n != len(c.want) || dst != *want {
					t.Fatalf("%s of %s: wrong bitset", c.name, what)
				}
				dst = *a
				if n := c.runs(&dst); n != len(c.want) || dst != *want {
					t.Fatalf("%s of %s: wrong bitset by runs, %d values", c.name, what, n)
				}
				wantRuns := kerneltest.EncodeRuns(c.want)
				room := make([]byte, len(wantRuns))
				if n, runs := Runs(c.op, room, ra, false, rb, false); n != len(c.want) || 4*runs != len(wantRuns) ||
					!bytes.Equal(room, wantRuns) {
					t.Fatalf("%s of %s: wrong runs", c.name, what)
				}
				if n, runs := Runs(c.op, nil, kerneltest.EncodeLows(xs), true, rb, false); n != len(c.want) ||
					4*runs != len(wantRuns) {
					t.Fatalf("%s of %s: wrong number of runs of an array", c.name, what)
				}
				if n, runs := Runs(c.op, nil, ra, false, kerneltest.EncodeLows(ys), true); n != len(c.want) ||
					4*runs != len(wantRuns) {
					t.Fatalf("%s of %s: wrong number of runs with an array", c.name, what)
				}
			}
			var dst bitset.Words
			if n := BitsetAnd(&dst, ra, b); n != len(and) || dst != *kerneltest.EncodeWords(and) {
				t.Fatalf("%s: wrong ones inside runs", what)
			}
			if n := BitsetAndNot(&dst, ra, b); n != len(andNot) || dst != *kerneltest.EncodeWords(andNot) {
				t.Fatalf("%s: wrong places of runs outside a bitset", what)
			}
			lows := make([]byte, 2*len(and))
			if n := BitsetToArray(lows, ra, b); n != len(and) || !bytes.Equal(lows, kerneltest.EncodeLows(and)) {
				t.Fatalf("%s: wrong array of ones inside runs", what)
			}
			checkArrayWith(t, what, xs, ys, and, andNot, b, rb)
		}
	}
}

// checkArrayWith compares the kernels of an array and a bitset or runs.
func checkArrayWith(t *testing.T, what string, xs, ys, and, andNot []int, b *bitset.Words, rb []byte) {
	t.Helper()
	a := kerneltest.EncodeLows(xs)
	if array.BitsetAndLen(a, b) != len(and) || array.BitsetIntersects(a, b) != (len(and) > 0) {
		t.Fatalf("%s: wrong intersection of array and bitset", what)
	}
	if ArrayAndLen(a, rb) != len(and) || ArrayIntersects(a, rb) != (len(and) > 0) {
		t.Fatalf("%s: wrong intersection of array and runs", what)
	}
	dst := make([]byte, len(a))
	for _, c := range []struct {
		name string
		n    int
		want []int
	}{
		{"array and bitset", array.BitsetAnd(dst, a, b), and},
		{"array without bitset", array.BitsetAndNot(dst, a, b), andNot},
		{"array and runs", ArrayAnd(dst, a, rb), and},
		{"array without runs", ArrayAndNot(dst, a, rb), andNot},
	} {
		if c.n != len(c.want) {
			t.Fatalf("%s: %s: got %d values, want %d", what, c.name, c.n, len(c.want))
		}
	}
	if n := array.BitsetAnd(dst, a, b); !bytes.Equal(dst[:2*n], kerneltest.EncodeLows(and)) {
		t.Fatalf("%s: wrong array with bitset", what)
	}
	if n := array.BitsetAndNot(dst, a, b); !bytes.Equal(dst[:2*n], kerneltest.EncodeLows(andNot)) {
		t.Fatalf("%s: wrong array without bitset", what)
	}
	if n := ArrayAnd(dst, a, rb); !bytes.Equal(dst[:2*n], kerneltest.EncodeLows(and)) {
		t.Fatalf("%s: wrong array with runs", what)
	}
	if n := ArrayAndNot(dst, a, rb); !bytes.Equal(dst[:2*n], kerneltest.EncodeLows(andNot)) {
		t.Fatalf("%s: wrong array without runs", what)
	}
	for _, c := range []struct {
		name string
		f    func(a *bitset.Words, lows []byte) int
		want []int
		n    int
	}{
		{"SetArray", bitset.SetArray, kerneltest.Merge(xs, ys, kerneltest.Either), len(xs) - len(and)},
		{"ClearArray", bitset.ClearArray, kerneltest.Merge(ys, xs, kerneltest.OnlyFirst), len(and)},
		{"FlipArray", bitset.FlipArray, kerneltest.Merge(xs, ys, kerneltest.OnlyOne), len(xs) - 2*len(and)},
	} {
		w := *b
		if n := c.f(&w, a); n != c.n || w != *kerneltest.EncodeWords(c.want) {
			t.Fatalf("%s of %s: got %d, want %d", c.name, what, n, c.n)
		}
	}
}

func TestReadsOfShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i, xs := range kerneltest.Shapes(r) {
		w, runs := kerneltest.EncodeWords(xs), kerneltest.EncodeRuns(xs)
		if bitset.Len(w) != len(xs) || Len(runs) != len(xs) {
			t.Fatalf("shape %d: wrong cardinality", i)
		}
		lows := make([]byte, 2*len(xs)+2)
		if n := bitset.ToArray(lows, w); n != len(xs) || !bytes.Equal(lows[:2*n], kerneltest.EncodeLows(xs)) {
			t.Fatalf("shape %d: wrong array of a bitset", i)
		}
		if n := ToArray(lows, runs); n != len(xs) || !bytes.Equal(lows[:2*n], kerneltest.EncodeLows(xs)) {
			t.Fatalf("shape %d: wrong array of runs", i)
		}
		if n := bitset.ToArray(lows[:2], w); n != min(len(xs), 1) {
			t.Fatalf("shape %d: %d values in the room of one", i, n)
		}
		room := make([]uint16, len(xs)+3)
		copy(room[len(xs):], []uint16{1, 2, 3})
		if n := bitset.Lows(room[:len(xs)], w); n != len(xs) || !slices.EqualFunc(room[:n], xs,
			func(a uint16, b int) bool {
				return int(a) == b
			}) || !slices.Equal(room[n:], []uint16{1, 2, 3}) {
			t.Fatalf("shape %d: wrong lows of a bitset, or more than there is room for", i)
		}
		if n := bitset.Lows(room[:1], w); n != min(len(xs), 1) {
			t.Fatalf("shape %d: %d lows in the room of one", i, n)
		}
		values := make([]uint64, len(xs))
		if n := bitset.Values(values, w, 1<<40); n != len(xs) || n > 0 && values[n-1] != 1<<40+uint64(xs[n-1]) {
			t.Fatalf("shape %d: wrong values of a bitset", i)
		}
		for range 300 {
			x := r.IntN(65536)
			at, found := slices.BinarySearch(xs, x)
			if bitset.Contains(w, uint16(x)) != found || Contains(runs, uint16(x)) != found {
				t.Fatalf("shape %d: contains %d", i, x)
			}
			if next, ok := bitset.Next(w, uint16(x)); ok != (at < len(xs)) || ok && int(next) != xs[at] {
				t.Fatalf("shape %d: next of %d is %d", i, x, next)
			}
			rank := at
			if found {
				rank++
			}
			if previous, ok := bitset.Previous(w, uint16(x)); ok != (rank > 0) || ok && int(previous) != xs[rank-1] {
				t.Fatalf("shape %d: previous of %d is %d", i, x, previous)
			}
			if bitset.Rank(w, uint16(x), len(xs)) != rank || Rank(runs, uint16(x)) != rank {
				t.Fatalf("shape %d: rank of %d", i, x)
			}
			k := r.IntN(len(xs) + 2)
			low, ok := bitset.Select(w, k, len(xs))
			low2, ok2 := Select(runs, k)
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
			if got := bitset.RangeLen(w, lo, hi); got != in {
				t.Fatalf("shape %d: %d in [%d, %d), want %d", i, got, lo, hi, in)
			}
			set, unset, flipped := *w, *w, *w
			if n := bitset.SetRange(&set, lo, hi); n != hi-lo-in || bitset.Len(&set) != len(xs)+n ||
				bitset.RangeLen(&set, lo, hi) != hi-lo {
				t.Fatalf("shape %d: SetRange of [%d, %d)", i, lo, hi)
			}
			if n := bitset.ClearRange(&unset, lo, hi); n != in || bitset.Len(&unset) != len(xs)-n ||
				bitset.RangeLen(&unset, lo, hi) != 0 {
				t.Fatalf("shape %d: ClearRange of [%d, %d)", i, lo, hi)
			}
			if n := bitset.FlipRange(&flipped, lo, hi); n != hi-lo-2*in || bitset.Len(&flipped) != len(xs)+n {
				t.Fatalf("shape %d: FlipRange of [%d, %d)", i, lo, hi)
			}
			bitset.FlipRange(&flipped, lo, hi)
			if flipped != *w {
				t.Fatalf("shape %d: FlipRange twice of [%d, %d)", i, lo, hi)
			}
		}
	}
}
