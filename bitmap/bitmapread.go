// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Len returns the number of values: see [View.Len].
func (b *Bitmap) Len() uint64 { return (*mutable.Bitmap)(b).Len() }

// LenRange returns the number of values from first to last: see [View.LenRange].
func (b *Bitmap) LenRange(first, last uint64) uint64 {
	return (*mutable.Bitmap)(b).LenRange(first, last)
}

// IsEmpty reports whether there are no values.
func (b *Bitmap) IsEmpty() bool { return (*mutable.Bitmap)(b).IsEmpty() }

// Contains reports whether x is in the set.
func (b *Bitmap) Contains(x uint64) bool { return (*mutable.Bitmap)(b).Contains(x) }

// ContainsRange reports whether all values from first to last are in the set: see
// [View.ContainsRange].
func (b *Bitmap) ContainsRange(first, last uint64) bool {
	return (*mutable.Bitmap)(b).ContainsRange(first, last)
}

// IntersectsRange reports whether a value from first to last is in the set: see
// [View.IntersectsRange].
func (b *Bitmap) IntersectsRange(first, last uint64) bool {
	return (*mutable.Bitmap)(b).IntersectsRange(first, last)
}

// Among returns those of some values that are in the set: see [View.Among].
func (b *Bitmap) Among(values []uint64) []uint64 { return b.View().Among(values) }

// Min returns the smallest value; ok is false if the set is empty.
func (b *Bitmap) Min() (x uint64, ok bool) { return (*mutable.Bitmap)(b).Min() }

// Max returns the largest value; ok is false if the set is empty.
func (b *Bitmap) Max() (x uint64, ok bool) { return (*mutable.Bitmap)(b).Max() }

// Rank returns the number of values ≤ x.
func (b *Bitmap) Rank(x uint64) uint64 { return (*mutable.Bitmap)(b).Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none.
func (b *Bitmap) Select(i uint64) (x uint64, ok bool) { return (*mutable.Bitmap)(b).Select(i) }

// Next returns the smallest value ≥ x; ok is false if there is none.
func (b *Bitmap) Next(x uint64) (next uint64, ok bool) { return (*mutable.Bitmap)(b).Next(x) }

// Previous returns the largest value ≤ x; ok is false if there is none.
func (b *Bitmap) Previous(x uint64) (previous uint64, ok bool) {
	return (*mutable.Bitmap)(b).Previous(x)
}

// NextAbsent returns the smallest value ≥ x that the set does not have: see [View.NextAbsent].
func (b *Bitmap) NextAbsent(x uint64) (absent uint64, ok bool) {
	return (*mutable.Bitmap)(b).NextAbsent(x)
}

// PreviousAbsent returns the largest value ≤ x that the set does not have: see
// [View.PreviousAbsent].
func (b *Bitmap) PreviousAbsent(x uint64) (absent uint64, ok bool) {
	return (*mutable.Bitmap)(b).PreviousAbsent(x)
}

// Hash returns a hash of the set of values: see [View.Hash].
func (b *Bitmap) Hash() uint64 { return (*mutable.Bitmap)(b).Hash() }

// AppendTo appends the values in ascending order and returns the longer slice: see [View.AppendTo].
func (b *Bitmap) AppendTo(dst []uint64) []uint64 { return (*mutable.Bitmap)(b).AppendTo(dst) }

// Words writes the part of the set from base on as words: see [View.Words].
func (b *Bitmap) Words(base uint64, dst []uint64) { b.View().Words(base, dst) }

// Shift returns the set of the values plus offset: see [View.Shift].
func (b *Bitmap) Shift(offset int64) *Bitmap { return b.View().Shift(offset) }

// Masked returns the set of the values with some bits cleared: see [View.Masked].
func (b *Bitmap) Masked(mask uint64) *Bitmap { return b.View().Masked(mask) }
