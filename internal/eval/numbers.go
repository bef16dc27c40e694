// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/uproar-db/uproar/bitmap/bsi"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/trace"
)

// Numbers is the integers that the records of a set have in a field.
type Numbers struct {
	sides [2]side // those from zero on, and those below
}

// side is the records with an integer on one side of zero.
type side struct {
	records *mutable.Bitmap
	digits  [64]*mutable.Bitmap // those of the records in whose absolute value a bit is set; nil: none
}

// NumbersOf reads the integers of the records of a set. Cost: an intersection with each of the
// field's bits. Errors: those of reading lists, or ctx's.
func NumbersOf(ctx context.Context, snap reader.Snapshot, field uint32, set view.View) (found *Numbers,
	failed error) {
	ctx, step := trace.Begin(ctx, "numbers")
	defer step.EndWith(&failed)
	snap = snap.Under(ctx)
	var l overlay.List
	var c overlay.Cursor
	within := func(row uint64, set view.View) (*mutable.Bitmap, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := snap.List(field, row, &l); err != nil {
			return nil, err
		}
		return l.And(set, &c), nil
	}
	n := new(Numbers)
	above, below := &n.sides[0], &n.sides[1]
	var err error
	if above.records, err = within(model.IntegerAny, set); err != nil {
		return nil, err
	}
	if below.records, err = within(model.IntegerNegative, above.records.View()); err != nil {
		return nil, err
	}
	all := above.records.Clone()
	roaring.AndNotWith(above.records, below.records.View())
	for i := range above.digits {
		digit, err := within(model.IntegerRow(i), all.View())
		switch {
		case err != nil:
			return nil, err
		case digit.IsEmpty():
			continue
		case below.records.IsEmpty():
			above.digits[i] = digit
			continue
		}
		if d := pair.And(digit.View(), below.records.View()); !d.IsEmpty() {
			below.digits[i] = d
			roaring.AndNotWith(digit, d.View())
		}
		if !digit.IsEmpty() {
			above.digits[i] = digit
		}
	}
	return n, nil
}

// len returns how many records of the set have an integer.
func (n *Numbers) len() uint64 { return n.sides[0].records.Len() + n.sides[1].records.Len() }

// Sum returns the exact sum of the integers, with their number. Cost: the cardinalities of the
// bits.
func (n *Numbers) Sum() bsi.Sum {
	sum := bsi.Sum{Len: n.len()}
	var hi uint64
	for negative := range n.sides {
		for i, d := range n.sides[negative].digits {
			if d == nil {
				continue
			}
			count := d.Len()
			h, l := bits.Mul64(count, 1<<i)
			var carry uint64
			if negative == 1 {
				sum.Lo, carry = bits.Sub64(sum.Lo, l, 0)
				hi, _ = bits.Sub64(hi, h, carry)
			} else {
				sum.Lo, carry = bits.Add64(sum.Lo, l, 0)
				hi, _ = bits.Add64(hi, h, carry)
			}
		}
	}
	sum.Hi = int64(hi)
	return sum
}

// Nth returns the integer with i smaller or equal ones before it, from 0. ok is false if i is too
// large. Cost: an intersection for each bit.
func (n *Numbers) Nth(i uint64) (x int64, ok bool) {
	below := n.sides[1].records.Len()
	switch {
	case i < below:
		return -int64(n.sides[1].nth(below - 1 - i)), true
	case i-below < n.sides[0].records.Len():
		return int64(n.sides[0].nth(i - below)), true
	}
	return 0, false
}

// nth returns the absolute value with that many smaller or equal ones before it: the highest bit
// first, those without it come before those with it.
func (s *side) nth(i uint64) (x uint64) {
	left := s.records.Clone()
	for bit := len(s.digits) - 1; bit >= 0; bit-- {
		d := s.digits[bit]
		if d == nil {
			continue
		}
		without := left.Len() - pair.AndLen(left.View(), d.View())
		if i < without {
			roaring.AndNotWith(left, d.View())
			continue
		}
		i -= without
		x |= 1 << bit
		roaring.AndWith(left, d.View())
	}
	return x
}

// Quantile returns the ⌈p·n⌉-th smallest of the n integers, and the smallest for p = 0. p is from 0
// to 1 (definition 1 of Hyndman and Fan, Sample quantiles in statistical packages, 1996). ok is
// false if there are no integers, or p is out of range. Cost as of Nth.
func (n *Numbers) Quantile(p float64) (x int64, ok bool) {
	count := n.len()
	if count == 0 || !(p >= 0 && p <= 1) {
		return 0, false
	}
	return n.Nth(quantileRank(p, count))
}

// quantileRank returns ⌈p·n⌉ - 1, at least 0, exactly for the decimal number that p is written as.
func quantileRank(p float64, n uint64) uint64 {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	r.Mul(r, new(big.Rat).SetInt(new(big.Int).SetUint64(n)))
	whole, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		return whole.Uint64()
	}
	return max(whole.Uint64(), 1) - 1
}

// Records returns the records of the set that have an integer. Cost: a union.
func (n *Numbers) Records() *mutable.Bitmap {
	return pair.Or(n.sides[0].records.View(), n.sides[1].records.View())
}

// Split returns the records with a smaller integer than x, and those with x. Cost: two operations
// for each bit.
func (n *Numbers) Split(x int64) (less, equal *mutable.Bitmap) {
	above, below := &n.sides[0], &n.sides[1]
	if x < 0 {
		_, equal, less = below.split(-uint64(x))
		return less, equal
	}
	less, equal, _ = above.split(uint64(x))
	roaring.OrWith(less, below.records.View())
	return less, equal
}

// split returns the records with a smaller absolute value than x, with x, and with a greater one.
func (s *side) split(x uint64) (less, equal, greater *mutable.Bitmap) {
	less, equal, greater = new(mutable.Bitmap), s.records.Clone(), new(mutable.Bitmap)
	for bit := len(s.digits) - 1; bit >= 0; bit-- {
		d := s.digits[bit]
		switch set := x>>bit&1 == 1; {
		case set && d == nil:
			roaring.OrWith(less, equal.View())
			equal = new(mutable.Bitmap)
		case set:
			roaring.OrWith(less, pair.AndNot(equal.View(), d.View()).View())
			roaring.AndWith(equal, d.View())
		case d != nil:
			roaring.OrWith(greater, pair.And(equal.View(), d.View()).View())
			roaring.AndNotWith(equal, d.View())
		}
	}
	return less, equal, greater
}
