// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// Scratch is the memory in which one [Block] at a time is computed. Allocate one and use it again;
// it holds 16 KB and no pointers.
//
// A Block computed into it is valid until the Scratch is used again, except that it may be an
// operand of the very next operation: a chain like
//
//	acc = s.And(acc, next)
//
// needs one Scratch. No other operand may live in s. A result that equals an operand may borrow
// that operand's bytes, and is then valid no longer than they are. Both blocks should have the same
// key; the result takes that of the first, and is an array up to 4 096 values, else a bitset, or
// runs where these are at hand and smaller. The operations allocate nothing. Not for concurrent
// use.
type Scratch struct {
	// Two buffers: a result goes to the one that no operand lives in.
	buf [2]kernel.Words
}

// room returns the buffer to write to and the other one, which may be used as soon as the operands
// have been read.
func (s *Scratch) room(a, b Block) (dst, spare *kernel.Words) {
	if s.holds(a) || s.holds(b) {
		return &s.buf[1], &s.buf[0]
	}
	return &s.buf[0], &s.buf[1]
}

// holds reports whether b lives in the first buffer.
func (s *Scratch) holds(b Block) bool { return len(b.data) > 0 && &b.data[0] == &s.buf[0][0] }

// settle returns n ones in words as the block of the smaller kind; dst is written to if that is the
// array.
func settle(key uint64, words *kernel.Words, n int, dst *kernel.Words) Block {
	if n > maxArray {
		return bitsetBlock(key, words, min(n, chunkValues))
	}
	if n <= 0 {
		return Block{key: key}
	}
	return arrayBlock(key, dst[:2*kernel.BitsetToArray(dst[:], words)])
}

// And returns the values that both blocks have.
func (s *Scratch) And(a, b Block) Block {
	if a.n == 0 || b.n == 0 {
		return Block{key: a.key}
	}
	key := a.key
	dst, spare := s.room(a, b)
	if a.kind > b.kind {
		a, b = b, a
	}
	switch pair(a.kind, b.kind) {
	case arrayArray:
		return arrayBlock(key, dst[:2*kernel.ArrayAnd(dst[:], a.data, b.data)])
	case arrayBitset:
		return arrayBlock(key, dst[:2*kernel.ArrayBitsetAnd(dst[:], a.data, b.words())])
	case arrayRun:
		return arrayBlock(key, dst[:2*kernel.ArrayRunAnd(dst[:], a.data, b.data)])
	case bitsetBitset:
		return settle(key, dst, kernel.BitsetAnd(dst, a.words(), b.words()), spare)
	case bitsetRun:
		if b.n == chunkValues {
			return keyed(a, key)
		}
		if kernel.RunBitsetAndLen(b.data, a.words()) <= maxArray {
			return arrayBlock(key, dst[:2*kernel.RunBitsetToArray(dst[:], b.data, a.words())])
		}
		return settle(key, dst, kernel.RunBitsetAnd(dst, b.data, a.words()), spare)
	}
	return s.runs(kernel.And, key, dst, spare, a, b)
}

// Or returns the values that at least one of the blocks has.
func (s *Scratch) Or(a, b Block) Block {
	key := a.key
	if b.n == 0 {
		return a
	}
	if a.n == 0 {
		return keyed(b, key)
	}
	dst, spare := s.room(a, b)
	if a.kind > b.kind {
		a, b = b, a
	}
	switch pair(a.kind, b.kind) {
	case arrayArray:
		if len(a.data)+len(b.data) <= maxPayload {
			return arrayBlock(key, dst[:2*kernel.ArrayOr(dst[:], a.data, b.data)])
		}
		clear(dst[:])
		kernel.Scatter(dst, a.data)
		kernel.Scatter(dst, b.data)
		return settle(key, dst, kernel.BitsetLen(dst), spare)
	case arrayBitset:
		*dst = *b.words()
		return settle(key, dst, int(b.n)+kernel.SetArray(dst, a.data), spare)
	case bitsetBitset:
		return settle(key, dst, kernel.BitsetOr(dst, a.words(), b.words()), spare)
	case bitsetRun:
		if b.n == chunkValues {
			return keyed(b, key)
		}
		*dst = *a.words()
		return settle(key, dst, int(a.n)+kernel.SetRuns(dst, b.data), spare)
	}
	return s.runs(kernel.Or, key, dst, spare, a, b)
}

// AndNot returns the values of a that b has not.
func (s *Scratch) AndNot(a, b Block) Block {
	if a.n == 0 || b.n == 0 {
		return a
	}
	key := a.key
	dst, spare := s.room(a, b)
	switch pair(a.kind, b.kind) {
	case arrayArray:
		return arrayBlock(key, dst[:2*kernel.ArrayAndNot(dst[:], a.data, b.data)])
	case arrayBitset:
		return arrayBlock(key, dst[:2*kernel.ArrayBitsetAndNot(dst[:], a.data, b.words())])
	case arrayRun:
		return arrayBlock(key, dst[:2*kernel.ArrayRunAndNot(dst[:], a.data, b.data)])
	case bitsetArray:
		*dst = *a.words()
		return settle(key, dst, int(a.n)-kernel.ClearArray(dst, b.data), spare)
	case bitsetBitset:
		return settle(key, dst, kernel.BitsetAndNot(dst, a.words(), b.words()), spare)
	case bitsetRun:
		*dst = *a.words()
		return settle(key, dst, int(a.n)-kernel.ClearRuns(dst, b.data), spare)
	case runBitset:
		return settle(key, dst, kernel.RunBitsetAndNot(dst, a.data, b.words()), spare)
	}
	return s.runs(kernel.AndNot, key, dst, spare, a, b)
}

