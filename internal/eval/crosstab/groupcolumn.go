// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// groupColumn reads the values of a field, block by block. A value is a row, or the number of a
// band in ascending order from 0 on. Not for concurrent use.
type groupColumn struct {
	by   By
	snap reader.Snapshot
	kind model.Kind
	base uint64 // the number of the least band
	bits int    // that values need

	words  *reader.Words // of a field with one value for each record
	buffer []uint64
	lists  *inverted // of a field that is read from its lists; nil: its column is read record by record

	at     []uint16 // places among the records of the block, ascending, of records that have a value,
	values []uint64 // and the value; a record that has several stands several times
}

// signed makes the numbers of bands ascend as they stand for integers.
const signed = 1 << 63

// recordCost is the cost of looking a record up in a column, in values read from lists.
const recordCost = 16

// newGroupColumn returns a reader of a field for the records of a set. The caller closes it.
func newGroupColumn(ctx context.Context, snap reader.Snapshot, by By, set view.View) (c *groupColumn, err error) {
	c = &groupColumn{by: by, snap: snap, kind: snap.KindOf(by.Field)}
	switch c.kind {
	case model.Integers:
		least, greatest := integerRange(snap.IntegerBits(by.Field))
		c.base = uint64(by.Band.index(least)) ^ signed
		c.bits = bits.Len64(uint64(by.Band.index(greatest)) ^ signed - c.base)
	default:
		c.bits = bits.Len64(max(snap.RowLimit(by.Field), 1) - 1)
	}
	if c.kind != model.Lists {
		c.words, err = snap.Words(by.Field)
		return c, err
	}
	sizes := snap.Sizes(by.Field)
	if !sizes.Column || set.Len() > sizes.ListValues/recordCost {
		c.lists, err = invert(ctx, snap, by.Field, c.bits, set)
	}
	return c, err
}

// integerRange returns the least and the greatest integer whose absolute value has at most the
// given bits.
func integerRange(bits int) (least, greatest int64) {
	if bits > 62 {
		return -1 << 63, 1<<63 - 1
	}
	return -1<<bits + 1, 1<<bits - 1
}

// read reads the values of some records of a block.
func (c *groupColumn) read(key uint64, lows []uint16) (err error) {
	c.at, c.values = c.at[:0], c.values[:0]
	switch {
	case c.words != nil:
		if c.buffer, err = c.words.Append(c.buffer[:0], key, lows); err != nil {
			return err
		}
		err = c.decode(key, lows)
	case c.lists != nil:
		c.at, c.values, err = c.lists.read(c.at, c.values, key, lows)
	default:
		for i, low := range lows {
			if c.values, err = c.snap.AppendRows(c.values, c.by.Field, key<<16|uint64(low)); err != nil {
				return err
			}
			for len(c.at) < len(c.values) {
				c.at = append(c.at, uint16(i))
			}
		}
	}
	return err
}

// decode makes values of the words of some records of a block.
func (c *groupColumn) decode(key uint64, lows []uint16) error {
	for i, w := range c.buffer {
		if w == 0 {
			continue
		}
		c.at = append(c.at, uint16(i))
		if c.kind == model.Rows {
			c.values = append(c.values, reader.RowOf(w))
			continue
		}
		x, err := c.words.Integer(key<<16|uint64(lows[i]), w)
		if err != nil {
			return err
		}
		c.values = append(c.values, uint64(c.by.Band.index(x))^signed-c.base)
	}
	return nil
}

// row returns what stands in a Group for a value: a row, or the lower end of a band as integerRow
// does.
func (c *groupColumn) row(value uint64) uint64 {
	if c.kind != model.Integers {
		return value
	}
	return integerRow(c.by.Band.low(int64((value + c.base) ^ signed)))
}

// integerRow returns what stands in a Group for an integer: numbers in the same order.
func integerRow(x int64) uint64 { return uint64(x) ^ signed }

// RowInteger returns the integer that integerRow was given.
func RowInteger(row uint64) int64 { return int64(row ^ signed) }

// close lets go of what was read. What values stand for is known afterwards.
func (c *groupColumn) close() error {
	if c.lists == nil {
		return nil
	}
	lists := c.lists
	c.lists = nil
	return lists.close()
}
