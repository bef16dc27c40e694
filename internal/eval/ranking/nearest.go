// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/trace"
)

// Nearness is a question for the records that are in the most of some rows. By [ByJaccard] it is
// how many rows a record is in, of those and of what it has of its own; by [ByCosine] the same, of
// the geometric mean of both.
type Nearness struct {
	Field   uint32   // whose rows are counted
	Rows    []uint64 // which rows
	Except  []uint64 // records that are left out
	Measure Measure  // not ByLift
	Own     uint32   // ByJaccard and ByCosine: the field in which row r is what record r has of its own
	Limit   int      // records at most
}

// Neighbour is a record of an answer to Nearness.
type Neighbour struct {
	ID    uint64
	Count uint64 // rows that it is in
	Own   uint64 // values that it has of its own; 0 in a ranking by count
}

// Nearest returns the first records, exactly, and the number of records in any row. Equal ones come
// in the order of their IDs; records left out do not count. It walks over all rows, and, by a
// measure of own values, reads the own values of records that may still get in. Errors: ErrMemory,
// those of reading lists, or ctx's.
func Nearest(ctx context.Context, snap reader.Snapshot, r Nearness) (top []Neighbour, records uint64, err error) {
	ctx, step := trace.Begin(ctx, "nearest")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	t := tally{snap: snap}
	defer t.release()
	if err := t.count(ctx, r.Field, r.Rows); err != nil {
		return nil, 0, err
	}
	for _, id := range r.Except {
		t.drop(id)
	}
	return t.top(ctx, r)
}

// recordsPerLook is how many records are looked at between two looks at the context.
const recordsPerLook = 256

// order is how records of a ranking compare.
type order struct {
	measure Measure
	rows    uint64
}

// compare is below 0 when x comes before y.
func (o order) compare(x, y Neighbour) int {
	var c int
	switch o.measure {
	case ByCount:
		c = cmp.Compare(y.Count, x.Count)
	case ByJaccard:
		c = compareProducts(y.Count, o.rows+x.Own-x.Count, x.Count, o.rows+y.Own-y.Count)
	case ByCosine:
		c = compareProducts(y.Count*y.Count, x.Own, x.Count*x.Count, y.Own)
	}
	return cmp.Or(c, cmp.Compare(x.ID, y.ID))
}

// compareProducts compares a·b with c·d.
func compareProducts(a, b, c, d uint64) int {
	hi, lo := bits.Mul64(a, b)
	high, low := bits.Mul64(c, d)
	return cmp.Or(cmp.Compare(hi, high), cmp.Compare(lo, low))
}

// top returns the first records, and how many there are.
func (t *tally) top(ctx context.Context, r Nearness) (top []Neighbour, records uint64, err error) {
	o := order{r.Measure, uint64(len(r.Rows))}
	best := ranks{order: o, limit: r.Limit}
	if r.Measure == ByCount {
		t.each(func(id, count uint64) {
			records++
			best.add(Neighbour{ID: id, Count: count})
		})
		return best.sorted(), records, nil
	}
	// By descending count: the best that a record can be is to have nothing but what it has in
	// common.
	var all []Neighbour
	t.each(func(id, count uint64) { all = append(all, Neighbour{ID: id, Count: count}) })
	byCount := order{measure: ByCount}
	queue := heap[Neighbour]{all, byCount.compare}
	queue.init()
	var list overlay.List
	for steps := 0; len(queue.of) > 0; steps++ {
		if steps%recordsPerLook == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		x := queue.pop()
		x.Own = x.Count
		if best.full() && (best.limit == 0 || o.compare(best.last(), x) < 0) {
			break
		}
		if err := t.snap.List(r.Own, x.ID, &list); err != nil {
			return nil, 0, err
		}
		x.Own = list.Len()
		best.add(x)
	}
	return best.sorted(), uint64(len(all)), nil
}

// ranks are the best records that were added, at most limit.
type ranks struct {
	order order
	limit int
	of    []Neighbour // a heap with the last of them first
}

func (b *ranks) full() bool      { return len(b.of) == b.limit }
func (b *ranks) last() Neighbour { return b.of[0] }

func (b *ranks) add(x Neighbour) {
	worst := heap[Neighbour]{b.of, func(x, y Neighbour) int { return b.order.compare(y, x) }}
	switch {
	case b.limit <= 0:
	case !b.full():
		worst.of = append(worst.of, x)
		worst.up(len(worst.of) - 1)
	case b.order.compare(x, b.of[0]) < 0:
		worst.of[0] = x
		worst.down(0)
	}
	b.of = worst.of
}

func (b *ranks) sorted() []Neighbour {
	slices.SortFunc(b.of, b.order.compare)
	return b.of
}
