// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// The gaps of runs are what they leave out of a chunk, as runs. What only a has is what it has in
// common with the gaps of b, and what neither has is what the gaps of both have in common: so
// differences and unions go by the intersection of runs, for which there are vectors.

// Bytes of two lists of runs together: from gapsFrom on it pays to go by the gaps of one list, from
// gapsFromBoth on by the gaps of both. Up to gapsFew they take little memory, up to gapsMost more.
// The memory is cleared each time.
const (
	gapsFrom     = 4 * 24
	gapsFromBoth = 4 * 64
	gapsFew      = 1024
	gapsMost     = 8192
)

// eachOne is one in each half.
const eachOne = 1<<32 + 1

// byGaps reports whether two lists of runs are combined by gaps. Together they must have at least
// from bytes.
func byGaps(a, b []byte, from int) bool {
	return len(a)+len(b) >= from && len(a)+len(b) <= gapsMost && blocks(shorter(a, b))
}

// shorter returns the shorter one of two lists first.
func shorter(a, b []byte) (x, y []byte) {
	if len(a) > len(b) {
		return b, a
	}
	return a, b
}

// runGaps writes the gaps of runs to dst, as many as it has room for, and returns them: one more
// than there are runs at most. Runs that touch or overlap, which are not valid, give any gaps.
func runGaps(dst, runs []byte) []byte {
	last := len(runs)&^3 - 4
	if last < 0 {
		swar.PutUint32(dst, 0, 0xFFFF<<16)
		return dst[:4]
	}
	n, i := 0, 0
	if first := swar.Uint32(runs, 0) & 0xFFFF; first > 0 {
		swar.PutUint32(dst, 0, (first-1)<<16)
		n = 4
	}
	last = min(last, len(dst)&^3-n)
	for ; i+8 <= last; i += 8 {
		x, next := swar.Uint64(runs, i), swar.Uint64(runs, i+4)
		end := x&firstHalves + x>>16&firstHalves + eachOne
		binary.LittleEndian.PutUint64(dst[n+i:n+i+8], end&firstHalves|(next-end-eachOne)&firstHalves<<16)
	}
	if i < last {
		end := swar.Uint32(runs, i)&0xFFFF + swar.Uint32(runs, i)>>16 + 1
		swar.PutUint32(dst, n+i, end&0xFFFF|(swar.Uint32(runs, i+4)-end-1)<<16)
		i += 4
	}
	if end := swar.Uint32(runs, i)&0xFFFF + swar.Uint32(runs, i)>>16 + 1; end < 1<<16 && n+i+4 <= len(dst) {
		swar.PutUint32(dst, n+i, end|(1<<16-1-end)<<16)
		i += 4
	}
	return dst[:n+i]
}

// orByGaps is Or by gaps.
func orByGaps(dst, a, b []byte) (values, runs int) {
	if len(a)+len(b) > gapsFew {
		return orByManyGaps(dst, a, b)
	}
	var room [2*gapsFew + 16]byte
	return orInRoom(dst, a, b, room[:])
}

// orByManyGaps is a function of its own so that the stack frame of orByGaps stays small.
//
//go:noinline
func orByManyGaps(dst, a, b []byte) (values, runs int) {
	var room [2*gapsMost + 16]byte
	return orInRoom(dst, a, b, room[:])
}

func orInRoom(dst, a, b, room []byte) (values, runs int) {
	x, room := runGaps(room[:len(a)+4], a), room[len(a)+4:]
	y, room := runGaps(room[:len(b)+4], b), room[len(b)+4:]
	x, y = shorter(x, y)
	values, runs = runAnd(room[:len(x)+len(y)], x, y)
	return max(1<<16-values, 0), len(runGaps(dst, room[:4*runs])) / 4
}

// andNotByGaps is AndNot by gaps.
func andNotByGaps(dst, a, b []byte) (values, runs int) {
	if len(b) > gapsFew {
		return andNotByManyGaps(dst, a, b)
	}
	var room [gapsFew + 4]byte
	x, y := shorter(a, runGaps(room[:len(b)+4], b))
	values, runs = runAnd(dst, x, y)
	return min(values, 1<<16), runs
}

// andNotByManyGaps is a function of its own so that the stack frame of andNotByGaps stays small.
//
//go:noinline
func andNotByManyGaps(dst, a, b []byte) (values, runs int) {
	var room [gapsMost + 4]byte
	x, y := shorter(a, runGaps(room[:len(b)+4], b))
	values, runs = runAnd(dst, x, y)
	return min(values, 1<<16), runs
}
