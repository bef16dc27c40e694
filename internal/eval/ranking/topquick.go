// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// quickly finds the best rows in another way than by a walk over all lists, if one costs less.
func (t *ranked) quickly(ctx context.Context, field uint32, set view.View) (done bool, err error) {
	c, err := rowcount.CostsOf(t.snap, field, t.size)
	if err != nil || c.Records > math.MaxUint32 || c.Rows > math.MaxUint32 {
		return false, err
	}
	way, cost := c.Best()
	if t.By == ByCount && t.Limit > 0 && c.BySize(t.Limit) < cost {
		done, err = t.bySize(ctx, field, set, c, cost)
	}
	if !done && err == nil && way != rowcount.ByLists {
		done, err = true, t.byCounts(ctx, field, set, way)
	}
	if done && err == nil {
		t.cut()
	}
	return done, err
}

// byCounts counts all rows, and then ranks them.
func (t *ranked) byCounts(ctx context.Context, field uint32, set view.View, way rowcount.Way) error {
	counts, err := rowcount.Count(ctx, t.snap, field, set, rowcount.Counting{Way: way, Threads: t.Threads})
	if err != nil {
		return err
	}
	defer counts.Close()
	if t.By == ByCount {
		return t.largest(counts.PerRow(), field)
	}
	if t.By == ByRatio || t.By == ByLift && !t.Background.IsEmpty() {
		totals, err := rowcount.Count(ctx, t.snap, field, t.Background, rowcount.Counting{Threads: t.Threads})
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
	sizes, err := t.snap.RowSizes(ctx, field)
	if err != nil {
		return err
	}
	defer sizes.Close()
	return t.bySizes(counts.PerRow(), sizes)
}

// bySizes ranks rows by their counts and sizes, the last one first: frequent values are met early
// when records are loaded, so that the rows of the highest lifts come last, and once these are
// there most others are passed over.
func (t *ranked) bySizes(counts []uint32, sizes *reader.RowSizes) error {
	all := sizes.All()
	for row := len(counts) - 1; row >= len(all); row-- { // rows without a size, as no row with records is
		if err := t.offer(uint64(row), uint64(counts[row]), 0); err != nil {
			return err
		}
	}
	row := min(len(counts), len(all))
	// times count / size of the row, it is no less than the lift, however that is rounded
	most := float64(t.Whole) / float64(t.size) * (1 + 1e-9)
	for t.Least <= math.MaxUint32 {
		part := 0.0
		if t.By == ByLift && t.full {
			part = t.worst / most
		}
		if row = roaring.LastShare(counts[:row], all[:row], uint32(t.Least), part); row < 0 {
			break
		}
		if err := t.offer(uint64(row), uint64(counts[row]), uint64(all[row])); err != nil {
			return err
		}
	}
	return nil
}

// offer adds a row if it may be among the best.
func (t *ranked) offer(row, count, total uint64) error {
	x := Ranked{Row: row, Count: count, Total: total}
	if x.Score = t.score(count, total); count < t.Least || t.full && x.Score < t.worst {
		return nil
	}
	return t.add(x)
}

// largest ranks rows by their counts. It looks up only the sizes of the rows that remain.
func (t *ranked) largest(counts []uint32, field uint32) error {
	for row := 0; ; row++ {
		least := t.Least
		if t.full {
			least = max(least, uint64(t.worst)+1) // of equal counts the lower row is there already
		}
		if least > math.MaxUint32 {
			break
		}
		if row += roaring.FirstCount(counts[row:], uint32(least)); row == len(counts) {
			break
		}
		n := uint64(counts[row])
		if err := t.add(Ranked{Row: uint64(row), Count: n, Score: float64(n)}); err != nil {
			return err
		}
	}
	t.cut()
	order := make([]*Ranked, len(t.rows))
	for i := range t.rows {
		order[i] = &t.rows[i]
	}
	slices.SortFunc(order, func(a, b *Ranked) int { return cmp.Compare(a.Row, b.Row) })
	var l overlay.List
	for _, x := range order {
		if err := t.snap.List(field, x.Row, &l); err != nil {
			return err
		}
		x.Total = l.Len()
	}
	return nil
}
