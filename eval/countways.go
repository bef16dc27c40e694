// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// countBytes is what a counter takes.
const countBytes = 4

// room makes counters for rows below a number, counted against the bound of the database.
func (c *RowCounts) room(snap posting.Snapshot, rows uint64) error {
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
func (c *RowCounts) put(snap posting.Snapshot, row, n uint64) error {
	if n == 0 {
		return nil
	}
	if row >= uint64(len(c.counts)) {
		if err := c.room(snap, row+row/4+1); err != nil {
			return err
		}
	}
	c.counts[row] = uint32(n)
	return nil
}

// byLists intersects the set with each list.
func (c *RowCounts) byLists(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View) error {
	if err := c.room(snap, snap.RowBound(field)); err != nil {
		return err
	}
	return snap.Rows(ctx, field, 0, func(row uint64, l *posting.List) error {
		return c.put(snap, row, l.LenWithin(set))
	})
}

// byColumn walks over the records of the set.
func (c *RowCounts) byColumn(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, threads int) error {
	keys := keysOf(set, threads)
	if len(keys) < 2 {
		counter, err := countBetween(ctx, snap, field, set, 0, 1<<48)
		if err != nil {
			return err
		}
		c.close = counter.Close
		c.counts, err = counter.Counts()
		return err
	}
	errs := make([]error, len(keys))
	counters := make([]*posting.RowCounter, len(keys))
	var group sync.WaitGroup
	for i, from := range keys {
		to := uint64(1 << 48)
		if i+1 < len(keys) {
			to = keys[i+1]
		}
		group.Go(func() { counters[i], errs[i] = countBetween(ctx, snap, field, set, from, to) })
	}
	group.Wait()
	err := errors.Join(errs...)
	for i, counter := range counters {
		if counter == nil {
			continue
		}
		if err == nil {
			err = c.join(counter, i == 0)
		}
		if i > 0 || err != nil {
			counter.Close()
		}
	}
	return err
}

// join adds the counts of a counter; the first one's are taken over.
func (c *RowCounts) join(counter *posting.RowCounter, first bool) error {
	counts, err := counter.Counts()
	if err != nil {
		return err
	}
	if first {
		c.counts, c.close = counts, counter.Close
		return nil
	}
	if len(c.counts) < len(counts) {
		// Only rows without keys, which no database has: their counters are counted with the first ones.
		c.counts = append(slices.Clip(c.counts), make([]uint32, len(counts)-len(c.counts))...)
	}
	for row, n := range counts {
		c.counts[row] += n
	}
	return nil
}

// countBetween counts over the records of the set with container keys from one to below another.
func countBetween(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, from, to uint64) (*posting.RowCounter, error) {
	counter, err := snap.RowCounter(ctx, field)
	if err != nil {
		return nil, err
	}
	var decoded bitmap.Scratch
	cursor := set.Cursor(&decoded)
	for ok := cursor.Seek(from); ok && cursor.Key() < to; ok = cursor.Next() {
		if err := counter.Add(cursor.Block()); err != nil {
			counter.Close()
			return nil, err
		}
	}
	return counter, nil
}

// keysOf cuts a set into parts of about as many records, at most so many: it returns the container keys that they begin with.
func keysOf(set bitmap.View, parts int) []uint64 {
	size := set.Len()
	if parts < 2 || size < 1<<10 {
		return nil
	}
	keys := []uint64{0}
	for i := 1; i < parts; i++ {
		x, ok := set.Select(size / uint64(parts) * uint64(i))
		if key := x >> 16; ok && key > keys[len(keys)-1] {
			keys = append(keys, key)
		}
	}
	return keys
}

// byRest takes the counts of the records that are not in the set from the sizes of the rows.
func (c *RowCounts) byRest(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, threads int) error {
	rest, err := restOf(ctx, snap, set)
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
	if err := c.room(snap, uint64(len(all))); err != nil {
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

// restOf returns the records that exist and are not in a set. Its bytes are counted.
func restOf(ctx context.Context, snap posting.Snapshot, set bitmap.View) (*bitmap.Bitmap, error) {
	var universe posting.List
	if err := snap.List(posting.Exists, 0, &universe); err != nil {
		return nil, err
	}
	rest, err := built(bitmap.Fastest, func(b *bitmap.Builder) error { return appendRest(ctx, b, &universe, set) })
	if err != nil {
		return nil, err
	}
	return rest, snap.Take(int64(len(rest.Bytes())))
}

// appendRest appends the records of a universe that are not in a set.
func appendRest(ctx context.Context, b *bitmap.Builder, universe *posting.List, set bitmap.View) error {
	var decoded, cut bitmap.Scratch
	var all posting.Cursor
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
