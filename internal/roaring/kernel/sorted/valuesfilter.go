// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Without vectors, merging two lists is slow: each step waits for the one before. Instead each
// value of one list sets a bit, at a place that follows from it, and the values of the other are
// looked up. The few that pass are searched for.

const (
	filterMost  = 256 // values of a list at a time
	filterFrom  = 32  // values of both together from which it pays
	filterWidth = 14  // of a place
	// values of the other list for each candidate, at most, where merging the candidates costs less
	// than searching
	filterMerge = 8
)

// valuesFiltered is ValuesAndLen for as many values as a filter takes; it passes none if they are
// few.
func valuesFiltered(a, b []uint64) (n, i, j int) {
	if len(a)+len(b) < filterFrom || len(a) == 0 || len(b) == 0 {
		return 0, 0, 0
	}
	a, b = a[:min(len(a), filterMost)], b[:min(len(b), filterMost)]
	if last, other := a[len(a)-1], b[len(b)-1]; last <= other {
		b = b[:notAbove(b, last)]
	} else {
		a = a[:notAbove(a, other)]
	}
	var bits [1 << (filterWidth - 6)]uint64
	for _, x := range a {
		at := x * swar.HashFactor >> (64 - filterWidth)
		bits[at>>6] |= 1 << (at & 63)
	}
	var both [filterMost + 1]uint64
	k := 0
	for _, x := range b {
		at := x * swar.HashFactor >> (64 - filterWidth)
		both[k] = x
		k += int(bits[at>>6] >> (at & 63) & 1)
	}
	if k*filterMerge > len(a) {
		n, _, _ = valuesAndLenGeneric(a, both[:k])
		return n, len(a), len(b)
	}
	rest := a
	for _, x := range both[:k] {
		at := notAbove(rest, x)
		if at > 0 && rest[at-1] == x {
			n++
		}
		rest = rest[at:]
	}
	return n, len(a), len(b)
}

// notAbove returns the number of values of an ascending list that are at most x.
func notAbove(list []uint64, x uint64) (n int) {
	for rest := len(list); rest > 0; {
		half := (rest + 1) / 2
		n += half & -swar.AtMost(list[n+half-1], x)
		rest -= half
	}
	return n
}
