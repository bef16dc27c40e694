// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

func compareWordCounts(t *testing.T, got, want func(a, b *Words) int) {
	r := rand.New(rand.NewPCG(102, 1))
	list := kerneltest.SomeWords(r)
	x, y := kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096)
	for _, where := range kerneltest.Places() {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		p, q := (*Words)(x.Put(8192, where, a[:])), (*Words)(y.Put(8192, kerneltest.AtBegin, b[:]))
		if n, m := got(p, q), want(a, b); n != m {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if n, m := got(q, p), want(b, a); n != m {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if !x.Intact() || !y.Intact() || *p != *a || *q != *b {
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
	list := kerneltest.SomeWords(r)
	x, y, z := kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t, 3*4096)
	for _, where := range kerneltest.Places() {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		var expected Words
		m := want(&expected, a, b)
		dst := (*Words)(x.Put(8192, where, nil))
		p, q := (*Words)(y.Put(8192, kerneltest.AtEnd, a[:])), (*Words)(z.Put(8192, where, b[:]))
		if n := got(dst, p, q); n != m || *dst != expected {
			t.Fatalf("at %d: got %d, want %d", where, n, m)
		}
		if !x.Intact() || !y.Intact() || !z.Intact() || *p != *a || *q != *b {
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
