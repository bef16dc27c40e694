// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"bytes"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns the answers of the kernels that have several paths. It asks them about two
// arrays, which need not ascend, about an array and a bitset, and about cardinalities.
// TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, _ uint) kerneltest.Answers {
	var all answers
	all.arrays(a, b)
	all.searches(a, b)
	all.bitsets(a, b)
	all.values(a)
	all.cardinalities(b)
	return all.Answers
}

// arrays asks the kernels of two arrays: of both, and of one with a small part of the other.
func (all *answers) arrays(a, b []byte) {
	all.pairs(a, b)
	few := b[:len(b)/40*2]
	all.pairs(a, few)
	all.pairs(few, a)
	dst := make([]byte, len(a)+len(b))
	set, unset := kerneltest.AsLows(bytes.Clone(b[:len(b)/4*2])), kerneltest.AsLows(bytes.Clone(b[len(b)/4*2:]))
	for _, changes := range [][2][]uint16{{set, unset}, {set, nil}, {nil, unset}} {
		n := Patch(dst, a, changes[0], changes[1])
		all.OfOrdered("Patch", n, bytes.Clone(dst[:2*n]))
	}
}

// pairs asks the kernels of two arrays.
func (all *answers) pairs(a, b []byte) {
	all.OfOrdered("AndLen", AndLen(a, b))
	dst := make([]byte, len(a)+len(b))
	write := func(kernel string, f func(dst, a, b []byte) int, room int) {
		n := f(dst[:room:room], a, b)
		all.OfOrdered(kernel, n, bytes.Clone(dst[:2*n]))
	}
	write("And", And, min(len(a), len(b)))
	write("AndNot", AndNot, len(a))
	write("Or", Or, len(a)+len(b))
	write("Xor", Xor, len(a)+len(b))
}

// searches looks values up in an array: some of its own, some next to these, and those of another.
func (all *answers) searches(a, b []byte) {
	ask := func(x uint16) { all.OfOrdered("Search", x, Search(a, x), Contains(a, x)) }
	for i := 0; i+1 < len(a); i += 2 + len(a)/32&^1 {
		x := swar.Uint16(a, i)
		ask(x - 1)
		ask(x)
		ask(x + 1)
	}
	for i := 0; i+1 < len(b); i += 2 + len(b)/32&^1 {
		ask(swar.Uint16(b, i))
	}
}

// bitsets asks the kernels of an array and a bitset.
func (all *answers) bitsets(a, b []byte) {
	var x, y bitset.Words
	bitset.Scatter(&x, a)
	bitset.Scatter(&y, b)
	all.Of("BitsetAndLen", BitsetAndLen(a, &y))
	dst := make([]byte, len(a))
	for i, f := range []func(dst, lows []byte, a *bitset.Words) int{BitsetAnd, BitsetAndNot} {
		n := f(dst, a, &y)
		all.Of([]string{"BitsetAnd", "BitsetAndNot"}[i], n, bytes.Clone(dst[:2*n]))
	}
	lows := kerneltest.AsLows(bytes.Clone(b[:len(b)/2*2]))
	kept := lows[:KeepLows(lows, lows, &x)]
	all.Of("KeepLows", slices.Clone(kept))
}

// values reads the values of an array.
func (all *answers) values(a []byte) {
	const base = 1 << 40
	values := make([]uint64, len(a)/2)
	Values(values, a, base)
	all.Of("Values", slices.Clone(values))
}

// cardinalities looks places up in a list of cardinalities.
func (all *answers) cardinalities(b []byte) {
	cards := b[:len(b)&^1]
	values := SumCards(cards) + uint64(len(cards)/2)
	for k := range min(values, 16) {
		at, left := SelectCard(cards, values*k/16)
		all.Of("SelectCard", at, left)
	}
}
