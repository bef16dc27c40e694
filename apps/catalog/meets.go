// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"math"
	"slices"
)

// The bounds of what an integer field can hold.
const (
	leastInteger    = math.MinInt64
	greatestInteger = math.MaxInt64
)

// fits reports whether a value fits.
func (t *test) fits(value string) bool {
	switch {
	case len(t.in) > 0:
		return slices.Contains(t.in, value)
	case len(t.not) > 0:
		return !slices.Contains(t.not, value)
	default:
		x, err := t.number.Parse(value)
		return err == nil && t.from <= x && x <= t.to
	}
}

// meets reports whether some value fits both.
func (t *test) meets(o *test) bool {
	if len(o.in) > 0 {
		t, o = o, t
	}
	switch {
	case len(t.in) > 0:
		return slices.ContainsFunc(t.in, o.fits)
	case t.ranged && o.ranged:
		return max(t.from, o.from) <= min(t.to, o.to)
	case t.ranged || o.ranged:
		if o.ranged {
			t, o = o, t
		}
		return t.width() > uint64(t.inside(o.not)) || t.width() == math.MaxUint64
	default: // texts or unbounded numbers, without some values
		return true
	}
}

// covers reports whether whatever fits o fits t.
func (t *test) covers(o *test) bool {
	switch {
	case len(o.in) > 0:
		return !slices.ContainsFunc(o.in, func(v string) bool { return !t.fits(v) })
	case len(t.in) > 0 && o.ranged: // a short range may be all of the values
		return o.width() <= uint64(o.inside(t.in))
	case len(t.in) > 0:
		return false
	case len(o.not) > 0 && len(t.not) > 0:
		return !slices.ContainsFunc(t.not, func(v string) bool { return !slices.Contains(o.not, v) })
	case len(o.not) > 0:
		return t.from == leastInteger && t.to == greatestInteger
	case len(t.not) > 0:
		return o.inside(t.not) == 0
	default:
		return t.from <= o.from && o.to <= t.to
	}
}

// width returns how many integers are in the range; the greatest number if more than that.
func (t *test) width() uint64 {
	if n := uint64(t.to) - uint64(t.from); n < math.MaxUint64 {
		return n + 1
	}
	return math.MaxUint64
}

// inside returns how many of some different numbers are in the range.
func (t *test) inside(values []string) (n int) {
	for _, v := range values {
		if x, err := t.number.Parse(v); err == nil && t.from <= x && x <= t.to {
			n++
		}
	}
	return n
}
