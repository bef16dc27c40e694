// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// Histogram counts the integers below the first bound, from each bound to below the next, and from
// the last bound on. It returns one count more than there are bounds. The bounds ascend. No two are
// equal. Cost: the records are divided by one bit after the other, and only where a bound lies
// between them: at most two operations for each bit and bound. Errors: ctx's.
func (n *Numbers) Histogram(ctx context.Context, bounds []int64) ([]uint64, error) {
	counts := make([]uint64, len(bounds)+1)
	zero, isBound := slices.BinarySearch(bounds, 0)
	above := division{ctx: ctx, of: &n.sides[0]}
	from := zero
	if isBound { // no absolute value is below it
		from++
	}
	for _, b := range bounds[from:] {
		above.bounds = append(above.bounds, uint64(b))
	}
	above.counts = counts[from:]
	// Negative integers are divided by their absolute values: from -b on are those below b+1.
	below := division{ctx: ctx, of: &n.sides[1], counts: make([]uint64, zero+1)}
	for _, b := range slices.Backward(bounds[:zero]) {
		below.bounds = append(below.bounds, -uint64(b)+1)
	}
	for _, d := range []*division{&above, &below} {
		if err := d.divide(d.of.records.Clone(), len(d.of.digits), 0, 0, len(d.bounds)); err != nil {
			return nil, err
		}
	}
	for i, count := range below.counts {
		counts[zero-i] += count
	}
	return counts, nil
}

// division divides the records of one side by bounds of their absolute values.
type division struct {
	ctx    context.Context
	of     *side
	bounds []uint64 // ascending
	counts []uint64 // counts[i]: of the records below bounds[i], and not below the one before
}

// divide counts records whose absolute values are equal to low in all but their last bits. The
// bounds from first to last lie above low and within these bits. It changes the set.
func (d *division) divide(records *mutable.Bitmap, bits int, low uint64, first, last int) error {
	for ; first < last && !records.IsEmpty(); bits-- {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		middle := low + 1<<(bits-1)
		at, isBound := slices.BinarySearch(d.bounds[first:last], middle)
		at += first
		if digit := d.of.digits[bits-1]; digit != nil {
			from := at
			if isBound {
				from++
			}
			with := pair.And(records.View(), digit.View())
			if err := d.divide(with, bits-1, middle, from, last); err != nil {
				return err
			}
			roaring.AndNotWith(records, digit.View())
		}
		last = at
	}
	d.counts[first] += records.Len()
	return nil
}
