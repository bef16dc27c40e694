// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

// Reads of a Bitmap are those of its [Bitmap.View], under the same names and at the same cost. What
// writes the set in another format, and what an evaluator works with, is on the View alone.

// Len returns the number of values: see [View.Len].
func (b *Bitmap) Len() uint64 { return b.View().Len() }

// IsEmpty reports whether there are no values.
func (b *Bitmap) IsEmpty() bool { return b.View().IsEmpty() }

// Contains reports whether x is in the set.
func (b *Bitmap) Contains(x uint64) bool { return b.View().Contains(x) }

// Min returns the smallest value; ok is false if the set is empty.
func (b *Bitmap) Min() (x uint64, ok bool) { return b.View().Min() }

// Max returns the largest value; ok is false if the set is empty.
func (b *Bitmap) Max() (x uint64, ok bool) { return b.View().Max() }

// Rank returns the number of values ≤ x.
func (b *Bitmap) Rank(x uint64) uint64 { return b.View().Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none.
func (b *Bitmap) Select(i uint64) (x uint64, ok bool) { return b.View().Select(i) }

// AppendTo appends the values in ascending order and returns the longer slice: see [View.AppendTo].
func (b *Bitmap) AppendTo(dst []uint64) []uint64 { return b.View().AppendTo(dst) }
