// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// quickly finds the best rows in another way than by a walk over all lists, if one costs less.
func (t *ranked) quickly(ctx context.Context, field uint32, set bitmap.View) (done bool, err error) {
	c, err := costsOf(t.snap, field, t.size)
	if err != nil || t.size > math.MaxUint32 {
		return false, err
	}
	way, cost := c.best()
	switch {
	case t.By == ByCount && t.Limit > 0 && c.bySize(t.Limit) < cost:
		err = t.bySize(ctx, field, set)
	case way != ByLists:
		err = t.byCounts(ctx, field, set, way)
	default:
		return false, nil
	}
	if err == nil {
		t.cut()
	}
	return true, err
}

// byCounts counts all rows, and then ranks them.
func (t *ranked) byCounts(ctx context.Context, field uint32, set bitmap.View, way Way) error {
	counts, err := CountRows(ctx, t.snap, field, set, Counting{Way: way, Threads: t.Threads})
	if err != nil {
		return err
	}
	defer counts.Close()
	if t.By == ByCount {
		return t.largest(counts, field)
	}
	if t.By == ByRatio || t.By == ByLift && !t.Background.IsEmpty() {
		totals, err := CountRows(ctx, t.snap, field, t.Background, Counting{Threads: t.Threads})
		if err != nil {
			return err
		}
		defer totals.Close()
		for row, n := range counts.All() {
			if err := t.offer(row, n, totals.Len(row)); err != nil {
				return err
			}
		}
		return nil
	}
	wanted := func(row uint64) bool { return counts.Len(row) >= t.Least }
	return t.snap.RowLens(ctx, field, wanted, func(row, total uint64) error { return t.offer(row, counts.Len(row), total) })
}

// offer adds a row if it may be among the best.
func (t *ranked) offer(row, count, total uint64) error {
	x := Ranked{Row: row, Count: count, Total: total}
	if x.Score = t.score(count, total); count < t.Least || t.full && x.Score < t.worst {
		return nil
	}
	return t.add(x)
}

// largest ranks rows by their counts. Only of those that are left the sizes are looked up.
func (t *ranked) largest(counts *RowCounts, field uint32) error {
	for row, n := range counts.All() {
		if n < t.Least || t.full && float64(n) <= t.worst {
			continue
		}
		if err := t.add(Ranked{Row: row, Count: n, Score: float64(n)}); err != nil {
			return err
		}
	}
	t.cut()
	order := make([]*Ranked, len(t.rows))
	for i := range t.rows {
		order[i] = &t.rows[i]
	}
	slices.SortFunc(order, func(a, b *Ranked) int { return cmp.Compare(a.Row, b.Row) })
	var l posting.List
	for _, x := range order {
		if err := t.snap.List(field, x.Row, &l); err != nil {
			return err
		}
		x.Total = l.Len()
	}
	return nil
}

// sized is a row, and its size.
type sized struct{ row, most uint64 }

const sizedBytes = 16

// bySize ranks rows by count, the largest first, and stops when no later one can enter.
func (t *ranked) bySize(ctx context.Context, field uint32, set bitmap.View) error {
	var classes [65][]sized // by the number of binary digits of the size
	held := int64(0)
	defer func() { t.snap.Give(held) }()
	wanted := func(uint64) bool { return true }
	err := t.snap.RowLens(ctx, field, wanted, func(row, most uint64) error {
		if most < t.Least {
			return nil
		}
		class := &classes[bits.Len64(most)]
		before := cap(*class)
		*class = append(*class, sized{row, most})
		if more := int64(cap(*class)-before) * sizedBytes; more > 0 {
			if err := t.snap.Take(more); err != nil {
				return err
			}
			held += more
		}
		return nil
	})
	if err != nil {
		return err
	}
	var l posting.List
	for i := len(classes) - 1; i >= 0; i-- {
		slices.SortFunc(classes[i], func(a, b sized) int {
			return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.row, b.row))
		})
		for _, s := range classes[i] {
			if t.full && float64(min(s.most, t.size)) < t.worst {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := t.snap.List(field, s.row, &l); err != nil {
				return err
			}
			if n := l.LenWithin(set); n >= t.Least {
				if err := t.offer(s.row, n, l.Len()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// countQuickly counts all rows if that costs less than a walk over their lists; nil, if it does not.
func countQuickly(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, threads int) (*RowCounts, error) {
	size := set.Len()
	if size > math.MaxUint32 {
		return nil, nil
	}
	c, err := costsOf(snap, field, size)
	if err != nil {
		return nil, err
	}
	way, _ := c.best()
	if way == ByLists {
		return nil, nil
	}
	return CountRows(ctx, snap, field, set, Counting{Way: way, Threads: threads})
}
