// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"bytes"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// AndLen returns the number of values that both blocks have. It compares only the low 16 bits: the
// caller compares the keys. It writes nothing.
func (b Block) AndLen(o Block) int {
	if b.N == 0 || o.N == 0 {
		return 0
	}
	return AndLenOf(b.Kind, b.Data, o.Kind, o.Data)
}

// AndLenOf is AndLen of two payloads that are not packed; a nil one is empty.
func AndLenOf(aKind uint8, a []byte, bKind uint8, b []byte) int {
	if aKind > bKind {
		aKind, a, bKind, b = bKind, b, aKind, a
	}
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	switch Pair(aKind, bKind) {
	case ArrayArray:
		return array.AndLen(a, b)
	case ArrayBitset:
		return array.BitsetAndLen(a, (*bitset.Words)(b))
	case ArrayRun:
		return run.ArrayAndLen(a, b)
	case BitsetBitset:
		return bitset.AndLen((*bitset.Words)(a), (*bitset.Words)(b))
	case BitsetRun:
		return run.BitsetAndLen(b, (*bitset.Words)(a))
	}
	return run.AndLen(a, b)
}

// OrLen returns the number of values that at least one of the blocks has. See AndLen.
func (b Block) OrLen(o Block) int { return max(int(b.N)+int(o.N)-b.AndLen(o), 0) }

// AndNotLen returns the number of values of b that o has not. See AndLen.
func (b Block) AndNotLen(o Block) int { return max(int(b.N)-b.AndLen(o), 0) }

// XorLen returns the number of values that only one of the blocks has. See AndLen.
func (b Block) XorLen(o Block) int { return max(int(b.N)+int(o.N)-2*b.AndLen(o), 0) }

// Intersects reports whether the blocks have a value in common; it stops at the first. See AndLen.
func (b Block) Intersects(o Block) bool {
	return b.N != 0 && o.N != 0 && IntersectsOf(b.Kind, b.Data, o.Kind, o.Data)
}

// IntersectsOf is Intersects of two payloads that are not packed; a nil one is empty.
func IntersectsOf(aKind uint8, a []byte, bKind uint8, b []byte) bool {
	if aKind > bKind {
		aKind, a, bKind, b = bKind, b, aKind, a
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	switch Pair(aKind, bKind) {
	case ArrayArray:
		return array.Intersects(a, b)
	case ArrayBitset:
		return array.BitsetIntersects(a, (*bitset.Words)(b))
	case ArrayRun:
		return run.ArrayIntersects(a, b)
	case BitsetBitset:
		return bitset.Intersects((*bitset.Words)(a), (*bitset.Words)(b))
	case BitsetRun:
		return run.BitsetIntersects(b, (*bitset.Words)(a))
	}
	return run.Intersects(a, b)
}

// Equal reports whether the blocks have the same values, in whatever kinds they are. See AndLen.
func (b Block) Equal(o Block) bool {
	if b.N != o.N {
		return false
	}
	if b.Kind == o.Kind {
		return bytes.Equal(b.Data, o.Data)
	}
	return b.AndLen(o) == int(b.N)
}

// Pairs of kinds.
const (
	ArrayArray   = Array<<2 | Array
	ArrayBitset  = Array<<2 | Bitset
	ArrayRun     = Array<<2 | Run
	BitsetArray  = Bitset<<2 | Array
	BitsetBitset = Bitset<<2 | Bitset
	BitsetRun    = Bitset<<2 | Run
	RunArray     = Run<<2 | Array
	RunBitset    = Run<<2 | Bitset
	runRun       = Run<<2 | Run
)

// Pair returns the kinds of two containers as one number: ArrayBitset and so on.
func Pair(a, b uint8) uint8 { return a<<2 | b }
