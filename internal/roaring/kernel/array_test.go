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

// randomLows returns n ascending values below limit, as payload and as integers.
func randomLows(r *rand.Rand, n, limit int) (b []byte, xs []int) {
	if 4*n > limit {
		xs = r.Perm(limit)[:n]
	} else {
		for in := map[int]bool{}; len(xs) < n; {
			if x := r.IntN(limit); !in[x] {
				in[x] = true
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return encodeLows(xs), xs
}

func encodeLows(xs []int) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// merge is the naive reference of every operation.
func merge(a, b []int, f func(a, b bool) bool) (out []int) {
	var inA, inB [1 << 16]bool
	for _, x := range a {
		inA[x] = true
	}
	for _, x := range b {
		inB[x] = true
	}
	for x := range inA {
		if f(inA[x], inB[x]) {
			out = append(out, x)
		}
	}
	return out
}

func both(a, b bool) bool      { return a && b }
func either(a, b bool) bool    { return a || b }
func onlyFirst(a, b bool) bool { return a && !b }
func onlyOne(a, b bool) bool   { return a != b }

func TestArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, 2, 15, 16, 17, 33, 47, 64, 500, 1600, 4096}
	for _, n := range sizes {
		for _, m := range sizes {
			for _, limit := range []int{max(n, m, 1), 5000, 65536} {
				if limit < max(n, m) {
					continue
				}
				a, xs := randomLows(r, n, limit)
				b, ys := randomLows(r, m, limit)
				what := fmt.Sprintf("%d and %d values below %d", n, m, limit)
				checkArrays(t, what, a, xs, b, ys)
			}
		}
	}
}

// checkArrays compares the kernels of two arrays with the reference; every destination has exactly
// the room that is asked for.
func checkArrays(t *testing.T, what string, a []byte, xs []int, b []byte, ys []int) {
	t.Helper()
	and := merge(xs, ys, both)
	if got := ArrayAndLen(a, b); got != len(and) {
		t.Fatalf("ArrayAndLen of %s: got %d, want %d", what, got, len(and))
	}
	if got := ArrayIntersects(a, b); got != (len(and) > 0) {
		t.Fatalf("ArrayIntersects of %s: got %v", what, got)
	}
	for _, c := range []struct {
		name string
		f    func(dst, a, b []byte) int
		want []int
		room int
	}{
		{"ArrayAnd", ArrayAnd, and, min(len(a), len(b))},
		{"ArrayOr", ArrayOr, merge(xs, ys, either), len(a) + len(b)},
		{"ArrayAndNot", ArrayAndNot, merge(xs, ys, onlyFirst), len(a)},
		{"ArrayXor", ArrayXor, merge(xs, ys, onlyOne), len(a) + len(b)},
	} {
		guard := bytes.Repeat([]byte{0xEE}, c.room+8)
		n := c.f(guard[:c.room], a, b)
		if !bytes.Equal(guard[:2*n], encodeLows(c.want)) {
			t.Fatalf("%s of %s: got %d values, want %d", c.name, what, n, len(c.want))
		}
		if !bytes.Equal(guard[c.room:], bytes.Repeat([]byte{0xEE}, 8)) {
			t.Fatalf("%s of %s: wrote beyond its room", c.name, what)
		}
	}
}

func TestSearchArray(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 100, 1000, 4096, 65536} {
		b, xs := randomLows(r, n, 65536)
		for range 300 {
			x := uint16(r.Uint32())
			if n > 0 && r.IntN(2) == 0 {
				x = uint16(xs[r.IntN(n)] + r.IntN(3) - 1)
			}
			want, found := slices.BinarySearch(xs, int(x))
			if got := SearchArray(b, x); got != want {
				t.Fatalf("SearchArray of %d in %d values: got %d, want %d", x, n, got, want)
			}
			if from := r.IntN(want + 1); gallopArray(b, from, x) != want {
				t.Fatalf("gallopArray of %d in %d values from %d: got %d, want %d", x, n, from, gallopArray(b, from, x),
					want)
			}
			if got := ArrayContains(b, x); got != found {
				t.Fatalf("ArrayContains of %d in %d values: got %t, want %t", x, n, got, found)
			}
			if found {
				want++
			}
			if got := SearchKeys(b, x); got != want {
				t.Fatalf("SearchKeys of %d in %d values: got %d, want %d", x, n, got, want)
			}
		}
	}
	for _, n := range []int{0, 1, 5, 7, 8, 9, 20, 100, 256} {
		perm := r.Perm(256)[:n]
		slices.Sort(perm)
		list := make([]byte, n)
		for i, y := range perm {
			list[i] = byte(y)
		}
		for x := range 256 {
			want, found := slices.BinarySearch(perm, x)
			if found {
				want++
			}
			if got := SearchBytes(list, uint8(x)); got != want {
				t.Fatalf("SearchBytes of %d in %d values: got %d, want %d", x, n, got, want)
			}
		}
	}
}

