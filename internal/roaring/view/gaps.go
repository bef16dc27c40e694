// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"iter"
	"math"
)

// NextAbsent returns the smallest value ≥ x that the set does not have: the first free number. ok
// is false if it has all from x on. It costs some ranks: their number grows with the logarithm of
// how many values are passed, and is 1 for a value that is absent itself. Nothing is allocated.
func NextAbsent(v View, x uint64) (absent uint64, ok bool) {
	if !v.Contains(x) {
		return x, true
	}
	full := x // the set has all from x to here
	for step := uint64(1); ; step *= 2 {
		if full == math.MaxUint64 {
			return 0, false
		}
		to := full + min(step, math.MaxUint64-full)
		if hasAll(&v, full+1, to) {
			full = to
			continue
		}
		for to-full > 1 {
			if middle := full + (to-full)/2; hasAll(&v, full+1, middle) {
				full = middle
			} else {
				to = middle
			}
		}
		return to, true
	}
}

// PreviousAbsent returns the largest value ≤ x that the set does not have. ok is false if it has
// all up to x. It costs a NextAbsent.
func PreviousAbsent(v View, x uint64) (absent uint64, ok bool) {
	if !v.Contains(x) {
		return x, true
	}
	full := x // the set has all from here to x
	for step := uint64(1); ; step *= 2 {
		if full == 0 {
			return 0, false
		}
		to := full - min(step, full)
		if hasAll(&v, to, full-1) {
			full = to
			continue
		}
		for full-to > 1 {
			if middle := full - (full-to)/2; hasAll(&v, middle, full-1) {
				full = middle
			} else {
				to = middle
			}
		}
		return to, true
	}
}

// ContainsRange reports whether the set has all values from first to last, both included. If last
// is less than first, there are none, and it has them all. It costs a [View.LenRange].
func ContainsRange(v View, first, last uint64) bool { return last < first || hasAll(&v, first, last) }

// IntersectsRange reports whether the set has a value from first to last, both included. If last is
// less than first, it has none. It costs a [View.Next].
func IntersectsRange(v View, first, last uint64) bool {
	x, ok := v.Next(first)
	return ok && x <= last
}

// hasAll reports whether the set has all values from first to last.
// the number of all uint64 wraps
func hasAll(v *View, first, last uint64) bool { return LenRange(*v, first, last)-1 == last-first }

// Gaps returns the runs of values from first to last that the set lacks, in ascending order. Each
// is a first and a last value, both included, and as long as possible. The cost is that of
// [View.Ranges] over the same part of the set. Gaps allocates nothing.
func Gaps(v View, first, last uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(first, last uint64) bool) {
		at := first // what is before is done
		done := last < first
		if !done {
			ranges(&v, max(v.Search(first>>16), 0), func(lo, hi uint64) bool {
				switch {
				case hi < at:
					return true
				case lo > last:
					return false
				}
				if lo > at && !yield(at, lo-1) || hi >= last {
					done = true
					return false
				}
				at = hi + 1
				return true
			})
		}
		if !done {
			yield(at, last)
		}
	}
}
