// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"

	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// AndLen returns the number of values that both blocks have, of which only the low 16 bits are
// compared: the keys are the caller's to compare. It writes nothing.
func (b Block) AndLen(o Block) int {
	if b.n == 0 || o.n == 0 {
		return 0
	}
	return andLenOf(b.kind, b.data, o.kind, o.data)
}

// andLenOf is AndLen of two payloads that are not packed; a nil one is empty.
func andLenOf(aKind uint8, a []byte, bKind uint8, b []byte) int {
	if aKind > bKind {
		aKind, a, bKind, b = bKind, b, aKind, a
	}
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	switch pair(aKind, bKind) {
	case arrayArray:
		return kernel.ArrayAndLen(a, b)
	case arrayBitset:
		return kernel.ArrayBitsetAndLen(a, (*kernel.Words)(b))
	case arrayRun:
		return kernel.ArrayRunAndLen(a, b)
	case bitsetBitset:
		return kernel.BitsetAndLen((*kernel.Words)(a), (*kernel.Words)(b))
	case bitsetRun:
		return kernel.RunBitsetAndLen(b, (*kernel.Words)(a))
	}
	return kernel.RunAndLen(a, b)
}

// OrLen returns the number of values that at least one of the blocks has. See AndLen.
func (b Block) OrLen(o Block) int { return max(int(b.n)+int(o.n)-b.AndLen(o), 0) }

// AndNotLen returns the number of values of b that o has not. See AndLen.
func (b Block) AndNotLen(o Block) int { return max(int(b.n)-b.AndLen(o), 0) }

// XorLen returns the number of values that only one of the blocks has. See AndLen.
func (b Block) XorLen(o Block) int { return max(int(b.n)+int(o.n)-2*b.AndLen(o), 0) }

// Intersects reports whether the blocks have a value in common; it stops at the first. See AndLen.
func (b Block) Intersects(o Block) bool {
	return b.n != 0 && o.n != 0 && intersectsOf(b.kind, b.data, o.kind, o.data)
}

// intersectsOf is Intersects of two payloads that are not packed; a nil one is empty.
func intersectsOf(aKind uint8, a []byte, bKind uint8, b []byte) bool {
	if aKind > bKind {
		aKind, a, bKind, b = bKind, b, aKind, a
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	switch pair(aKind, bKind) {
	case arrayArray:
		return kernel.ArrayIntersects(a, b)
	case arrayBitset:
		return kernel.ArrayBitsetIntersects(a, (*kernel.Words)(b))
	case arrayRun:
		return kernel.ArrayRunIntersects(a, b)
	case bitsetBitset:
		return kernel.BitsetIntersects((*kernel.Words)(a), (*kernel.Words)(b))
	case bitsetRun:
		return kernel.RunBitsetIntersects(b, (*kernel.Words)(a))
	}
	return kernel.RunIntersects(a, b)
}

// Equal reports whether the blocks have the same values, in whatever kinds they are. See AndLen.
func (b Block) Equal(o Block) bool {
	if b.n != o.n {
		return false
	}
	if b.kind == o.kind {
		return bytes.Equal(b.data, o.data)
	}
	return b.AndLen(o) == int(b.n)
}

// Pairs of kinds.
const (
	arrayArray   = kindArray<<2 | kindArray
	arrayBitset  = kindArray<<2 | kindBitset
	arrayRun     = kindArray<<2 | kindRun
	bitsetArray  = kindBitset<<2 | kindArray
	bitsetBitset = kindBitset<<2 | kindBitset
	bitsetRun    = kindBitset<<2 | kindRun
	runArray     = kindRun<<2 | kindArray
	runBitset    = kindRun<<2 | kindBitset
	runRun       = kindRun<<2 | kindRun
)

func pair(a, b uint8) uint8 { return a<<2 | b }
