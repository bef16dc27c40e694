// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// Runs with runs. A step of these loops advances by comparisons without branches: which run ends
// first cannot be predicted. dst must have room for as many runs as both operands have together,
// and not overlap them.

// runRatio is how many times as many runs as the other a list must have to be searched for each run
// of the other.
const runRatio = 8

// putRun writes [lo, hi) at byte i, lo < hi.
func putRun(dst []byte, i, lo, hi int) { storeUint32(dst, i, uint32(lo)|uint32(hi-1-lo)<<16) }

// RunAnd writes the runs that a and b have in common, and returns the number of values and of runs.
func RunAnd(dst, a, b []byte) (values, runs int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	values, runs = runAnd(dst[:len(a)+len(b)], a, b)
	return min(values, 1<<16), runs
}

// runAndGeneric is RunAnd for a list a that is not the longer one; it writes no more than dst has
// room for.
func runAndGeneric(dst, a, b []byte) (values, runs int) {
	skip := len(b) > runRatio*len(a)
	i, j, n := 0, 0, 0
	for i+3 < len(a) && j+3 < len(b) && n+3 < len(dst) {
		aLo, aHi := runAt(a, i)
		if skip {
			// The last run of b that starts at or before aLo, which may reach into the run of a.
			j = 4 * max(searchRuns(b, j/4, uint16(aLo))-1, j/4)
		}
		bLo, bHi := runAt(b, j)
		lo, hi := max(aLo, bLo), min(aHi, bHi)
		storeUint32(dst, n, uint32(lo)|uint32(hi-1-lo)<<16)
		n += 4 * one(lo < hi)
		values += max(hi-lo, 0)
		i += 4 * one(aHi <= bHi)
		j += 4 * one(bHi <= aHi)
	}
	return values, n / 4
}

// RunAndLen returns the number of values that two lists of runs have in common.
func RunAndLen(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	return min(runAndLen(a, b), 1<<16)
}

// runAndLenGeneric is RunAndLen for a list a that is not the longer one.
func runAndLenGeneric(a, b []byte) (n int) {
	skip := len(b) > runRatio*len(a)
	i, j := 0, 0
	for i+3 < len(a) && j+3 < len(b) {
		aLo, aHi := runAt(a, i)
		if skip {
			j = 4 * max(searchRuns(b, j/4, uint16(aLo))-1, j/4)
		}
		bLo, bHi := runAt(b, j)
		n += max(min(aHi, bHi)-max(aLo, bLo), 0)
		i += 4 * one(aHi <= bHi)
		j += 4 * one(bHi <= aHi)
	}
	return n
}

// RunOr writes the union of a and b as runs, and returns the number of values and of runs.
func RunOr(dst, a, b []byte) (values, runs int) {
	dst = dst[:len(a)+len(b)]
	if byGaps(a, b, gapsFromBoth) {
		return orByGaps(dst, a, b)
	}
	return runOrGeneric(dst, a, b)
}

func runOrGeneric(dst, a, b []byte) (values, runs int) {
	i, j, n := 0, 0, -4 // n is the byte of the run that may still grow: [start, end)
	start, end := 0, -1
	for i+3 < len(a) || j+3 < len(b) {
		// The run that starts first.
		lo, hi := 1<<16, 1<<16
		if i+3 < len(a) {
			lo, hi = runAt(a, i)
		}
		fromB := 0
		if j+3 < len(b) {
			bLo, bHi := runAt(b, j)
			fromB = one(bLo < lo)
			if bLo < lo {
				lo, hi = bLo, bHi
			}
		}
		i += 4 * (1 - fromB)
		j += 4 * fromB
		if lo > end {
			values += max(end-start, 0)
			start, end = lo, hi
			n += 4
		}
		end = max(end, hi)
		putRun(dst, n, start, end)
	}
	values += max(end-start, 0)
	return min(values, 1<<16), n/4 + 1
}

// RunAndNot writes the values of a that b has not as runs, and returns the number of values and of
// runs.
func RunAndNot(dst, a, b []byte) (values, runs int) {
	dst = dst[:len(a)+len(b)]
	if byGaps(a, b, gapsFrom) {
		return andNotByGaps(dst, a, b)
	}
	return runAndNotGeneric(dst, a, b)
}

func runAndNotGeneric(dst, a, b []byte) (values, runs int) {
	n, j := 0, 0
	for i := 0; i+3 < len(a); i += 4 {
		lo, hi := runAt(a, i)
		for j+3 < len(b) && lo < hi {
			bLo, bHi := runAt(b, j)
			if bLo >= hi {
				break
			}
			if bLo > lo {
				putRun(dst, n, lo, bLo)
				n += 4
				values += bLo - lo
			}
			lo = max(lo, bHi)
			if bHi > hi {
				break // it may reach into the next run of a
			}
			j += 4
		}
		if lo < hi {
			putRun(dst, n, lo, hi)
			n += 4
			values += hi - lo
		}
	}
	return min(values, 1<<16), n / 4
}

// edgeAt returns edge i of runs, whose even edges are starts and odd ones ends.
func edgeAt(runs []byte, i int) int {
	x := leUint32(runs, i>>1*4)
	return min(int(x&0xFFFF)+(int(x>>16)+1)&-(i&1), 1<<16)
}

// RunXor writes the values that only one of a and b has as runs, and returns the number of values
// and of runs. Their edges are those of either, without those of both.
func RunXor(dst, a, b []byte) (values, runs int) {
	dst = dst[:len(a)+len(b)]
	if byEdges(a, b) {
		return xorByEdges(dst, a, b)
	}
	return runXorGeneric(dst, a, b)
}

func runXorGeneric(dst, a, b []byte) (values, runs int) {
	i, j, n, aEnd, bEnd := 0, 0, 0, len(a)/4*2, len(b)/4*2
	start, sum := 0, 0
	for i < aEnd || j < bEnd {
		x, y := noEdge, noEdge
		if i < aEnd {
			x = edgeAt(a, i)
		}
		if j < bEnd {
			y = edgeAt(b, j)
		}
		at := min(x, y)
		i += one(x <= y)
		j += one(y <= x)
		if x == y {
			continue
		}
		odd := n & 1
		sum += (at - start) & -odd
		store16(dst, 2*n, uint16(at-(start+1)&-odd))
		start = at
		n++
	}
	return min(max(sum, 0), 1<<16), n / 2
}
