// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// setOp is a set operation as its truth table: bit 2·(in a) + (in b) says whether such a value is
// in the result.
type setOp uint

const (
	andOp    setOp = 0b1000
	orOp     setOp = 0b1110
	andNotOp setOp = 0b0100
	xorOp    setOp = 0b0110
)

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
		e.edge = int(swar.Uint16(e.b, e.at))
		e.end = e.edge + 1
		e.at += 2
	case !e.array && e.at+3 < len(e.b):
		e.edge = int(swar.Uint16(e.b, e.at))
		e.end = min(e.edge+int(swar.Uint16(e.b, e.at+2))+1, 1<<16)
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

// Runs combines two lists of runs by a sweep over their edges. aArray and bArray say that an
// operand is an array instead. It returns the number of values of the result and of its runs, and
// writes as many runs as dst has room for; with a nil dst it only counts. dst must not overlap the
// operands. The cost is linear in the number of runs, whatever their lengths.
func Runs(op setOp, dst, a []byte, aArray bool, b []byte, bArray bool) (values, runs int) {
	x, y := newEdges(a, aArray), newEdges(b, bArray)
	start, in := 0, setOp(0)
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
				swar.PutUint16(dst, 4*runs, uint16(start))
				swar.PutUint16(dst, 4*runs+2, uint16(at-start-1))
			}
			values += at - start
			runs++
		}
	}
	return min(values, 1<<16), runs
}
