// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Len returns the number of values: see [View.Len].
func (b *Bitmap) Len() uint64 { return (*mutable.Bitmap)(b).Len() }

// IsEmpty reports whether there are no values.
func (b *Bitmap) IsEmpty() bool { return (*mutable.Bitmap)(b).IsEmpty() }

// Contains reports whether x is in the set.
func (b *Bitmap) Contains(x uint64) bool { return (*mutable.Bitmap)(b).Contains(x) }

// Min returns the smallest value; ok is false if the set is empty.
func (b *Bitmap) Min() (x uint64, ok bool) { return (*mutable.Bitmap)(b).Min() }

// Max returns the largest value; ok is false if the set is empty.
func (b *Bitmap) Max() (x uint64, ok bool) { return (*mutable.Bitmap)(b).Max() }

// Rank returns the number of values ≤ x.
func (b *Bitmap) Rank(x uint64) uint64 { return (*mutable.Bitmap)(b).Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none.
func (b *Bitmap) Select(i uint64) (x uint64, ok bool) { return (*mutable.Bitmap)(b).Select(i) }

// AppendTo appends the values in ascending order and returns the longer slice: see [View.AppendTo].
func (b *Bitmap) AppendTo(dst []uint64) []uint64 { return (*mutable.Bitmap)(b).AppendTo(dst) }
