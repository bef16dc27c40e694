// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
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
	Buf [2]bitset.Words
}

// buffers returns the buffer to write to, and the other one. The other may be used once the
// operands have been read.
func (s *Scratch) buffers(a, b Block) (dst, spare *bitset.Words) {
	if s.Holds(a) || s.Holds(b) {
		return &s.Buf[1], &s.Buf[0]
	}
	return &s.Buf[0], &s.Buf[1]
}

// Holds reports whether b lives in the first buffer.
func (s *Scratch) Holds(b Block) bool { return len(b.Data) > 0 && &b.Data[0] == &s.Buf[0][0] }

// OfWords returns n ones in words as the block of the smaller kind. For an array it writes to dst.
func OfWords(key uint64, words *bitset.Words, n int, dst *bitset.Words) Block {
	if n > MaxArray {
		return BitsetBlock(key, words, min(n, ChunkValues))
	}
	if n <= 0 {
		return Block{Key: key}
	}
	return ArrayBlock(key, dst[:2*bitset.ToArray(dst[:], words)])
}

// And returns the values that both blocks have.
func (s *Scratch) And(a, b Block) Block {
	if a.N == 0 || b.N == 0 {
		return Block{Key: a.Key}
	}
	key := a.Key
	dst, spare := s.buffers(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		return ArrayBlock(key, dst[:2*array.And(dst[:], a.Data, b.Data)])
	case ArrayBitset:
		return ArrayBlock(key, dst[:2*array.BitsetAnd(dst[:], a.Data, b.Words())])
	case ArrayRun:
		return ArrayBlock(key, dst[:2*run.ArrayAnd(dst[:], a.Data, b.Data)])
	case BitsetBitset:
		return OfWords(key, dst, bitset.And(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		if b.N == ChunkValues {
			return WithKey(a, key)
		}
		if run.BitsetAndLen(b.Data, a.Words()) <= MaxArray {
			return ArrayBlock(key, dst[:2*run.BitsetToArray(dst[:], b.Data, a.Words())])
		}
		return OfWords(key, dst, run.BitsetAnd(dst, b.Data, a.Words()), spare)
	}
	return s.runs(And, key, dst, spare, a, b)
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
	dst, spare := s.buffers(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		if len(a.Data)+len(b.Data) <= MaxPayload {
			return ArrayBlock(key, dst[:2*array.Or(dst[:], a.Data, b.Data)])
		}
		clear(dst[:])
		bitset.Scatter(dst, a.Data)
		bitset.Scatter(dst, b.Data)
		return OfWords(key, dst, bitset.Len(dst), spare)
	case ArrayBitset:
		*dst = *b.Words()
		return OfWords(key, dst, int(b.N)+bitset.SetArray(dst, a.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, bitset.Or(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		if b.N == ChunkValues {
			return WithKey(b, key)
		}
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)+run.Set(dst, b.Data), spare)
	}
	return s.runs(Or, key, dst, spare, a, b)
}

// AndNot returns the values of a that b has not.
func (s *Scratch) AndNot(a, b Block) Block {
	if a.N == 0 || b.N == 0 {
		return a
	}
	key := a.Key
	dst, spare := s.buffers(a, b)
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		return ArrayBlock(key, dst[:2*array.AndNot(dst[:], a.Data, b.Data)])
	case ArrayBitset:
		return ArrayBlock(key, dst[:2*array.BitsetAndNot(dst[:], a.Data, b.Words())])
	case ArrayRun:
		return ArrayBlock(key, dst[:2*run.ArrayAndNot(dst[:], a.Data, b.Data)])
	case BitsetArray:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)-bitset.ClearArray(dst, b.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, bitset.AndNot(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)-run.Clear(dst, b.Data), spare)
	case RunBitset:
		return OfWords(key, dst, run.BitsetAndNot(dst, a.Data, b.Words()), spare)
	}
	return s.runs(AndNot, key, dst, spare, a, b)
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
	dst, spare := s.buffers(a, b)
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch Pair(a.Kind, b.Kind) {
	case ArrayArray:
		if len(a.Data)+len(b.Data) <= MaxPayload {
			return ArrayBlock(key, dst[:2*array.Xor(dst[:], a.Data, b.Data)])
		}
		clear(dst[:])
		n := bitset.SetArray(dst, a.Data) + bitset.FlipArray(dst, b.Data)
		return OfWords(key, dst, n, spare)
	case ArrayBitset:
		*dst = *b.Words()
		return OfWords(key, dst, int(b.N)+bitset.FlipArray(dst, a.Data), spare)
	case BitsetBitset:
		return OfWords(key, dst, bitset.Xor(dst, a.Words(), b.Words()), spare)
	case BitsetRun:
		*dst = *a.Words()
		return OfWords(key, dst, int(a.N)+run.Flip(dst, b.Data), spare)
	}
	return s.runs(Xor, key, dst, spare, a, b)
}

// Combine returns the result of an operation with both blocks.
func (s *Scratch) Combine(op Op, a, b Block) Block {
	switch op {
	case And:
		return s.And(a, b)
	case Or:
		return s.Or(a, b)
	case AndNot:
		return s.AndNot(a, b)
	default:
		return s.Xor(a, b)
	}
}

// sweepLimit is the most runs and values that are combined as runs, by a sweep over edges. Beyond
// it a bitset is cheaper.
const sweepLimit = 256

// runs combines a block of runs with a block of runs or an array. The operands may live in spare:
// it is written to when they have been read.
func (s *Scratch) runs(op Op, key uint64, dst, spare *bitset.Words, a, b Block) Block {
	if n, runs, ok := combine(op, dst, a, b); ok {
		switch {
		case n == 0:
			return Block{Key: key}
		case 4*runs <= min(2*n, MaxPayload):
			return RunBlock(key, dst[:4*runs], n)
		case n <= MaxArray && 4*runs <= MaxPayload:
			return ArrayBlock(key, spare[:2*run.ToArray(spare[:], dst[:4*runs])])
		}
	}
	clear(dst[:])
	n := 0
	if a.Kind == Array {
		n = bitset.SetArray(dst, a.Data)
	} else {
		n = run.Set(dst, a.Data)
	}
	switch array := b.Kind == Array; {
	case op == And:
		n -= run.Keep(dst, b.Data)
	case op == Or && array:
		n += bitset.SetArray(dst, b.Data)
	case op == Or:
		n += run.Set(dst, b.Data)
	case op == Xor && array:
		n += bitset.FlipArray(dst, b.Data)
	case op == Xor:
		n += run.Flip(dst, b.Data)
	case array:
		n -= bitset.ClearArray(dst, b.Data)
	default:
		n -= run.Clear(dst, b.Data)
	}
	return OfWords(key, dst, n, spare)
}

// combine writes the result of an operation as runs, and returns the number of values and of runs.
// An array is made runs first. ok is false if runs are not the way to begin.
func combine(op Op, dst *bitset.Words, a, b Block) (n, runs int, ok bool) {
	var room [4 * sweepLimit]byte
	switch edges := EdgeCount(a) + EdgeCount(b); {
	case a.Kind == Run && b.Kind == Run:
	case edges > sweepLimit:
		return 0, 0, false
	case a.Kind == Array:
		a.Data = room[:4*run.FromArray(room[:], a.Data)]
	default:
		b.Data = room[:4*run.FromArray(room[:], b.Data)]
	}
	if len(a.Data)+len(b.Data) > MaxPayload {
		return 0, 0, false
	}
	switch op {
	case And:
		n, runs = run.And(dst[:], a.Data, b.Data)
	case Or:
		n, runs = run.Or(dst[:], a.Data, b.Data)
	case AndNot:
		n, runs = run.AndNot(dst[:], a.Data, b.Data)
	case Xor:
		n, runs = run.Xor(dst[:], a.Data, b.Data)
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
