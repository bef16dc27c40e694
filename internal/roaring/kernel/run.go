// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// Run returns run i as [lo, hi), 0 ≤ lo < hi ≤ 65 536 whatever the bytes.
func Run(runs []byte, i int) (lo, hi int) {
	lo = int(load16(runs, 4*i))
	return lo, min(lo+int(load16(runs, 4*i+2))+1, 1<<16)
}

// RunFrom returns run i as [lo, hi) without what lies before next, the end of the runs before it:
// lo ≥ hi if nothing is left. In runs that are valid nothing is cut off. In others it keeps the
// work on all runs of a payload within that on the whole chunk.
func RunFrom(runs []byte, i, next int) (lo, hi int) {
	lo, hi = Run(runs, i)
	return max(lo, next), hi
}

// searchRuns returns the number of runs from run at on, plus at, that start at or before x: the
// last of them is the one that may contain x.
func searchRuns(runs []byte, at int, x uint16) int {
	// Gallop, then halve: callers advance by little.
	n := len(runs) / 4
	step, lo := 1, at
	for at < n && load16(runs, 4*at) <= x {
		lo = at + 1
		at += step
		step *= 2
	}
	hi := min(at, n)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if load16(runs, 4*mid) <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Op is a set operation on two operands as its truth table: bit 2·(in a) + (in b) says whether such
// a value is in the result.
type Op uint

// The four operations.
const (
	And    Op = 0b1000
	Or     Op = 0b1110
	AndNot Op = 0b0100
	Xor    Op = 0b0110
)

// noEdge lies beyond every edge.
const noEdge = 1 << 17

// RunIntersects reports whether two lists of runs have a value in common.
func RunIntersects(a, b []byte) bool {
	i, j := 0, 0
	for 4*i+3 < len(a) && 4*j+3 < len(b) {
		aLo, aHi := Run(a, i)
		bLo, bHi := Run(b, j)
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

// RunToArray writes the values of runs as lows, as many as dst has room for, and returns their
// number.
func RunToArray(dst, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		for ; lo < hi && n+1 < len(dst); lo++ {
			store16(dst, n, uint16(lo))
			n += 2
		}
		next = max(next, hi)
	}
	return n / 2
}
