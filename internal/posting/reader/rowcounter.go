// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// RowCounter counts, for each row of a field, its records within a set. It walks the field's value
// column, so the work grows with the values of the set's records and not with the number of rows.
// It reads a column larger than a quarter of the memory bound past the cache, into one buffer. Not
// for concurrent use.
type RowCounter struct {
	snap   Snapshot
	ctx    context.Context
	field  model.Field
	column uint32
	sums   []uint32
	held   int64 // memory counted against the bound of the database

	Refs         []format.Ref // pages that are not passed yet
	page         *format.Page // the page refs[0]; nil: not read yet
	Buffer       []byte
	Caches       bool   // the cache gets pages
	hits         uint64 // of the cache, not counted yet
	lows         []uint16
	edited       *editedColumn      // records that deltas say something of; nil: none
	passed       int                // of these
	scratch      *container.Scratch // of blocks that are changed; nil: none was
	sinceEmptied map[uint64]uint32  // row that a delta emptied → its records since
	visits       rowVisits          // records of pages whose rows are to be found together
	waiting      rowSpans           // rows of pages that are to be counted together
}

// RowCounter returns a counter of all rows of a field that HasColumn. The caller closes it. Errors:
// ErrInvalid, when the field has no column; ErrMemory, for 4 bytes a row; ErrClosed.
func (s Snapshot) RowCounter(ctx context.Context, field uint32) (*RowCounter, error) {
	switch {
	case s.Closed():
		return nil, model.ErrClosed
	case !s.HasColumn(field):
		return nil, fmt.Errorf("%w: got field %d, which has no value column, to count over", model.ErrInvalid, field)
	}
	c := &RowCounter{snap: s, ctx: ctx, field: s.St.Source.FieldOf(field), column: model.ValueField(field),
		Refs: s.St.Version.Fields[model.ValueField(field)].Refs}
	c.Caches = s.St.Source.caches(c.Refs)
	for _, d := range [...]*delta.Table{s.St.Active, s.St.Frozen} {
		if d != nil && d.Tombstones != nil && d.Tombstones.Emptied[field] != nil && c.sinceEmptied == nil {
			c.sinceEmptied = make(map[uint64]uint32)
		}
	}
	var err error
	if c.edited, err = s.editedColumn(ctx, field); err != nil {
		return nil, err
	}
	return c, c.reserve(s.RowBound(field))
}

// reserve makes room for rows below a number.
func (c *RowCounter) reserve(rows uint64) error {
	if rows <= uint64(len(c.sums)) {
		return nil
	}
	bytes := int64(min(rows, 1<<50)-uint64(len(c.sums))) * 4
	if err := c.snap.Take(bytes); err != nil {
		return err
	}
	c.held += bytes
	c.sums = append(c.sums, make([]uint32, rows-uint64(len(c.sums)))...)
	return nil
}

// Close gives the memory of the counter back.
func (c *RowCounter) Close() {
	c.snap.Give(c.held)
	c.snap.St.Source.hit(c.hits)
	c.hits, c.held, c.sums, c.Refs, c.page, c.Buffer = 0, 0, nil, nil, nil, nil
	c.visits, c.waiting = rowVisits{}, rowSpans{} // they know pages
}

// Add counts the rows of those records of a block that are from one to below another. Records come
// in ascending order, each once. Errors: ctx's, ErrMemory, ErrCorrupt, ErrClosed, or the store's.
func (c *RowCounter) Add(b container.Block, from, to uint64) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if c.snap.Closed() {
		return model.ErrClosed
	}
	if !b.Ascends() {
		return model.Corrupt("records whose rows are counted", "got records of chunk %d that do not ascend", b.Key)
	}
	base := b.Key << 16
	if m := c.snap.St.Masks; m.HasDead(b.Key) {
		dead := m.Dead.Cursor(nil)
		dead.Seek(b.Key)
		b = c.blockScratch().AndNot(b, dead.Block())
	}
	c.lows = b.AppendLow(c.lows[:0])
	lows := c.lows
	if base|0xFFFF >= to {
		lows = lows[:sort.Search(len(lows), func(i int) bool { return base|uint64(lows[i]) >= to })]
	}
	if base < from {
		lows = lows[sort.Search(len(lows), func(i int) bool { return base|uint64(lows[i]) >= from }):]
	}
	lows, err := c.countEdited(b.Key, lows)
	if err != nil {
		return err
	}
	if err := c.pages(base, lows); err != nil {
		return err
	}
	return c.findRows() // the lows are those of the next block soon
}

