// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "github.com/uproar-db/uproar/internal/roaring/kernel"

// Patch returns b without the values of unset and with those of set, which are the low 16 bits of
// values in ascending order; a value in both is in the result. It is how the delta of a posting
// list is laid over one of its blocks. b may be the last result of s.
func (s *Scratch) Patch(b Block, set, unset []uint16) Block {
	if len(set) == 0 && len(unset) == 0 {
		return b
	}
	dst, spare := s.room(b, Block{})
	if (b.kind == kindArray || b.n == 0) && len(b.data)/2+len(set) <= maxArray {
		return arrayBlock(b.key, dst[:2*kernel.Patch(dst[:], b.data, set, unset)])
	}
	n := int(b.n)
	fill(dst, b)
	n -= kernel.ClearLows(dst, unset)
	n += kernel.SetLows(dst, set)
	return settle(b.key, dst, n, spare)
}

// Copy returns b with its bytes in s, so that it stays valid when what it borrows from is used
// again. b may be the last result of s.
func (s *Scratch) Copy(b Block) Block {
	dst, _ := s.room(b, Block{})
	b.data = dst[:copy(dst[:], b.data)]
	return b
}

// BlockOf returns the block of a chunk with the values whose low 16 bits are lows, in ascending
// order. It lives in s.
func BlockOf(key uint64, lows []uint16, s *Scratch) Block {
	return s.Patch(Block{key: key}, lows, nil)
}

// fill writes a block as words.
func fill(dst *kernel.Words, b Block) {
	switch b.kind {
	case kindBitset:
		*dst = *b.words()
	case kindRun:
		clear(dst[:])
		kernel.SetRuns(dst, b.data)
	default:
		clear(dst[:])
		kernel.SetArray(dst, b.data)
	}
}
