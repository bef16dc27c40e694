// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import "github.com/uproar-db/uproar/internal/roaring"

// Min returns the smallest integer; ok is false if there is none. A chunk is left as soon as its
// smallest is known to be larger than one before.
func (v View) Min() (value int64, ok bool) { return roaring.SlicedView(v).Min() }

// Max returns the largest integer; ok is false if there is none. See [View.Min].
func (v View) Max() (value int64, ok bool) { return roaring.SlicedView(v).Max() }

// Nth returns the i-th smallest integer, from 0, where equal integers of several records count
// each; ok is false if there are not so many.
//
// It fixes one bit after the other, from the highest on, by counting the records that go on with a
// zero: at most as many walks as there are slices, and no more once 2 048 records are left, which
// are sorted.
func (v View) Nth(i uint64) (value int64, ok bool) { return roaring.SlicedView(v).Nth(i) }

// Quantile returns the smallest integer such that at least the share p of all n integers is not
// larger: the ⌈p·n⌉-th smallest, counted from 1, and the smallest for p = 0. It is always an
// integer that occurs (nearest rank; Hyndman & Fan 1996, definition 1). ok is false if there are
// none or p is not in [0, 1].
//
// p counts as the decimal number that it prints as: 0.07 of 100 integers are 7, although the
// float64 nearest to 0.07 is a little more. The median is Quantile(0.5), the lower one of an even
// number. The cost is that of [View.Nth].
func (v View) Quantile(p float64) (value int64, ok bool) {
	return roaring.SlicedView(v).Quantile(p)
}
