// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Patch returns b without the values of unset and with the values of set. Both hold low 16 bits in
// ascending order; a value in both is in the result. Patch lays the delta of a posting list over
// one of its blocks. b may be the last result of s.
func (s *Scratch) Patch(b Block, set, unset []uint16) Block {
	if len(set) == 0 && len(unset) == 0 {
		return b
	}
	dst, spare := s.buffers(b, Block{})
	if (b.Kind == Array || b.N == 0) && len(b.Data)/2+len(set) <= MaxArray {
		return ArrayBlock(b.Key, dst[:2*array.Patch(dst[:], b.Data, set, unset)])
	}
	n := int(b.N)
	Fill(dst, b)
	n -= bitset.ClearLows(dst, unset)
	n += bitset.SetLows(dst, set)
	return OfWords(b.Key, dst, n, spare)
}

// Copy returns b with its bytes in s, so that b outlives what it borrowed from. b may be the last
// result of s.
func (s *Scratch) Copy(b Block) Block {
	dst, _ := s.buffers(b, Block{})
	b.Data = dst[:copy(dst[:], b.Data)]
	return b
}

// OfLows returns the block of a chunk with the values whose low 16 bits are lows, in ascending
// order. It lives in s.
func OfLows(key uint64, lows []uint16, s *Scratch) Block {
	return s.Patch(Block{Key: key}, lows, nil)
}

// Fill writes a block as words.
func Fill(dst *bitset.Words, b Block) {
	switch b.Kind {
	case Bitset:
		*dst = *b.Words()
	case Run:
		clear(dst[:])
		run.Set(dst, b.Data)
	default:
		clear(dst[:])
		bitset.SetArray(dst, b.Data)
	}
}
