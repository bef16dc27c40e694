// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Runs with runs. A step of these loops advances by comparisons without branches: which run ends
// first cannot be predicted. dst must have room for as many runs as both operands have together,
// and not overlap them.

// runRatio is the ratio of lengths from which the longer list is searched for each run of the
// other.
const runRatio = 8

// putRun writes [lo, hi) at byte i, lo < hi.
func putRun(dst []byte, i, lo, hi int) { swar.PutUint32(dst, i, uint32(lo)|uint32(hi-1-lo)<<16) }

// And writes the runs that a and b have in common. It returns the number of values and of runs.
func And(dst, a, b []byte) (values, runs int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	values, runs = runAnd(dst[:len(a)+len(b)], a, b)
	return min(values, 1<<16), runs
}

// runAndGeneric is And for a list a that is not the longer one. It stops when dst is full.
func runAndGeneric(dst, a, b []byte) (values, runs int) {
	skip := len(b) > runRatio*len(a)
	i, j, n := 0, 0, 0
	for i+3 < len(a) && j+3 < len(b) && n+3 < len(dst) {
		aLo, aHi := swar.RunAt(a, i)
		if skip {
			// The last run of b that starts at or before aLo, which may reach into the run of a.
			j = 4 * max(searchRuns(b, j/4, uint16(aLo))-1, j/4)
		}
		bLo, bHi := swar.RunAt(b, j)
		lo, hi := max(aLo, bLo), min(aHi, bHi)
		swar.PutUint32(dst, n, uint32(lo)|uint32(hi-1-lo)<<16)
		n += 4 * swar.One(lo < hi)
		values += max(hi-lo, 0)
		i += 4 * swar.One(aHi <= bHi)
		j += 4 * swar.One(bHi <= aHi)
	}
	return values, n / 4
}

// AndLen returns the number of values that two lists of runs have in common.
func AndLen(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	return min(runAndLen(a, b), 1<<16)
}

// runAndLenGeneric is AndLen for a list a that is not the longer one.
func runAndLenGeneric(a, b []byte) (n int) {
	skip := len(b) > runRatio*len(a)
	i, j := 0, 0
	for i+3 < len(a) && j+3 < len(b) {
		aLo, aHi := swar.RunAt(a, i)
		if skip {
			j = 4 * max(searchRuns(b, j/4, uint16(aLo))-1, j/4)
		}
		bLo, bHi := swar.RunAt(b, j)
		n += max(min(aHi, bHi)-max(aLo, bLo), 0)
		i += 4 * swar.One(aHi <= bHi)
		j += 4 * swar.One(bHi <= aHi)
	}
	return n
}

// Or writes the union of a and b as runs, and returns the number of values and of runs.
func Or(dst, a, b []byte) (values, runs int) {
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
			lo, hi = swar.RunAt(a, i)
		}
		fromB := 0
		if j+3 < len(b) {
			bLo, bHi := swar.RunAt(b, j)
			fromB = swar.One(bLo < lo)
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

// AndNot writes the values of a that b does not have as runs. It returns the number of values and
// of runs.
func AndNot(dst, a, b []byte) (values, runs int) {
	dst = dst[:len(a)+len(b)]
	if byGaps(a, b, gapsFrom) {
		return andNotByGaps(dst, a, b)
	}
	return runAndNotGeneric(dst, a, b)
}

func runAndNotGeneric(dst, a, b []byte) (values, runs int) {
	n, j := 0, 0
	for i := 0; i+3 < len(a); i += 4 {
		lo, hi := swar.RunAt(a, i)
		for j+3 < len(b) && lo < hi {
			bLo, bHi := swar.RunAt(b, j)
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
	x := swar.Uint32(runs, i>>1*4)
	return min(int(x&0xFFFF)+(int(x>>16)+1)&-(i&1), 1<<16)
}

// Xor writes the values that only one of a and b has as runs. It returns the number of values and
// of runs. Their edges are the edges of either list, without the edges of both.
func Xor(dst, a, b []byte) (values, runs int) {
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
		i += swar.One(x <= y)
		j += swar.One(y <= x)
		if x == y {
			continue
		}
		odd := n & 1
		sum += (at - start) & -odd
		swar.PutUint16(dst, 2*n, uint16(at-(start+1)&-odd))
		start = at
		n++
	}
	return min(max(sum, 0), 1<<16), n / 2
}
