// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// sizeOrder ranks rows by count, the largest first, and stops when no later one can enter.
type sizeOrder struct {
	*ranked
	field  uint32
	set    view.View
	sizes  []uint32
	costs  rowcount.Costs
	budget float64 // what another way costs, less what this one has
}

// bySize finds the best rows by count, unless another way turns out to cost less: then it is not
// done, and has left nothing.
func (t *ranked) bySize(ctx context.Context, field uint32, set view.View, c rowcount.Costs, other float64) (done bool,
	err error) {
	sizes, err := t.snap.RowSizes(ctx, field)
	if err != nil {
		return false, err
	}
	defer sizes.Close()
	o := sizeOrder{ranked: t, field: field, set: set, sizes: sizes.All(), costs: c, budget: other}
	if err := o.rank(ctx); err != nil {
		return false, err
	}
	if o.budget < 0 {
		t.rows, t.full, t.worst = t.rows[:0], false, math.Inf(-1)
	}
	return o.budget >= 0, nil
}

// orderBytes is what a row takes in the order.
const orderBytes = 8

// rank goes through the rows by classes of their sizes, so that few of them need be sorted. It ends
// when the budget is spent, or is about to be.
func (o *sizeOrder) rank(ctx context.Context) error {
	var classes [33]int // how many rows have a size of each number of binary digits
	for _, n := range o.sizes {
		classes[bits.Len32(n)]++
	}
	var order []uint64 // the complement of the size in the upper half, the row in the lower one
	held := int64(0)
	defer func() { o.snap.Give(held) }()
	before := 0
	for class := len(classes) - 1; class > 0; class-- {
		if classes[class] == 0 {
			continue
		}
		if need := int64(classes[class]) * orderBytes; need > held {
			if err := o.snap.Take(need - held); err != nil {
				return err
			}
			held = need
		}
		order = slices.Grow(order[:0], classes[class])
		for row, n := range o.sizes {
			if bits.Len32(n) == class && uint64(n) >= o.Least {
				order = append(order, uint64(^n)<<32|uint64(row))
			}
		}
		slices.Sort(order)
		if before < o.Limit && before+len(order) >= o.Limit {
			if o.expect(sizeOf(order[o.Limit-before-1])) > o.budget {
				o.budget = -1
				return nil
			}
		}
		before += len(order)
		if last, err := o.class(ctx, order); last || err != nil {
			return err
		}
	}
	return nil
}

// sizeOf returns the size of a row in the order.
func sizeOf(x uint64) uint32 { return ^uint32(x >> 32) }

// expect returns the cost of the walk if the set is a fair sample of all records. last is the size
// of the smallest of the largest rows wanted. That row has its share of the set, and rows no
// smaller than the share may enter.
func (o *sizeOrder) expect(last uint32) (cost float64) {
	least := float64(last) * float64(o.size) / float64(o.costs.Records)
	for _, n := range o.sizes {
		if float64(n) >= least {
			cost += o.costs.List(n)
		}
	}
	return cost
}

// class ranks rows in their order. They are the last ones if no later row can enter, or the budget
// is spent.
func (o *sizeOrder) class(ctx context.Context, order []uint64) (last bool, err error) {
	var l overlay.List
	for _, x := range order {
		row, size := x&math.MaxUint32, sizeOf(x)
		if o.full && float64(min(uint64(size), o.size)) < o.worst {
			return true, nil
		}
		if o.budget -= o.costs.List(size); o.budget < 0 {
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := o.snap.List(o.field, row, &l); err != nil {
			return false, err
		}
		if err := o.offer(row, l.AndLen(o.set), uint64(size)); err != nil {
			return false, err
		}
	}
	return false, nil
}
