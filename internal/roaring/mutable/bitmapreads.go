// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Reads of a Bitmap are those of its [Bitmap.View], under the same names and at the same cost. What
// writes the set in another format, and what an evaluator works with, is on the View alone.

// Len returns the number of values: see [View.Len].
func (b *Bitmap) Len() uint64 { return b.View().Len() }

// LenRange returns the number of values from first to last: see [View.LenRange].
func (b *Bitmap) LenRange(first, last uint64) uint64 { return b.View().LenRange(first, last) }

// IsEmpty reports whether there are no values.
func (b *Bitmap) IsEmpty() bool { return b.View().IsEmpty() }

// Contains reports whether x is in the set.
func (b *Bitmap) Contains(x uint64) bool { return b.View().Contains(x) }

// ContainsRange reports whether all values from first to last are in the set: see
// [View.ContainsRange].
func (b *Bitmap) ContainsRange(first, last uint64) bool { return b.View().ContainsRange(first, last) }

// IntersectsRange reports whether a value from first to last is in the set: see
// [View.IntersectsRange].
func (b *Bitmap) IntersectsRange(first, last uint64) bool {
	return b.View().IntersectsRange(first, last)
}

// Min returns the smallest value; ok is false if the set is empty.
func (b *Bitmap) Min() (x uint64, ok bool) { return b.View().Min() }

// Max returns the largest value; ok is false if the set is empty.
func (b *Bitmap) Max() (x uint64, ok bool) { return b.View().Max() }

// Rank returns the number of values ≤ x.
func (b *Bitmap) Rank(x uint64) uint64 { return b.View().Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none.
func (b *Bitmap) Select(i uint64) (x uint64, ok bool) { return b.View().Select(i) }

// Next returns the smallest value ≥ x; ok is false if there is none.
func (b *Bitmap) Next(x uint64) (next uint64, ok bool) { return b.View().Next(x) }

// Previous returns the largest value ≤ x; ok is false if there is none.
func (b *Bitmap) Previous(x uint64) (previous uint64, ok bool) { return b.View().Previous(x) }

// NextAbsent returns the smallest value ≥ x that the set does not have: see [View.NextAbsent].
func (b *Bitmap) NextAbsent(x uint64) (absent uint64, ok bool) { return b.View().NextAbsent(x) }

// PreviousAbsent returns the largest value ≤ x that the set does not have: see
// [View.PreviousAbsent].
func (b *Bitmap) PreviousAbsent(x uint64) (absent uint64, ok bool) { return b.View().PreviousAbsent(x) }

// Hash returns a hash of the set of values: see [View.Hash].
func (b *Bitmap) Hash() uint64 { return b.View().Hash() }

// AppendTo appends the values in ascending order and returns the longer slice: see [View.AppendTo].
func (b *Bitmap) AppendTo(dst []uint64) []uint64 { return b.View().AppendTo(dst) }

// Kinds counts the containers by kind: see [View.Kinds].
func (b *Bitmap) Kinds() view.Kinds { return b.View().Kinds() }
