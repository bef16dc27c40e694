// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"bytes"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns what the kernels that have several paths say of runs.
// TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, _ uint) kerneltest.Answers {
	var all answers
	all.runs(a, b)
	return all.Answers
}

// runs asks the kernels of runs, which are any bytes first and those of a bitset then.
func (all *answers) runs(a, b []byte) {
	all.runList(a, len(b))
	first, both := runsOf(a), runsOf(a, b)
	all.runList(both, len(b))
	for _, second := range [][]byte{both, runsOf(b)} {
		dst := make([]byte, len(first)+len(second))
		values, runs := And(dst, first, second)
		all.Of("And", values, runs, bytes.Clone(dst[:4*runs]), AndLen(second, first))
		values, runs = Xor(dst, first, second)
		all.Of("Xor", values, runs, bytes.Clone(dst[:4*runs]))
		values, runs = Or(dst, first, second)
		all.Of("Or", values, runs, bytes.Clone(dst[:4*runs]))
		values, runs = AndNot(dst, second, first)
		all.Of("AndNot", values, runs, dst[:4*runs])
	}
}

// mostRuns is how many runs a kernel is given here.
const mostRuns = 999

// runsOf returns the values of arrays as runs, as many as a kernel is given.
func runsOf(arrays ...[]byte) (list []byte) {
	var x bitset.Words
	for _, lows := range arrays {
		bitset.Scatter(&x, lows)
	}
	for lo, hi := bitset.Run(&x, 0); lo < hi && len(list) < 4*mostRuns; lo, hi = bitset.Run(&x, hi) {
		list = append(list, make([]byte, 4)...)
		putRun(list, len(list)-4, lo, hi)
	}
	return list
}

// runList asks the kernels of runs. room is that of their values.
func (all *answers) runList(runs []byte, room int) {
	n := Len(runs)
	for k := range 9 {
		x, ok := Select(runs, n*k/8)
		all.Of("Select", x, ok)
	}
	values := make([]uint64, room)
	for at, next, batch := 0, 0, 0; 4*at+4 <= len(runs) && batch < 8; batch++ {
		n, at, next = Values(values[:room>>batch], runs, at, next, 1<<40)
		all.Of("Values", n, at, next, slices.Clone(values[:n]))
	}
}
