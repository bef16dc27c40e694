// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import "github.com/uproar-db/uproar/internal/roaring/kernel"

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
	Buf [2]kernel.Words
}

// room returns the buffer to write to and the other one, which may be used as soon as the operands
// have been read.
func (s *Scratch) room(a, b Block) (dst, spare *kernel.Words) {
	if s.Holds(a) || s.Holds(b) {
		return &s.Buf[1], &s.Buf[0]
	}
	return &s.Buf[0], &s.Buf[1]
}

// Holds reports whether b lives in the first buffer.
func (s *Scratch) Holds(b Block) bool { return len(b.Data) > 0 && &b.Data[0] == &s.Buf[0][0] }

// OfWords returns n ones in words as the block of the smaller kind; dst is written to if that is
// the array.
func OfWords(key uint64, words *kernel.Words, n int, dst *kernel.Words) Block {
	if n > MaxArray {
		return BitsetBlock(key, words, min(n, ChunkValues))
	}
	if n <= 0 {
		return Block{Key: key}
	}
	return ArrayBlock(key, dst[:2*kernel.BitsetToArray(dst[:], words)])
}

// And returns the values that both blocks have.
func (s *Scratch) And(a, b Block) Block {
	if a.N == 0 || b.N == 0 {
		return Block{Key: a.Key}
	}
	key := a.Key
	dst, spare := s.room(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		return ArrayBlock(key, dst[:2*kernel.ArrayAnd(dst[:], a.Data, b.Data)])
	case ArrayBitset:
		return ArrayBlock(key, dst[:2*kernel.ArrayBitsetAnd(dst[:], a.Data, b.Words())])
	case ArrayRun:
		return ArrayBlock(key, dst[:2*kernel.ArrayRunAnd(dst[:], a.Data, b.Data)])
	case BitsetBitset:
		return OfWords(key, dst, kernel.BitsetAnd(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		if b.N == ChunkValues {
			return WithKey(a, key)
		}
		if kernel.RunBitsetAndLen(b.Data, a.Words()) <= MaxArray {
			return ArrayBlock(key, dst[:2*kernel.RunBitsetToArray(dst[:], b.Data, a.Words())])
		}
		return OfWords(key, dst, kernel.RunBitsetAnd(dst, b.Data, a.Words()), spare)
	}
	return s.runs(kernel.And, key, dst, spare, a, b)
}

// Or returns the values that at least one of the blocks has.
func (s *Scratch) Or(a, b Block) Block {
	key := a.Key
	if b.N == 0 {
		return a
	}
	if a.N == 0 {
		return WithKey(b, key)
	}
	dst, spare := s.room(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		if len(a.Data)+len(b.Data) <= MaxPayload {
			return ArrayBlock(key, dst[:2*kernel.ArrayOr(dst[:], a.Data, b.Data)])
		}
		clear(dst[:])
		kernel.Scatter(dst, a.Data)
		kernel.Scatter(dst, b.Data)
		return OfWords(key, dst, kernel.BitsetLen(dst), spare)
	case ArrayBitset:
		*dst = *b.Words()
		return OfWords(key, dst, int(b.N)+kernel.SetArray(dst, a.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, kernel.BitsetOr(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		if b.N == ChunkValues {
			return WithKey(b, key)
		}
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)+kernel.SetRuns(dst, b.Data), spare)
	}
	return s.runs(kernel.Or, key, dst, spare, a, b)
}

// AndNot returns the values of a that b has not.
func (s *Scratch) AndNot(a, b Block) Block {
	if a.N == 0 || b.N == 0 {
		return a
	}
	key := a.Key
	dst, spare := s.room(a, b)
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		return ArrayBlock(key, dst[:2*kernel.ArrayAndNot(dst[:], a.Data, b.Data)])
	case ArrayBitset:
		return ArrayBlock(key, dst[:2*kernel.ArrayBitsetAndNot(dst[:], a.Data, b.Words())])
	case ArrayRun:
		return ArrayBlock(key, dst[:2*kernel.ArrayRunAndNot(dst[:], a.Data, b.Data)])
	case BitsetArray:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)-kernel.ClearArray(dst, b.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, kernel.BitsetAndNot(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)-kernel.ClearRuns(dst, b.Data), spare)
	case RunBitset:
		return OfWords(key, dst, kernel.RunBitsetAndNot(dst, a.Data, b.Words()), spare)
	}
	return s.runs(kernel.AndNot, key, dst, spare, a, b)
}

// Xor returns the values that only one of the blocks has.
func (s *Scratch) Xor(a, b Block) Block {
	key := a.Key
	if b.N == 0 {
		return a
	}
	if a.N == 0 {
		return WithKey(b, key)
	}
	dst, spare := s.room(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		if len(a.Data)+len(b.Data) <= MaxPayload {
			return ArrayBlock(key, dst[:2*kernel.ArrayXor(dst[:], a.Data, b.Data)])
		}
		clear(dst[:])
		n := kernel.SetArray(dst, a.Data) + kernel.FlipArray(dst, b.Data)
		return OfWords(key, dst, n, spare)
	case ArrayBitset:
		*dst = *b.Words()
		return OfWords(key, dst, int(b.N)+kernel.FlipArray(dst, a.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, kernel.BitsetXor(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)+kernel.FlipRuns(dst, b.Data), spare)
	}
	return s.runs(kernel.Xor, key, dst, spare, a, b)
}

// Combine returns the result of an operation with both blocks.
func (s *Scratch) Combine(op kernel.Op, a, b Block) Block {
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
	if n, runs, ok := combine(op, dst, a, b); ok {
		switch {
		case n == 0:
			return Block{Key: key}
		case 4*runs <= min(2*n, MaxPayload):
			return RunBlock(key, dst[:4*runs], n)
		case n <= MaxArray && 4*runs <= MaxPayload:
			return ArrayBlock(key, spare[:2*kernel.RunToArray(spare[:], dst[:4*runs])])
		}
	}
	clear(dst[:])
	n := 0
	if a.Kind == Array {
		n = kernel.SetArray(dst, a.Data)
	} else {
		n = kernel.SetRuns(dst, a.Data)
	}
	switch array := b.Kind == Array; {
	case op == kernel.And:
		n -= kernel.KeepRuns(dst, b.Data)
	case op == kernel.Or && array:
		n += kernel.SetArray(dst, b.Data)
	case op == kernel.Or:
		n += kernel.SetRuns(dst, b.Data)
	case op == kernel.Xor && array:
		n += kernel.FlipArray(dst, b.Data)
	case op == kernel.Xor:
		n += kernel.FlipRuns(dst, b.Data)
	case array:
		n -= kernel.ClearArray(dst, b.Data)
	default:
		n -= kernel.ClearRuns(dst, b.Data)
	}
	return OfWords(key, dst, n, spare)
}

// combine writes the result of an operation as runs, if that is what to begin with, and returns the
// number of values and of runs. An array is made runs.
func combine(op kernel.Op, dst *kernel.Words, a, b Block) (n, runs int, ok bool) {
	var room [4 * sweepLimit]byte
	switch edges := EdgeCount(a) + EdgeCount(b); {
	case a.Kind == Run && b.Kind == Run:
	case edges > sweepLimit:
		return 0, 0, false
	case a.Kind == Array:
		a.Data = room[:4*kernel.ArrayToRuns(room[:], a.Data)]
	default:
		b.Data = room[:4*kernel.ArrayToRuns(room[:], b.Data)]
	}
	if len(a.Data)+len(b.Data) > MaxPayload {
		return 0, 0, false
	}
	switch op {
	case kernel.And:
		n, runs = kernel.RunAnd(dst[:], a.Data, b.Data)
	case kernel.Or:
		n, runs = kernel.RunOr(dst[:], a.Data, b.Data)
	case kernel.AndNot:
		n, runs = kernel.RunAndNot(dst[:], a.Data, b.Data)
	case kernel.Xor:
		n, runs = kernel.RunXor(dst[:], a.Data, b.Data)
	}
	return n, runs, true
}

// WithKey returns b under another key.
func WithKey(b Block, key uint64) Block {
	b.Key = key
	return b
}

// EdgeCount is the number of runs or values of a block that is not a bitset.
func EdgeCount(b Block) int {
	if b.Kind == Array {
		return len(b.Data) / 2
	}
	return len(b.Data) / 4
}
