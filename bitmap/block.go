// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// Kinds of container, as they stand in a directory.
const (
	kindArray  = 0
	kindBitset = 1
	kindRun    = 2
	kindPacked = 3
)

const (
	chunkValues = 1 << 16   // values of a chunk
	maxPayload  = 8192      // bytes of a container's payload
	maxArray    = 4096      // values of an array container
	maxPacked   = 2048      // values of a packed container of more than one chunk
	maxKey      = 1<<48 - 1 // largest container key
)

// Block is the part of a set inside one chunk, as an array, a bitset or runs: what an evaluator
// works on, one at a time, in cache.
//
// It is a small value that borrows its bytes, from the [View] it was read from or from the
// [Scratch] it was computed into, and is valid as long as they are unchanged. The zero value is the
// empty block of chunk 0. A Block may be read from any number of goroutines.
type Block struct {
	key  uint64 // container key
	data []byte // payload; of a bitset always 8 192 bytes
	n    int32  // cardinality, as claimed; 0 of an empty block, whose kind is array
	kind uint8
}

// words returns the payload of a bitset.
func (b *Block) words() *kernel.Words { return (*kernel.Words)(b.data) }

// Key returns the container key: the high 48 bits of every value.
func (b Block) Key() uint64 { return b.key }

// Len returns the number of values, at most 65 536. The cost is constant.
func (b Block) Len() int { return int(b.n) }

// IsEmpty reports whether the block has no values. The cost is constant.
func (b Block) IsEmpty() bool { return b.n == 0 }

// Contains reports whether the value with the given low 16 bits is in the block: in O(1) for a
// bitset, else by binary search.
func (b Block) Contains(low uint16) bool {
	switch b.kind {
	case kindBitset:
		return kernel.BitsetContains(b.words(), low)
	case kindRun:
		return kernel.RunContains(b.data, low)
	}
	return kernel.ArrayContains(b.data, low)
}

// Min returns the low 16 bits of the smallest value; ok is false if there is none.
func (b Block) Min() (low uint16, ok bool) {
	switch {
	case len(b.data) == 0:
		return 0, false
	case b.kind == kindBitset:
		return kernel.BitsetNext(b.words(), 0)
	}
	return kernel.Low(b.data, 0), true
}

// Max returns the low 16 bits of the largest value; ok is false if there is none.
func (b Block) Max() (low uint16, ok bool) {
	switch {
	case len(b.data) == 0:
		return 0, false
	case b.kind == kindBitset:
		return kernel.BitsetPrevious(b.words(), chunkValues-1)
	case b.kind == kindRun:
		_, hi := kernel.Run(b.data, len(b.data)/4-1)
		return uint16(hi - 1), true
	}
	return kernel.Low(b.data, len(b.data)/2-1), true
}

// Next returns the smallest value whose low 16 bits are at least low, and ok is false if there is
// none: in a few steps for a bitset, else by binary search.
func (b Block) Next(low uint16) (next uint16, ok bool) { return nextLow(b.kind, b.data, low) }

// Rank returns the number of values whose low 16 bits are at most low.
func (b Block) Rank(low uint16) int {
	switch b.kind {
	case kindBitset:
		return kernel.BitsetRank(b.words(), low, int(b.n))
	case kindRun:
		return kernel.RunRank(b.data, low)
	}
	if low == chunkValues-1 {
		return len(b.data) / 2
	}
	return kernel.SearchArray(b.data, low+1)
}

// Select returns the low 16 bits of the i-th value, from 0; ok is false if there is none.
func (b Block) Select(i int) (low uint16, ok bool) {
	switch {
	case i < 0 || i >= int(b.n):
		return 0, false
	case b.kind == kindBitset:
		return kernel.BitsetSelect(b.words(), i, int(b.n))
	case b.kind == kindRun:
		return kernel.RunSelect(b.data, i)
	}
	return kernel.Low(b.data, i), true
}

// AppendTo appends the values, ascending, and returns the longer slice.
func (b Block) AppendTo(dst []uint64) []uint64 {
	base := b.key << 16
	switch b.kind {
	case kindBitset:
		n := kernel.BitsetLen(b.words())
		dst = slices.Grow(dst, n)
		kernel.BitsetValues(dst[len(dst):len(dst)+n], b.words(), base)
		return dst[:len(dst)+n]
	case kindRun:
		n := kernel.RunLen(b.data)
		dst = slices.Grow(dst, n)
		n, _, _ = kernel.RunValues(dst[len(dst):len(dst)+n], b.data, 0, 0, base)
		return dst[:len(dst)+n]
	}
	n := len(b.data) / 2
	dst = slices.Grow(dst, n)
	kernel.ArrayValues(dst[len(dst):len(dst)+n], b.data, base)
	return dst[:len(dst)+n]
}

// AppendLow appends the low 16 bits of the values, ascending, and returns the longer slice.
func (b Block) AppendLow(dst []uint16) []uint16 {
	switch b.kind {
	case kindBitset:
		n := kernel.BitsetLen(b.words())
		dst = slices.Grow(dst, n)
		kernel.BitsetLows(dst[len(dst):len(dst)+n], b.words())
		return dst[:len(dst)+n]
	case kindRun:
		dst = slices.Grow(dst, b.Len())
		next := 0
		for i := range len(b.data) / 4 {
			lo, hi := kernel.RunFrom(b.data, i, next)
			next = max(next, hi)
			for ; lo < hi; lo++ {
				dst = append(dst, uint16(lo))
			}
		}
		return dst
	}
	n := len(b.data) / 2
	dst = slices.Grow(dst, n)
	for i := range n {
		dst = append(dst, kernel.Low(b.data, i))
	}
	return dst
}

// Ascends reports whether the values ascend, each of them once, as they do in all bytes that are
// valid: a [Cursor] over bytes that were not validated may come to others. It takes 0.3 ns a value
// of an array; other kinds cannot but ascend. A caller who goes by the order of the values, and not
// only by their number, asks first.
func (b Block) Ascends() bool {
	if b.kind != kindArray {
		return true
	}
	_, ok := kernel.ArrayShape(b.data)
	return ok
}

// arrayBlock, bitsetBlock and runBlock make the block of a chunk from a payload; no values are the
// empty block.
func arrayBlock(key uint64, lows []byte) Block {
	return Block{key: key, data: lows, n: int32(len(lows) / 2), kind: kindArray}
}

func bitsetBlock(key uint64, words *kernel.Words, n int) Block {
	return Block{key: key, data: words[:], n: int32(n), kind: kindBitset}
}

func runBlock(key uint64, runs []byte, n int) Block {
	return Block{key: key, data: runs, n: int32(n), kind: kindRun}
}
