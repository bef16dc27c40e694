// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math/bits"
	"slices"
	"strconv"
)

// Min returns the smallest integer; ok is false if there is none. A chunk is left as soon as its
// smallest is known to be larger than one before.
func (v View) Min() (value int64, ok bool) {
	u, ok := v.extreme(false)
	if !ok {
		return 0, false
	}
	return v.value(u), true
}

// Max returns the largest integer; ok is false if there is none. See [View.Min].
func (v View) Max() (value int64, ok bool) {
	u, ok := v.extreme(true)
	if !ok {
		return 0, false
	}
	return v.value(u), true
}

// extreme returns the smallest or largest distance from the base.
func (v View) extreme(largest bool) (best uint64, ok bool) {
	w := v.walk()
	defer w.release()
	want := uint64(0)
	if largest {
		want = 1
	}
	for w.next() {
		if u, better := w.extreme(want, best, ok); better {
			best, ok = u, true
		}
	}
	return best, ok
}

// extreme returns a distance in the chunk: it has the bit wanted wherever one of the records left
// has it. If there is a best one already (bound), better says whether this one is better.
func (w *walk) extreme(want, best uint64, bound bool) (u uint64, better bool) {
	b := w.all
	for i := int(w.view.width) - 1; i >= 0; i-- {
		got := want
		if those := w.having(&w.step, b, i, want); !those.IsEmpty() {
			b = ownCopy(&w.low, those)
		} else {
			got ^= 1
		}
		u |= got << i
		if bit := best >> i & 1; bound && got != bit {
			if got != want {
				return 0, false
			}
			bound = false // better, whatever follows
		}
	}
	return u, !bound
}

// sortedBelow is the number of candidates that are decoded and sorted rather than split by one more
// bit.
const sortedBelow = 2048

// Nth returns the i-th smallest integer, from 0. Equal integers of several records count each. ok
// is false if there are not i+1.
//
// It fixes one bit after the other, from the highest on, by counting the records that go on with a
// zero: at most as many walks as there are slices, and no more once 2 048 records are left, which
// are sorted.
func (v View) Nth(i uint64) (value int64, ok bool) {
	left := v.Len()
	if i >= left {
		return 0, false
	}
	w := v.walk()
	defer w.release()
	from := uint64(0) // the i-th distance lies in [from, from + 2^undecided)
	for undecided := int(v.width); undecided > 0; {
		if left <= sortedBelow {
			if u, ok := w.nthOf(i, from, from|ones(undecided)); ok {
				return v.value(u), true
			}
			return 0, false // the bytes are not valid
		}
		undecided--
		zeros := w.count(from, from|ones(undecided))
		w.restart()
		if i < zeros {
			left = zeros
			continue
		}
		i -= zeros
		left -= min(zeros, left)
		from |= 1 << undecided
	}
	return v.value(from), true
}

// nthOf returns the i-th smallest of the few distances in [from, to].
func (w *walk) nthOf(i, from, to uint64) (u uint64, ok bool) {
	w.few = w.few[:0]
	for w.next() && len(w.few) <= sortedBelow {
		for _, low := range w.decode(w.between(from, to)) {
			w.few = append(w.few, w.values[low])
		}
	}
	if i >= uint64(len(w.few)) {
		return 0, false
	}
	slices.Sort(w.few)
	return w.few[i], true
}

// Quantile returns the smallest integer such that at least the share p of all n integers is not
// larger: the ⌈p·n⌉-th smallest, counted from 1, and the smallest for p = 0. It is always an
// integer that occurs (nearest rank; Hyndman & Fan 1996, definition 1). ok is false if there are
// none or p is not in [0, 1].
//
// p counts as the decimal number that it prints as: 0.07 of 100 integers are 7, although the
// float64 nearest to 0.07 is a little more. The median is Quantile(0.5), the lower one of an even
// number. The cost is that of [View.Nth].
func (v View) Quantile(p float64) (value int64, ok bool) {
	if !(p >= 0 && p <= 1) {
		return 0, false
	}
	return v.Nth(max(shareOf(p, v.Len()), 1) - 1)
}

// shareOf returns ⌈p·n⌉, exactly, for the shortest decimal number that is read as p, which is in
// [0, 1].
func shareOf(p float64, n uint64) uint64 {
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], p, 'e', -1, 64) // d.ddde-xx
	digits, places, at := uint64(0), 0, 0
	for ; text[at] != 'e'; at++ {
		if text[at] == '.' {
			continue
		}
		digits = 10*digits + uint64(text[at]-'0') // at most 17 of them
		if at > 0 {
			places++
		}
	}
	exponent, _ := strconv.Atoi(string(text[at+1:]))
	places -= exponent // p is digits / 10^places
	if digits == 0 {
		return 0
	}
	hi, lo := bits.Mul64(digits, n)
	for ; places > 0; places-- {
		var rest uint64
		hi, rest = hi/10, hi%10
		lo, rest = bits.Div64(rest, lo, 10)
		if rest != 0 {
			lo++ // ⌈⌈x/10⌉/10⌉ is ⌈x/100⌉
			if lo == 0 {
				hi++
			}
		}
		if hi == 0 && lo <= 1 {
			return lo
		}
	}
	return lo
}
