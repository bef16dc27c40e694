// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

func TestArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, 2, 15, 16, 17, 33, 47, 64, 500, 1600, 4096}
	for _, n := range sizes {
		for _, m := range sizes {
			for _, limit := range []int{max(n, m, 1), 5000, 65536} {
				if limit < max(n, m) {
					continue
				}
				a, xs := kerneltest.RandomLows(r, n, limit)
				b, ys := kerneltest.RandomLows(r, m, limit)
				what := fmt.Sprintf("%d and %d values below %d", n, m, limit)
				checkArrays(t, what, a, xs, b, ys)
			}
		}
	}
}

// checkArrays compares the kernels of two arrays with the reference. Every destination has exactly
// the room that the kernel asks for.
func checkArrays(t *testing.T, what string, a []byte, xs []int, b []byte, ys []int) {
	t.Helper()
	and := kerneltest.Merge(xs, ys, kerneltest.Both)
	if got := AndLen(a, b); got != len(and) {
		t.Fatalf("AndLen of %s: got %d, want %d", what, got, len(and))
	}
	if got := Intersects(a, b); got != (len(and) > 0) {
		t.Fatalf("Intersects of %s: got %v", what, got)
	}
	for _, c := range []struct {
		name string
		f    func(dst, a, b []byte) int
		want []int
		room int
	}{
		{"And", And, and, min(len(a), len(b))},
		{"Or", Or, kerneltest.Merge(xs, ys, kerneltest.Either), len(a) + len(b)},
		{"AndNot", AndNot, kerneltest.Merge(xs, ys, kerneltest.OnlyFirst), len(a)},
		{"Xor", Xor, kerneltest.Merge(xs, ys, kerneltest.OnlyOne), len(a) + len(b)},
	} {
		guard := bytes.Repeat([]byte{0xEE}, c.room+8)
		n := c.f(guard[:c.room], a, b)
		if !bytes.Equal(guard[:2*n], kerneltest.EncodeLows(c.want)) {
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
		b, xs := kerneltest.RandomLows(r, n, 65536)
		for range 300 {
			x := uint16(r.Uint32())
			if n > 0 && r.IntN(2) == 0 {
				x = uint16(xs[r.IntN(n)] + r.IntN(3) - 1)
			}
			want, found := slices.BinarySearch(xs, int(x))
			if got := Search(b, x); got != want {
				t.Fatalf("Search of %d in %d values: got %d, want %d", x, n, got, want)
			}
			if from := r.IntN(want + 1); Gallop(b, from, x) != want {
				t.Fatalf("gallopArray of %d in %d values from %d: got %d, want %d", x, n, from, Gallop(b, from, x),
					want)
			}
			if got := Contains(b, x); got != found {
				t.Fatalf("Contains of %d in %d values: got %t, want %t", x, n, got, found)
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
			swar.PutUint16(b, 2*i, uint16(x))
			sum += uint64(x) + 1
		}
		for k := range uint64(200) {
			i := r.Uint64N(sum + 2)
			if k < 4 {
				i = sum + k<<62 - k/2
			}
			at, left := SelectCard(b, i)
			found := at < n && left <= uint64(swar.Uint16(b, 2*at))
			if found != (i < sum) {
				t.Fatalf("%d of %d in %d containers: found is %t", i, sum, n, found)
			}
			if !found {
				continue
			}
			want := i
			for k := range at {
				want -= uint64(swar.Uint16(b, 2*k)) + 1
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
