// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// Run returns run i as [lo, hi), 0 ≤ lo < hi ≤ 65 536 whatever the bytes.
func Run(runs []byte, i int) (lo, hi int) {
	lo = int(load16(runs, 4*i))
	return lo, min(lo+int(load16(runs, 4*i+2))+1, 1<<16)
}

// RunFrom returns run i as [lo, hi) without what lies before next, the end of the runs before it: lo ≥ hi if nothing is left. In runs that are
// valid nothing is cut off. In others it keeps the work on all runs of a payload within that on the whole chunk.
func RunFrom(runs []byte, i, next int) (lo, hi int) {
	lo, hi = Run(runs, i)
	return max(lo, next), hi
}

// searchRuns returns the number of runs from run at on, plus at, that start at or before x: the last of them is the one that may contain x.
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

// Op is a set operation on two operands as its truth table: bit 2·(in a) + (in b) says whether such a value is in the result.
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

// edges walks the places at which a list of runs, or an array, begins and ends to contain values.
type edges struct {
	b     []byte
	at    int // byte of the next value or run
	edge  int // the next edge, or noEdge
	end   int // the edge after it, if it is the start of a run
	array bool
	in    uint // 1 after the start of a run and before its end
}

func newEdges(b []byte, array bool) edges {
	e := edges{b: b, array: array}
	e.load()
	return e
}

// load takes the next run.
func (e *edges) load() {
	switch {
	case e.array && e.at+1 < len(e.b):
		e.edge = int(load16(e.b, e.at))
		e.end = e.edge + 1
		e.at += 2
	case !e.array && e.at+3 < len(e.b):
		e.edge = int(load16(e.b, e.at))
		e.end = min(e.edge+int(load16(e.b, e.at+2))+1, 1<<16)
		e.at += 4
	default:
		e.edge = noEdge
	}
}

// step moves behind the edge.
func (e *edges) step() {
	e.in ^= 1
	if e.in == 1 {
		e.edge = e.end
		return
	}
	e.load()
}

// Runs combines two lists of runs, or arrays where aArray or bArray say so, by a sweep over their edges. It returns the number of values of the
// result and of its runs, and writes as many of them as dst has room for; a nil dst counts only. dst must not overlap the operands. The cost is linear in
// the number of runs, whatever their lengths.
func Runs(op Op, dst, a []byte, aArray bool, b []byte, bArray bool) (values, runs int) {
	x, y := newEdges(a, aArray), newEdges(b, bArray)
	start, in := 0, Op(0)
	for {
		at := min(x.edge, y.edge)
		if at == noEdge {
			break
		}
		for x.edge == at {
			x.step()
		}
		for y.edge == at {
			y.step()
		}
		now := op >> (2*x.in + y.in) & 1
		if now == in {
			continue
		}
		in = now
		if now == 1 {
			start = at
			continue
		}
		if at > start { // always, unless the runs are not in order
			if 4*runs+4 <= len(dst) {
				store16(dst, 4*runs, uint16(start))
				store16(dst, 4*runs+2, uint16(at-start-1))
			}
			values += at - start
			runs++
		}
	}
	return min(values, 1<<16), runs
}

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

// RunToArray writes the values of runs as lows, as many as dst has room for, and returns their number.
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
