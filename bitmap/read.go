// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Among returns the values that are in the set, in their order. It overwrites the memory of values
// with them. Ascending values, each once, are looked up together: that costs less than
// [View.Contains] for each, and less still where several meet one container. Others are looked up
// one by one. It allocates nothing.
func (v View) Among(values []uint64) []uint64 { return roaring.Among(view.View(v), values) }

// NextAbsent returns the smallest value ≥ x that the set does not have: the first free number. ok
// is false if it has all from x on. It costs some ranks: their number grows with the logarithm of
// how many values are passed, and is 1 for a value that is absent itself. Nothing is allocated.
func (v View) NextAbsent(x uint64) (absent uint64, ok bool) { return view.NextAbsent(view.View(v), x) }

// PreviousAbsent returns the largest value ≤ x that the set does not have. ok is false if it has
// all up to x. It costs a NextAbsent.
func (v View) PreviousAbsent(x uint64) (absent uint64, ok bool) {
	return view.PreviousAbsent(view.View(v), x)
}

// ContainsRange reports whether the set has all values from first to last, both included. If last
// is less than first, there are none, and it has them all. It costs a [View.LenRange].
func (v View) ContainsRange(first, last uint64) bool {
	return view.ContainsRange(view.View(v), first, last)
}

// IntersectsRange reports whether the set has a value from first to last, both included. If last is
// less than first, it has none. It costs a [View.Next].
func (v View) IntersectsRange(first, last uint64) bool {
	return view.IntersectsRange(view.View(v), first, last)
}

// Gaps returns the runs of values from first to last that the set does not have, in ascending
// order. Each is a first and a last value, both included, and as long as possible. The cost is that
// of [View.Ranges] over the same part of the set; nothing is allocated.
func (v View) Gaps(first, last uint64) iter.Seq2[uint64, uint64] {
	return view.Gaps(view.View(v), first, last)
}

// Hash returns a hash of the set of values: equal sets have equal hashes, whatever their containers
// and bytes, on every platform and in every version.
//
// The values are cut into words of 64: word p has bit b for the value 64·p + b. The hash is
// finish(Σ mix(p, word)) over the words that are not zero, modulo 2^64. Here finish is the
// finalizer of SplitMix64; mix(p, word) multiplies word ⊕ s by hashWord ⊕ rotate(s, 32), s =
// finish(p + hashStep), and takes the halves of the 128-bit product together by ⊕. A sum does not
// depend on the order, so that hashes of parts could be added.
//
// It reads the containers in the kind they are in, and allocates nothing. It is not a cryptographic
// hash: who chooses the values can choose sets that collide.
func (v View) Hash() uint64 { return view.Hash(view.View(v)) }

// Contains reports whether x is in the set: a binary search of the directory and one container.
func (v View) Contains(x uint64) bool { return view.View(v).Contains(x) }

// Len returns the cardinality: the sum of those in the directory, two bytes a container.
func (v View) Len() uint64 { return view.View(v).Len() }

// Min returns the smallest value; ok is false if the set is empty.
func (v View) Min() (x uint64, ok bool) { return view.View(v).Min() }

// Max returns the largest value; ok is false if the set is empty.
func (v View) Max() (x uint64, ok bool) { return view.View(v).Max() }

// Rank returns the number of values ≤ x: the cardinalities before its container, and the rank in
// it.
func (v View) Rank(x uint64) uint64 { return view.View(v).Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none. It adds up the cardinalities
// before it.
func (v View) Select(i uint64) (x uint64, ok bool) { return view.View(v).Select(i) }

// Next returns the smallest value ≥ x: x itself, if the set has it. ok is false if there is none.
// The smallest value > x is Next(x+1), unless x is the largest uint64. It costs a binary search of
// the directory and one container, and allocates nothing; to walk many values, [View.From] is
// faster.
func (v View) Next(x uint64) (next uint64, ok bool) { return view.View(v).Next(x) }

// Previous returns the largest value ≤ x: x itself, if the set has it. ok is false if there is
// none. The largest value < x is Previous(x-1), unless x is 0. It costs a Next.
func (v View) Previous(x uint64) (previous uint64, ok bool) { return view.View(v).Previous(x) }

// LenRange returns the number of values from first to last, both included. If last is less than
// first, that is 0. It adds up the cardinalities between, 2 bytes a container, and looks into two
// containers; it allocates nothing.
func (v View) LenRange(first, last uint64) uint64 { return view.LenRange(view.View(v), first, last) }
