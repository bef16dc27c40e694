// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"slices"
)

// runs asks the kernels of runs, which are any bytes first and those of a bitset then, and of
// cardinalities.
func (all *answers) runs(a, b []byte) {
	all.runList(a, len(b))
	first, both := runsOf(a), runsOf(a, b)
	all.runList(both, len(b))
	for _, second := range [][]byte{both, runsOf(b)} {
		dst := make([]byte, len(first)+len(second))
		values, runs := RunAnd(dst, first, second)
		all.of("RunAnd", values, runs, bytes.Clone(dst[:4*runs]), RunAndLen(second, first))
		values, runs = RunXor(dst, first, second)
		all.of("RunXor", values, runs, bytes.Clone(dst[:4*runs]))
		values, runs = RunOr(dst, first, second)
		all.of("RunOr", values, runs, bytes.Clone(dst[:4*runs]))
		values, runs = RunAndNot(dst, second, first)
		all.of("RunAndNot", values, runs, dst[:4*runs])
	}

	cards := b[:len(b)&^1]
	values := SumCards(cards) + uint64(len(cards)/2)
	for k := range min(values, 16) {
		at, left := SelectCard(cards, values*k/16)
		all.of("SelectCard", at, left)
	}
}

// runsOf returns the values of arrays as runs, as many as a kernel is given.
func runsOf(arrays ...[]byte) (list []byte) {
	var x Words
	for _, lows := range arrays {
		Scatter(&x, lows)
	}
	for lo, hi := BitsetRun(&x, 0); lo < hi && len(list) < 4*(crowdedRuns-1); lo, hi = BitsetRun(&x, hi) {
		list = append(list, make([]byte, 4)...)
		putRun(list, len(list)-4, lo, hi)
	}
	return list
}

// runList asks the kernels of runs. room is that of their values.
func (all *answers) runList(runs []byte, room int) {
	var x Words
	FillRuns(&x, runs)
	all.of("FillRuns", bytes.Clone(x[:]))
	n := RunLen(runs)
	for k := range 9 {
		x, ok := RunSelect(runs, n*k/8)
		all.of("RunSelect", x, ok)
	}
	values := make([]uint64, room)
	for at, next, batch := 0, 0, 0; 4*at+4 <= len(runs) && batch < 8; batch++ {
		n, at, next = RunValues(values[:room>>batch], runs, at, next, 1<<40)
		all.of("RunValues", n, at, next, slices.Clone(values[:n]))
	}
}
