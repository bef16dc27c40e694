// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// countBytes is what a counter takes.
const countBytes = 4

// reserve makes counters for rows below a number, counted against the bound of the database.
func (c *Counts) reserve(snap reader.Snapshot, rows uint64) error {
	if rows <= uint64(len(c.counts)) {
		return nil
	}
	bytes := int64(min(rows, 1<<50)-uint64(len(c.counts))) * countBytes
	if err := snap.Take(bytes); err != nil {
		return err
	}
	before := c.close
	c.close = func() {
		snap.Give(bytes)
		if before != nil {
			before()
		}
	}
	c.counts = append(c.counts, make([]uint32, rows-uint64(len(c.counts)))...)
	return nil
}

// put sets the count of a row. Rows come in ascending order.
func (c *Counts) put(snap reader.Snapshot, row, n uint64) error {
	if n == 0 {
		return nil
	}
	if row >= uint64(len(c.counts)) {
		if err := c.reserve(snap, row+row/4+1); err != nil {
			return err
		}
	}
	c.counts[row] = uint32(n)
	return nil
}

// byLists intersects the set with each list.
func (c *Counts) byLists(ctx context.Context, snap reader.Snapshot, field uint32, set view.View) error {
	if err := c.reserve(snap, snap.RowBound(field)); err != nil {
		return err
	}
	return snap.Rows(ctx, field, 0, func(row uint64, l *overlay.List) error {
		return c.put(snap, row, l.AndLen(set))
	})
}

// join adds the counts of a counter; the first one's are taken over.
func (c *Counts) join(counter *reader.RowCounter, first bool) error {
	counts, err := counter.Counts()
	if err != nil {
		return err
	}
	if first {
		c.counts, c.close = counts, counter.Close
		return nil
	}
	if len(c.counts) < len(counts) {
		// Only rows without keys, which no database has: their counters are counted with the first
		// ones.
		c.counts = append(slices.Clip(c.counts), make([]uint32, len(counts)-len(c.counts))...)
	}
	sum := c.counts[:len(counts)]
	for row, n := range counts {
		sum[row] += n
	}
	return nil
}

// byRest takes the counts of the records that are not in the set from the sizes of the rows.
func (c *Counts) byRest(ctx context.Context, snap reader.Snapshot, field uint32, set view.View,
	threads int) error {
	rest, err := Rest(ctx, snap, set)
	if err != nil {
		return err
	}
	defer snap.Give(int64(len(rest.Bytes())))
	if err := c.byColumn(ctx, snap, field, rest.View(), threads); err != nil {
		return err
	}
	sizes, err := snap.RowSizes(ctx, field)
	if err != nil {
		return err
	}
	defer sizes.Close()
	all := sizes.All()
	if err := c.reserve(snap, uint64(len(all))); err != nil {
		return err
	}
	for row, n := range c.counts {
		total := uint32(0)
		if row < len(all) {
			total = all[row]
		}
		c.counts[row] = total - n
	}
	return nil
}

// Rest returns the records that exist and are not in a set. Its bytes are counted.
func Rest(ctx context.Context, snap reader.Snapshot, set view.View) (*mutable.Bitmap, error) {
	var universe overlay.List
	if err := snap.List(model.Exists, 0, &universe); err != nil {
		return nil, err
	}
	rest, err := mutable.Build(pack.Fastest, func(b *pack.Builder) error { return appendRest(ctx, b, &universe, set) })
	if err != nil {
		return nil, err
	}
	return rest, snap.Take(int64(len(rest.Bytes())))
}

// appendRest appends the records of a universe that are not in a set.
func appendRest(ctx context.Context, b *pack.Builder, universe *overlay.List, set view.View) error {
	var decoded, cut container.Scratch
	var all overlay.Cursor
	all.Reset(universe)
	out := set.Cursor(&decoded)
	more := out.Next()
	for ok := all.Seek(0); ok; ok = all.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more && out.Key() < all.Key() {
			more = out.Seek(all.Key())
		}
		if more && out.Key() == all.Key() {
			b.AppendBlock(cut.AndNot(all.Block(), out.Block()))
		} else {
			b.AppendBlock(all.Block())
		}
	}
	return nil
}
