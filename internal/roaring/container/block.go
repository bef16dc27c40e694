// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Kinds of container, as they stand in a directory, whose two bits have no room for another: see
// [Decode].
const (
	Array  = 0
	Bitset = 1
	Run    = 2
	Packed = 3
)

const (
	ChunkValues = 1 << 16   // values of a chunk
	MaxPayload  = 8192      // bytes of a container's payload
	MaxArray    = 4096      // values of an array container
	MaxPacked   = 2048      // values of a packed container of more than one chunk
	MaxKey      = 1<<48 - 1 // largest container key
)

// Block is the part of a set inside one chunk, as an array, a bitset or runs: what an evaluator
// works on, one at a time, in cache.
//
// It is a small value that borrows its bytes, from the set it was read from or from the
// [Scratch] it was computed into, and is valid as long as they are unchanged. The zero value is the
// empty block of chunk 0. A Block may be read from any number of goroutines.
type Block struct {
	Key  uint64 // container key
	Data []byte // payload; of a bitset always 8 192 bytes
	N    int32  // cardinality, as claimed; 0 of an empty block, whose kind is array
	Kind uint8  // Array, Bitset or Run: [Decode] makes no other
}

// Words returns the payload of a bitset.
func (b *Block) Words() *bitset.Words { return (*bitset.Words)(b.Data) }

// Len returns the number of values, at most 65 536. The cost is constant.
func (b Block) Len() int { return int(b.N) }

// IsEmpty reports whether the block has no values. The cost is constant.
func (b Block) IsEmpty() bool { return b.N == 0 }

// Contains reports whether the value with the given low 16 bits is in the block: in O(1) for a
// bitset, else by binary search.
func (b Block) Contains(low uint16) bool {
	switch b.Kind {
	case Bitset:
		return bitset.Contains(b.Words(), low)
	case Run:
		return run.Contains(b.Data, low)
	}
	return array.Contains(b.Data, low)
}

// Min returns the low 16 bits of the smallest value; ok is false if there is none.
func (b Block) Min() (low uint16, ok bool) {
	switch {
	case len(b.Data) == 0:
		return 0, false
	case b.Kind == Bitset:
		return bitset.Next(b.Words(), 0)
	}
	return array.Low(b.Data, 0), true
}

// Max returns the low 16 bits of the largest value; ok is false if there is none.
func (b Block) Max() (low uint16, ok bool) {
	switch {
	case len(b.Data) == 0:
		return 0, false
	case b.Kind == Bitset:
		return bitset.Previous(b.Words(), ChunkValues-1)
	case b.Kind == Run:
		_, hi := run.At(b.Data, len(b.Data)/4-1)
		return uint16(hi - 1), true
	}
	return array.Low(b.Data, len(b.Data)/2-1), true
}

// Next returns the smallest value whose low 16 bits are at least low. ok is false if there is none.
// It takes a few steps for a bitset, else a binary search.
func (b Block) Next(low uint16) (next uint16, ok bool) { return NextLow(b.Kind, b.Data, low) }

// Rank returns the number of values whose low 16 bits are at most low.
func (b Block) Rank(low uint16) int {
	switch b.Kind {
	case Bitset:
		return bitset.Rank(b.Words(), low, int(b.N))
	case Run:
		return run.Rank(b.Data, low)
	}
	if low == ChunkValues-1 {
		return len(b.Data) / 2
	}
	return array.Search(b.Data, low+1)
}

// Select returns the low 16 bits of the i-th value, from 0; ok is false if there is none.
func (b Block) Select(i int) (low uint16, ok bool) {
	switch {
	case i < 0 || i >= int(b.N):
		return 0, false
	case b.Kind == Bitset:
		return bitset.Select(b.Words(), i, int(b.N))
	case b.Kind == Run:
		return run.Select(b.Data, i)
	}
	return array.Low(b.Data, i), true
}

// AppendTo appends the values, ascending, and returns the longer slice.
func (b Block) AppendTo(dst []uint64) []uint64 {
	base := b.Key << 16
	switch b.Kind {
	case Bitset:
		n := bitset.Len(b.Words())
		dst = slices.Grow(dst, n)
		bitset.Values(dst[len(dst):len(dst)+n], b.Words(), base)
		return dst[:len(dst)+n]
	case Run:
		n := run.Len(b.Data)
		dst = slices.Grow(dst, n)
		n, _, _ = run.Values(dst[len(dst):len(dst)+n], b.Data, 0, 0, base)
		return dst[:len(dst)+n]
	}
	n := len(b.Data) / 2
	dst = slices.Grow(dst, n)
	array.Values(dst[len(dst):len(dst)+n], b.Data, base)
	return dst[:len(dst)+n]
}

// AppendLow appends the low 16 bits of the values, ascending, and returns the longer slice.
func (b Block) AppendLow(dst []uint16) []uint16 {
	switch b.Kind {
	case Bitset:
		n := bitset.Len(b.Words())
		dst = slices.Grow(dst, n)
		bitset.Lows(dst[len(dst):len(dst)+n], b.Words())
		return dst[:len(dst)+n]
	case Run:
		dst = slices.Grow(dst, b.Len())
		next := 0
		for i := range len(b.Data) / 4 {
			lo, hi := run.From(b.Data, i, next)
			next = max(next, hi)
			for ; lo < hi; lo++ {
				dst = append(dst, uint16(lo))
			}
		}
		return dst
	}
	n := len(b.Data) / 2
	dst = slices.Grow(dst, n)
	for i := range n {
		dst = append(dst, array.Low(b.Data, i))
	}
	return dst
}

// Ascends reports whether the values ascend, each of them once, as they do in all bytes that are
// valid: a [Cursor] over bytes that were not validated may come to others. It takes 0.3 ns a value
// of an array; other kinds cannot but ascend. A caller who goes by the order of the values, and not
// only by their number, asks first.
func (b Block) Ascends() bool {
	if b.Kind != Array {
		return true
	}
	_, ok := array.Shape(b.Data)
	return ok
}

// ArrayBlock returns the block of a chunk whose values have the given low bits, which it borrows.
// No values are the empty block.
func ArrayBlock(key uint64, lows []byte) Block {
	return Block{Key: key, Data: lows, N: int32(len(lows) / 2), Kind: Array}
}

// BitsetBlock returns the block of a chunk whose n values are the bits of words, which it borrows.
func BitsetBlock(key uint64, words *bitset.Words, n int) Block {
	return Block{Key: key, Data: words[:], N: int32(n), Kind: Bitset}
}

// RunBlock returns the block of a chunk whose n values are given as runs, which it borrows.
func RunBlock(key uint64, runs []byte, n int) Block {
	return Block{Key: key, Data: runs, N: int32(n), Kind: Run}
}
