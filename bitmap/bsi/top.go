// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring"
)

// Pair is a record and its integer.
type Pair struct {
	ID    uint64
	Value int64
}

// engine returns the pairs as the engine's, in the same memory: the types have the same fields.
func engine(pairs []Pair) []roaring.Pair {
	return unsafe.Slice((*roaring.Pair)(unsafe.SliceData(pairs)), cap(pairs))[:len(pairs)]
}

// own returns the engine's pairs as those of this package, in the same memory.
func own(pairs []roaring.Pair) []Pair {
	return unsafe.Slice((*Pair)(unsafe.SliceData(pairs)), cap(pairs))[:len(pairs)]
}

// TopK appends the k records with the largest integers to dst, the largest first, and returns the
// longer slice. Of equal integers the one with the smaller ID comes first, and stays if not all of
// them fit. It appends all records if there are fewer than k.
//
// In each chunk it looks only for records that are better than the worst of the k best so far, and
// takes the k best of these by slices (Rinfret, O'Neil & O'Neil 2001): at most k records a chunk
// are decoded, and usually none once the first chunks are done. It allocates nothing if dst has
// room.
func (v View) TopK(dst []Pair, k int) []Pair {
	return own(roaring.SlicedView(v).TopK(engine(dst), k))
}

// BottomK appends the k records with the smallest integers to dst, the smallest first; of equal
// integers the one with the smaller ID comes first. See [View.TopK].
func (v View) BottomK(dst []Pair, k int) []Pair {
	return own(roaring.SlicedView(v).BottomK(engine(dst), k))
}
