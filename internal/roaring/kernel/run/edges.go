// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// The edges of runs, the first value of each and the one behind the last, are an array: ascending,
// without duplicates. A set changes at its edges. So the exclusive or of two sets has the edges
// that only one of them has: the exclusive or of runs is that of arrays, for which there are
// vectors.
//
// An end of 65 536 is no value of an array. It is left out: a number of edges that is odd says so.

// Bytes of two lists of runs together: from edgesFrom on their edges are made. Up to edgesFew they
// take little memory, up to edgesMost more. The memory is cleared each time.
const (
	edgesFrom = 4 * 10
	edgesFew  = 1024
	edgesMost = 8192
)

const (
	firstHalves = 0x0000FFFF0000FFFF // of two runs, the first values
	oneAfter    = 0x0001000000010000
)

// runEdges writes the edges of runs to dst, which has as many bytes, and returns them.
func runEdges(dst, runs []byte) []byte {
	n := len(runs) &^ 3
	i := 0
	for ; i+8 <= n; i += 8 {
		x := swar.Uint64(runs, i)
		binary.LittleEndian.PutUint64(dst[i:i+8], x+x&firstHalves<<16+oneAfter)
	}
	if i < n {
		x := swar.Uint32(runs, i)
		swar.PutUint32(dst, i, x+x<<16+1<<16)
	}
	if n > 0 && swar.Uint16(dst, n-2) == 0 {
		n -= 2
	}
	return dst[:n]
}

// edgeRuns turns n edges at the front of dst into runs. dst has room for one more edge. It returns
// the number of values and of runs.
func edgeRuns(dst []byte, n int) (values, runs int) {
	if n&1 != 0 {
		swar.PutUint16(dst, 2*n, 0)
		n++
	}
	i := 0
	for ; i+8 <= 2*n; i += 8 {
		x := swar.Uint64(dst, i)
		x -= x&firstHalves<<16 + oneAfter
		binary.LittleEndian.PutUint64(dst[i:i+8], x)
		values += int(x>>16&0xFFFF) + int(x>>48)
	}
	if i < 2*n {
		x := swar.Uint32(dst, i)
		x -= x<<16 + 1<<16
		swar.PutUint32(dst, i, x)
		values += int(x >> 16)
	}
	return min(values+n/2, 1<<16), n / 2
}

// byEdges reports whether two lists of runs are combined by their edges.
func byEdges(a, b []byte) bool {
	return len(a)+len(b) >= edgesFrom && len(a)+len(b) <= edgesMost && array.Mergeable(a, b)
}

// xorByEdges is Xor by edges.
func xorByEdges(dst, a, b []byte) (values, runs int) {
	if len(a)+len(b) > edgesFew {
		return xorByManyEdges(dst, a, b)
	}
	var room [edgesFew]byte
	return edgeRuns(dst, array.Xor(dst, runEdges(room[:len(a)], a), runEdges(room[len(a):], b)))
}

// xorByManyEdges is a function of its own so that its caller's stack frame stays small.
//
//go:noinline
func xorByManyEdges(dst, a, b []byte) (values, runs int) {
	var room [edgesMost]byte
	return edgeRuns(dst, array.Xor(dst, runEdges(room[:len(a)], a), runEdges(room[len(a):], b)))
}
