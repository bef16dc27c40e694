// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// Spread returns a block as a bitset, however few its values are: what is intersected with many
// other blocks takes a word at a time of each then, and not a value. A bitset is returned as it is.
func (s *Scratch) Spread(b Block) Block {
	if b.Kind == Bitset || b.N == 0 {
		return b
	}
	dst, _ := s.buffers(b, Block{})
	Fill(dst, b)
	return BitsetBlock(b.Key, dst, int(b.N))
}

// Meet is And, except that what two bitsets have in common is a bitset, however few values that
// are: for what is only counted, or intersected further.
func (s *Scratch) Meet(a, b Block) Block {
	if a.Kind != Bitset || b.Kind != Bitset || a.N == 0 || b.N == 0 {
		return s.And(a, b)
	}
	dst, _ := s.buffers(a, b)
	n := bitset.And(dst, a.Words(), b.Words())
	if n <= 0 {
		return Block{Key: a.Key}
	}
	return BitsetBlock(a.Key, dst, min(n, ChunkValues))
}