// Xor returns the values that only one of the blocks has.
func (s *Scratch) Xor(a, b Block) Block {
	key := a.key
	if b.n == 0 {
		return a
	}
	if a.n == 0 {
		return keyed(b, key)
	}
	dst, spare := s.room(a, b)
	if a.kind > b.kind {
		a, b = b, a
	}
	switch pair(a.kind, b.kind) {
	case arrayArray:
		if len(a.data)+len(b.data) <= maxPayload {
			return arrayBlock(key, dst[:2*kernel.ArrayXor(dst[:], a.data, b.data)])
		}
		clear(dst[:])
		n := kernel.SetArray(dst, a.data) + kernel.FlipArray(dst, b.data)
		return settle(key, dst, n, spare)
	case arrayBitset:
		*dst = *b.words()
		return settle(key, dst, int(b.n)+kernel.FlipArray(dst, a.data), spare)
	case bitsetBitset:
		return settle(key, dst, kernel.BitsetXor(dst, a.words(), b.words()), spare)
	case bitsetRun:
		*dst = *a.words()
		return settle(key, dst, int(a.n)+kernel.FlipRuns(dst, b.data), spare)
	}
	return s.runs(kernel.Xor, key, dst, spare, a, b)
}

// combine returns the result of an operation with both blocks.
func (s *Scratch) combine(op kernel.Op, a, b Block) Block {
	switch op {
	case kernel.And:
		return s.And(a, b)
	case kernel.Or:
		return s.Or(a, b)
	case kernel.AndNot:
		return s.AndNot(a, b)
	default:
		return s.Xor(a, b)
	}
}

// sweepLimit is the number of runs and values together up to which runs and an array are combined
// as runs, by a sweep over their edges (some 3 ns each); beyond, by way of a bitset (about 1 µs,
// and 2 ns each).
const sweepLimit = 256

// runs combines blocks of which one has runs and the other runs or an array. The operands may live
// in spare: it is written to when they have been read.
func (s *Scratch) runs(op kernel.Op, key uint64, dst, spare *kernel.Words, a, b Block) Block {
	if n, runs, ok := sweep(op, dst, a, b); ok {
		switch {
		case n == 0:
			return Block{key: key}
		case 4*runs <= min(2*n, maxPayload):
			return runBlock(key, dst[:4*runs], n)
		case n <= maxArray && 4*runs <= maxPayload:
			return arrayBlock(key, spare[:2*kernel.RunToArray(spare[:], dst[:4*runs])])
		}
	}
	clear(dst[:])
	n := 0
	if a.kind == kindArray {
		n = kernel.SetArray(dst, a.data)
	} else {
		n = kernel.SetRuns(dst, a.data)
	}
	switch array := b.kind == kindArray; {
	case op == kernel.And:
		n -= kernel.KeepRuns(dst, b.data)
	case op == kernel.Or && array:
		n += kernel.SetArray(dst, b.data)
	case op == kernel.Or:
		n += kernel.SetRuns(dst, b.data)
	case op == kernel.Xor && array:
		n += kernel.FlipArray(dst, b.data)
	case op == kernel.Xor:
		n += kernel.FlipRuns(dst, b.data)
	case array:
		n -= kernel.ClearArray(dst, b.data)
	default:
		n -= kernel.ClearRuns(dst, b.data)
	}
	return settle(key, dst, n, spare)
}

// sweep writes the result of an operation as runs, if that is what to begin with, and returns the
// number of values and of runs. An array is made runs.
func sweep(op kernel.Op, dst *kernel.Words, a, b Block) (n, runs int, ok bool) {
	var room [4 * sweepLimit]byte
	switch edges := edgeCount(a) + edgeCount(b); {
	case a.kind == kindRun && b.kind == kindRun:
	case edges > sweepLimit:
		return 0, 0, false
	case a.kind == kindArray:
		a.data = room[:4*kernel.ArrayToRuns(room[:], a.data)]
	default:
		b.data = room[:4*kernel.ArrayToRuns(room[:], b.data)]
	}
	if len(a.data)+len(b.data) > maxPayload {
		return 0, 0, false
	}
	switch op {
	case kernel.And:
		n, runs = kernel.RunAnd(dst[:], a.data, b.data)
	case kernel.Or:
		n, runs = kernel.RunOr(dst[:], a.data, b.data)
	case kernel.AndNot:
		n, runs = kernel.RunAndNot(dst[:], a.data, b.data)
	case kernel.Xor:
		n, runs = kernel.RunXor(dst[:], a.data, b.data)
	}
	return n, runs, true
}

// keyed returns b under another key.
func keyed(b Block, key uint64) Block {
	b.key = key
	return b
}

// edgeCount is the number of runs or values of a block that is not a bitset.
func edgeCount(b Block) int {
	if b.kind == kindArray {
		return len(b.data) / 2
	}
	return len(b.data) / 4
}
