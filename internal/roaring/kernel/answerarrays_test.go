// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"slices"
)

// arrays asks the kernels of two arrays: of both, and of one with a small part of the other.
func (all *answers) arrays(a, b []byte) {
	all.pairs(a, b)
	few := b[:len(b)/40*2]
	all.pairs(a, few)
	all.pairs(few, a)
	dst := make([]byte, len(a)+len(b))
	set, unset := asLows(bytes.Clone(b[:len(b)/4*2])), asLows(bytes.Clone(b[len(b)/4*2:]))
	for _, changes := range [][2][]uint16{{set, unset}, {set, nil}, {nil, unset}} {
		n := Patch(dst, a, changes[0], changes[1])
		all.ofOrdered("Patch", n, bytes.Clone(dst[:2*n]))
	}
}

// pairs asks the kernels of two arrays.
func (all *answers) pairs(a, b []byte) {
	all.ofOrdered("ArrayAndLen", ArrayAndLen(a, b))
	dst := make([]byte, len(a)+len(b))
	write := func(kernel string, f func(dst, a, b []byte) int, room int) {
		n := f(dst[:room:room], a, b)
		all.ofOrdered(kernel, n, bytes.Clone(dst[:2*n]))
	}
	write("ArrayAnd", ArrayAnd, min(len(a), len(b)))
	write("ArrayAndNot", ArrayAndNot, len(a))
	write("ArrayOr", ArrayOr, len(a)+len(b))
	write("ArrayXor", ArrayXor, len(a)+len(b))
}

// searches looks values up in an array: some of its own, some next to these, and those of another.
func (all *answers) searches(a, b []byte) {
	ask := func(x uint16) { all.ofOrdered("SearchArray", x, SearchArray(a, x), ArrayContains(a, x)) }
	for i := 0; i+1 < len(a); i += 2 + len(a)/32&^1 {
		x := load16(a, i)
		ask(x - 1)
		ask(x)
		ask(x + 1)
	}
	for i := 0; i+1 < len(b); i += 2 + len(b)/32&^1 {
		ask(load16(b, i))
	}
}

// bitsets asks the kernels of the bitsets of two arrays, of an array and a bitset, and of the
// values of both.
func (all *answers) bitsets(a, b []byte) {
	Prefetch(a) // of which nothing can be seen
	var x, y, z Words
	Scatter(&x, a)
	Scatter(&y, b)
	all.of("Scatter", bytes.Clone(x[:]))
	for i, f := range []func(dst, a, b *Words) int{BitsetAnd, BitsetOr, BitsetAndNot, BitsetXor} {
		all.of([]string{"BitsetAnd", "BitsetOr", "BitsetAndNot", "BitsetXor"}[i], f(&z, &x, &y), bytes.Clone(z[:]))
	}
	for i, f := range []func(dst, a *Words){OrInto, XorInto, AndNotInto} {
		f(&z, &y)
		all.of([]string{"OrInto", "XorInto", "AndNotInto"}[i], bytes.Clone(z[:]))
	}
	n := BitsetLen(&x)
	all.of("BitsetLen", n, BitsetAndLen(&x, &y), RangeLen(&x, min(len(b), 30000), 60000),
		BitsetRank(&x, uint16(7*len(a)), n))
	selected, ok := BitsetSelect(&x, len(b), n)
	all.of("BitsetSelect", selected, ok)

	all.of("ArrayBitsetAndLen", ArrayBitsetAndLen(a, &y))
	dst := make([]byte, len(a))
	for i, f := range []func(dst, lows []byte, a *Words) int{ArrayBitsetAnd, ArrayBitsetAndNot} {
		n := f(dst, a, &y)
		all.of([]string{"ArrayBitsetAnd", "ArrayBitsetAndNot"}[i], n, bytes.Clone(dst[:2*n]))
	}
	lows := asLows(bytes.Clone(b[:len(b)/2*2]))
	kept := lows[:KeepLows(lows, lows, &x)]
	all.of("KeepLows", slices.Clone(kept))

	n = BitsetToArray(dst, &x)
	all.of("BitsetToArray", n, bytes.Clone(dst[:2*n]))
	room, values := make([]uint16, len(a)/2), make([]uint64, len(a)/2)
	n = BitsetLows(room, &x)
	all.of("BitsetLows", n, slices.Clone(room[:n]))
	const base = 1 << 40
	ArrayValues(values, a, base)
	all.of("ArrayValues", slices.Clone(values))
	n, next := BitsetValuesFrom(values, &x, len(b), base)
	all.of("BitsetValuesFrom", n, next, slices.Clone(values[:n]))
	if len(values) >= 64 {
		n, next = BitsetWordsValues(values, &y, len(b)&^63, base)
		all.of("BitsetWordsValues", n, next, slices.Clone(values[:n]))
	}
}