// TestSelectCard finds places in lists of cardinalities, and that there are none.
func TestSelectCard(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for n := range 280 {
		if n > 12 && n < 250 {
			continue
		}
		if n == 279 {
			n = 3000
		}
		b := make([]byte, 2*n)
		sum := uint64(0)
		for i := range n {
			x := r.IntN(65536) >> r.IntN(16)
			store16(b, 2*i, uint16(x))
			sum += uint64(x) + 1
		}
		for k := range uint64(200) {
			i := r.Uint64N(sum + 2)
			if k < 4 {
				i = sum + k<<62 - k/2
			}
			at, left := SelectCard(b, i)
			found := at < n && left <= uint64(load16(b, 2*at))
			if found != (i < sum) {
				t.Fatalf("%d of %d in %d containers: found is %t", i, sum, n, found)
			}
			if !found {
				continue
			}
			want := i
			for k := range at {
				want -= uint64(load16(b, 2*k)) + 1
			}
			if left != want || left > i {
				t.Fatalf("%d in %d containers: %d are left at %d, want %d", i, n, left, at, want)
			}
		}
	}
}

func TestSumCards(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 3, 4, 5, 1000, 1 << 17, 1<<18 + 3} {
		var b []byte
		want := uint64(0)
		for range n {
			x := uint16(r.Uint32()) | 0xF000
			b = binary.LittleEndian.AppendUint16(b, x)
			want += uint64(x)
		}
		if got := SumCards(b); got != want {
			t.Fatalf("sum of %d: got %d, want %d", n, got, want)
		}
	}
	if got, want := SumCards(bytes.Repeat([]byte{0xFF}, 1<<19)), uint64(65535)<<18; got != want {
		t.Fatalf("sum of the largest: got %d, want %d", got, want)
	}
}

// TestHostileArrays gives payloads in no order to the kernels: they stay in their room.
func TestHostileArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var words Words
	for range 3000 {
		a, b := make([]byte, 2*r.IntN(1<<r.IntN(10))), make([]byte, 4*r.IntN(1<<r.IntN(10)))
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		dst := make([]byte, len(a)+len(b))
		_ = ArrayAnd(dst[:min(len(a), len(b))], a, b) + ArrayOr(dst, a, b) + ArrayXor(dst, a, b) +
			ArrayAndNot(dst[:len(a)], a, b)
		_ = ArrayAndLen(a, b) + SearchArray(a, 77)
		_ = ArrayRunAnd(dst[:len(a)], a, b) + ArrayRunAndNot(dst[:len(a)], a, b) + ArrayRunAndLen(a, b)
		_ = ArrayRunIntersects(a, b) || ArrayIntersects(a, b) || RunIntersects(a, b) || RunContains(b, 9)
		_ = RunAndLen(a, b) + RunRank(a, 9) + RunLen(b)
		for _, op := range []Op{And, Or, AndNot, Xor} {
			n, runs := Runs(op, dst, a, r.IntN(2) == 0, b, r.IntN(2) == 0)
			if n > 1<<16 || 4*runs > 4*(len(a)+len(b)) {
				t.Fatalf("%d values in %d runs", n, runs)
			}
		}
		for _, f := range []func(*Words, []byte) int{SetRuns, FlipRuns, ClearRuns, KeepRuns, SetArray, FlipArray,
			ClearArray} {
			f(&words, b)
		}
		_ = RunBitsetToArray(dst, b, &words) + RunBitsetAndLen(b, &words) + RunToArray(dst, b) +
			BitsetToArray(dst, &words)
		_ = Patch(make([]byte, len(a)+8), a, []uint16{9, 3, 3, 800}, []uint16{800, 2})
	}
}