// countEdited counts the rows of a container's records that deltas edit. It returns the other
// records, in the memory of lows.
func (c *RowCounter) countEdited(key uint64, lows []uint16) (rest []uint16, err error) {
	at, end := c.edited.within(c.passed, key)
	if c.passed = at; at == end || len(lows) == 0 {
		return lows, nil
	}
	if err := c.reserve(c.edited.bound); err != nil {
		return nil, err
	}
	if end-at < bitsFrom*len(lows) {
		return c.countEditedBits(key, lows, at, end), nil
	}
	rest = lows[:0]
	for _, low := range lows {
		record := key<<16 | uint64(low)
		i, found := slices.BinarySearch(c.edited.records[at:end], record)
		if at += i; found {
			c.countRows(at, 1)
		} else {
			rest = append(rest, low)
		}
	}
	return rest, nil
}

// bitsFrom bounds the edited records per wanted record that are walked one by one. From there on,
// each wanted record is searched for among the edited ones.
const bitsFrom = 8

// countEditedBits is countEdited with a bitset of the wanted records. No branch asks whether an
// edited record is wanted, because it would be mispredicted: the record's bit is added to the
// count.
func (c *RowCounter) countEditedBits(key uint64, lows []uint16, at, end int) (rest []uint16) {
	s := c.blockScratch()
	words := s.Spread(container.OfLows(key, lows, s))
	bits, met := words.Words(), 0
	for ; at < end; at++ {
		low := uint16(c.edited.records[at])
		wanted := bits[low>>3] >> (low & 7) & 1
		bits[low>>3] &^= 1 << (low & 7)
		met += int(wanted)
		c.countRows(at, uint32(wanted))
	}
	if met == 0 {
		return lows
	}
	return container.BitsetBlock(key, bits, len(lows)-met).AppendLow(lows[:0])
}

// countRows adds n to each row of an edited record.
func (c *RowCounter) countRows(at int, n uint32) {
	for _, row := range c.edited.of(at) {
		if c.sinceEmptied == nil || !c.snap.St.emptiedRow(c.field.ID, row) {
			c.sums[row] += n
		} else {
			c.sinceEmptied[row] += n
		}
	}
}

// blockScratch returns the scratch memory of blocks that are changed.
func (c *RowCounter) blockScratch() *container.Scratch {
	if c.scratch == nil {
		c.scratch = new(container.Scratch)
	}
	return c.scratch
}

// Counts ends the counting: it returns the number of records of each row, which belong to the
// counter until Close, and may end with zeros. Nothing may be added afterwards. Errors as of Add.
func (c *RowCounter) Counts() ([]uint32, error) {
	if err := c.countWaiting(); err != nil {
		return nil, err
	}
	for _, d := range [...]*delta.Table{c.snap.St.Active, c.snap.St.Frozen} {
		if d == nil || d.Tombstones == nil || d.Tombstones.Emptied[c.field.ID] == nil {
			continue
		}
		for row := range d.Tombstones.Emptied[c.field.ID].All() {
			if row < uint64(len(c.sums)) {
				c.sums[row] = 0
			}
		}
	}
	for row, n := range c.sinceEmptied {
		if err := c.reserve(row + 1); err != nil {
			return nil, err
		}
		c.sums[row] = n
	}
	return c.sums, nil
}
