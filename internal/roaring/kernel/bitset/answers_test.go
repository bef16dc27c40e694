// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"bytes"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns the answers of the kernels that have several paths. It asks them about bitsets
// made of two arrays, and about runs. TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, _ uint) kerneltest.Answers {
	var all answers
	all.bitsets(a, b)
	all.filled(a)
	all.filled(b)
	return all.Answers
}

// bitsets asks the kernels of the bitsets of two arrays, and of what is made of them.
func (all *answers) bitsets(a, b []byte) {
	var x, y, z Words
	Scatter(&x, a)
	Scatter(&y, b)
	all.Of("Scatter", bytes.Clone(x[:]))
	for i, f := range []func(dst, a, b *Words) int{And, Or, AndNot, Xor} {
		all.Of([]string{"And", "Or", "AndNot", "Xor"}[i], f(&z, &x, &y), bytes.Clone(z[:]))
	}
	for i, f := range []func(dst, a *Words){OrInto, XorInto, AndNotInto} {
		f(&z, &y)
		all.Of([]string{"OrInto", "XorInto", "AndNotInto"}[i], bytes.Clone(z[:]))
	}
	n := Len(&x)
	all.Of("Len", n, AndLen(&x, &y), RangeLen(&x, min(len(b), 30000), 60000),
		Rank(&x, uint16(7*len(a)), n))
	selected, ok := Select(&x, len(b), n)
	all.Of("Select", selected, ok)

	dst := make([]byte, len(a))
	n = ToArray(dst, &x)
	all.Of("ToArray", n, bytes.Clone(dst[:2*n]))
	room, values := make([]uint16, len(a)/2), make([]uint64, len(a)/2)
	n = Lows(room, &x)
	all.Of("Lows", n, slices.Clone(room[:n]))
	const base = 1 << 40
	n, next := ValuesFrom(values, &x, len(b), base)
	all.Of("ValuesFrom", n, next, slices.Clone(values[:n]))
	if len(values) >= 64 {
		n, next = WordsValues(values, &y, len(b)&^63, base)
		all.Of("WordsValues", n, next, slices.Clone(values[:n]))
	}
}

// filled asks for bits that runs, which are any bytes, make ones.
func (all *answers) filled(runs []byte) {
	var x Words
	FillRuns(&x, runs)
	all.Of("FillRuns", bytes.Clone(x[:]))
}
