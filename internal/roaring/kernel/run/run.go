// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// At returns run i as [lo, hi), 0 ≤ lo < hi ≤ 65 536 whatever the bytes.
func At(runs []byte, i int) (lo, hi int) {
	lo = int(swar.Uint16(runs, 4*i))
	return lo, min(lo+int(swar.Uint16(runs, 4*i+2))+1, 1<<16)
}

// From returns run i as [lo, hi) without what lies before next, the end of the runs before it:
// lo ≥ hi if nothing is left. In runs that are valid nothing is cut off. In others it keeps the
// work on all runs of a payload within that on the whole chunk.
func From(runs []byte, i, next int) (lo, hi int) {
	lo, hi = At(runs, i)
	return max(lo, next), hi
}

// searchRuns returns the number of runs from run at on, plus at, that start at or before x: the
// last of them is the one that may contain x.
func searchRuns(runs []byte, at int, x uint16) int {
	// Gallop, then halve: callers advance by little.
	n := len(runs) / 4
	step, lo := 1, at
	for at < n && swar.Uint16(runs, 4*at) <= x {
		lo = at + 1
		at += step
		step *= 2
	}
	hi := min(at, n)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if swar.Uint16(runs, 4*mid) <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// noEdge lies beyond every edge.
const noEdge = 1 << 17

// Intersects reports whether two lists of runs have a value in common.
func Intersects(a, b []byte) bool {
	i, j := 0, 0
	for 4*i+3 < len(a) && 4*j+3 < len(b) {
		aLo, aHi := At(a, i)
		bLo, bHi := At(b, j)
		if max(aLo, bLo) < min(aHi, bHi) {
			return true
		}
		if aHi <= bHi {
			i++
		} else {
			j++
		}
	}
	return false
}

// ToArray writes the values of runs as lows, as many as dst has room for, and returns their
// number.
func ToArray(dst, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		for ; lo < hi && n+1 < len(dst); lo++ {
			swar.PutUint16(dst, n, uint16(lo))
			n += 2
		}
		next = max(next, hi)
	}
	return n / 2
}
