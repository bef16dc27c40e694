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

// HasColumn reports whether the rows of each record of a field are kept together, so that a
// RowCounter can count them: set fields with a column, and single-valued ones.
func (s Snapshot) HasColumn(field uint32) bool {
	f := s.St.Source.FieldOf(field)
	return f.Kind == model.Rows || f.Column != model.NoColumn
}

// RowBound returns a number above every row of a field whose rows have keys.
func (s Snapshot) RowBound(field uint32) uint64 {
	bound := s.St.Version.Next[model.KeySpace(field)]
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d != nil && d.Spaces[model.KeySpace(field)] != nil {
			bound = max(bound, d.Spaces[model.KeySpace(field)].Next())
		}
	}
	return bound
}

// KindOf returns how the values of a field are kept.
func (s Snapshot) KindOf(field uint32) model.Kind { return s.St.Source.FieldOf(field).Kind }

// RowLimit returns a number above every row that a database writes to a field with rows.
func (s Snapshot) RowLimit(field uint32) uint64 {
	if s.St.Source.FieldOf(field).Inverse != 0 {
		field = model.Exists // whose keys are those of the records
	}
	return s.RowBound(field)
}

// IntegerBits returns how many bits the absolute value of an integer of the field has at most.
// Cost: none to speak of.
func (s Snapshot) IntegerBits(field uint32) int {
	next := uint64(0) // the row behind the last one that has records
	if refs := s.St.Version.Fields[field].Refs; len(refs) > 0 {
		next = refs[len(refs)-1].Last() + 1
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil {
			continue
		}
		edits := d.Of(field).Walk(next)
		for edits.Seek(next); ; edits.Seek(next) {
			row, more := edits.Row()
			if !more {
				break
			}
			next = row + 1
		}
	}
	return int(max(next, model.IntegerBits) - model.IntegerBits)
}

// FewRows returns a number above every row of a field, if there is one of at most so many; ok is
// false if there is none, and for relations. Cost: none to speak of.
func (s Snapshot) FewRows(field uint32, most uint64) (rows int, ok bool) {
	bound := s.RowBound(field)
	if refs := s.St.Version.Fields[field].Refs; len(refs) > 0 {
		bound = max(bound, refs[len(refs)-1].Last()+1)
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil {
			continue
		}
		edits := d.Of(field).Walk(bound)
		edits.Seek(bound)
		if _, more := edits.Row(); more { // without a key, as no database has them
			return 0, false
		}
	}
	return int(min(bound, most)), bound <= most && s.St.Source.Opposite(field) == 0
}

// Sizes says what the pages of a field amount to, as of the last flush: what a planner weighs.
type Sizes struct {
	ListBytes  uint64 // of posting lists
	ListValues uint64 // in them
	Column     bool   // there is a forward column; what follows is of it
	Single     bool   // one value for each record
	Coded      bool   // rows are coded, which takes longer
	Values     uint64 // rows of all records
	Pages      int
}

// Sizes returns what the pages of a field amount to. Cost: a walk over its part of the manifest.
func (s Snapshot) Sizes(field uint32) Sizes {
	f := s.St.Source.FieldOf(field)
	z := Sizes{Column: s.HasColumn(field), Single: f.Kind == model.Rows, Coded: f.Column == model.SmallColumn}
	lists := s.St.Version.Fields[field].Refs
	for i := range lists {
		z.ListBytes, z.ListValues = z.ListBytes+uint64(lists[i].Bytes), z.ListValues+lists[i].Values
	}
	if z.Column {
		pages := s.St.Version.Fields[model.ValueField(field)].Refs
		z.Pages = len(pages)
		for i := range pages {
			z.Values += pages[i].Values
		}
	}
	return z
}

// IsSingle reports whether a field is single-valued: a record is in one of its rows at most.
func (s Snapshot) IsSingle(field uint32) bool { return s.St.Source.FieldOf(field).Kind == model.Rows }

// RowCounter counts, for each row of a field, its records within a set, by walking over the field's
// forward column: the work is in proportion to the values of the records of the set, not to the
// number of rows. A column larger than a quarter of the memory bound is read past the cache, into
// one buffer. Not for concurrent use.
type RowCounter struct {
	snap   Snapshot
	ctx    context.Context
	field  model.Field
	column uint32
	Sums   []uint32
	held   int64 // memory counted against the bound of the database

	Refs    []format.Ref // pages that are not passed yet
	page    *format.Page // the page refs[0]; nil: not read yet
	Buffer  []byte
	Keep    bool   // the cache gets pages
	hits    uint64 // of the cache, not counted yet
	lows    []uint16
	edited  *editedColumn      // records that deltas say something of; nil: none
	passed  int                // of these
	scratch *container.Scratch // of blocks that are changed; nil: none was
	late    map[uint64]uint32  // row that a delta emptied → its records since
	visits  rowVisits          // records of pages whose rows are to be found together
	Waiting rowSpans           // rows of pages that are to be counted together
}

// RowCounter returns a counter of all rows of a field that HasColumn. The caller closes it. Errors:
// ErrInvalid, when the field has no column; ErrMemory, for 4 bytes a row; ErrClosed.
func (s Snapshot) RowCounter(ctx context.Context, field uint32) (*RowCounter, error) {
	switch {
	case s.Closed():
		return nil, model.ErrClosed
	case !s.HasColumn(field):
		return nil, fmt.Errorf("%w: got field %d, which has no forward column, to count over", model.ErrInvalid, field)
	}
	c := &RowCounter{snap: s, ctx: ctx, field: s.St.Source.FieldOf(field), column: model.ValueField(field),
		Refs: s.St.Version.Fields[model.ValueField(field)].Refs}
	c.Keep = s.St.Source.keeps(c.Refs)
	for _, d := range [...]*delta.Table{s.St.Active, s.St.Frozen} {
		if d != nil && d.Removals != nil && d.Removals.Emptied[field] != nil && c.late == nil {
			c.late = make(map[uint64]uint32)
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
	if rows <= uint64(len(c.Sums)) {
		return nil
	}
	bytes := int64(min(rows, 1<<50)-uint64(len(c.Sums))) * 4
	if err := c.snap.Take(bytes); err != nil {
		return err
	}
	c.held += bytes
	c.Sums = append(c.Sums, make([]uint32, rows-uint64(len(c.Sums)))...)
	return nil
}

// Close gives the memory of the counter back.
func (c *RowCounter) Close() {
	c.snap.Give(c.held)
	c.snap.St.Source.hit(c.hits)
	c.hits, c.held, c.Sums, c.Refs, c.page, c.Buffer = 0, 0, nil, nil, nil, nil
	c.visits, c.Waiting = rowVisits{}, rowSpans{} // they know pages
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
		b = c.room().AndNot(b, dead.Block())
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
	return c.FindRows() // the lows are those of the next block soon
}

// countEdited counts the rows of those records of a container that deltas say something of, and
// returns the others, in the memory of all.
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

// bitsFrom is how many edited records for each that is wanted are looked at one after the other,
// and not searched for those that are wanted.
const bitsFrom = 8

// countEditedBits is countEdited with a bitset of the records that are wanted. Whether an edited
// one is among them cannot be foretold, so it is not asked: its bit is added.
func (c *RowCounter) countEditedBits(key uint64, lows []uint16, at, end int) (rest []uint16) {
	s := c.room()
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
		if c.late == nil || !c.snap.emptiedRow(c.field.ID, row) {
			c.Sums[row] += n
		} else {
			c.late[row] += n
		}
	}
}

// room returns memory for blocks.
func (c *RowCounter) room() *container.Scratch {
	if c.scratch == nil {
		c.scratch = new(container.Scratch)
	}
	return c.scratch
}

// emptiedRow reports whether a delta has emptied a row.
func (s Snapshot) emptiedRow(field uint32, row uint64) bool {
	return s.St.Active.Removals.IsEmptied(field, row) || s.St.Frozen != nil &&
		s.St.Frozen.Removals.IsEmptied(field, row)
}

// pages counts what pages say of records.
func (c *RowCounter) pages(base uint64, lows []uint16) error {
	for len(lows) > 0 {
		record := base | uint64(lows[0])
		c.pass(record)
		if len(c.Refs) == 0 {
			return nil
		}
		r := &c.Refs[0]
		if r.First > record {
			lows = lows[sort.Search(len(lows), func(i int) bool { return base|uint64(lows[i]) >= r.First }):]
			continue
		}
		n := gallopTo(lows, r.Last()-base)
		if err := c.onPage(record, r, lows[:n]); err != nil {
			return err
		}
		if lows = lows[n:]; r.Piece > 0 {
			if err := c.pieces(r.First); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass goes to the first page that reaches to a record.
func (c *RowCounter) pass(record uint64) {
	n := 0
	if len(c.Refs) > 0 && c.Refs[0].Last() < record {
		if n = 1; len(c.Refs) > 1 && c.Refs[1].Last() < record {
			n = sort.Search(len(c.Refs), func(i int) bool { return c.Refs[i].Last() >= record })
		}
	}
	c.skip(n)
}

// skip goes over pages.
func (c *RowCounter) skip(n int) {
	if n > 0 {
		c.Refs, c.page = c.Refs[n:], nil
	}
}

// read reads the page that the counter has come to.
func (c *RowCounter) read() error {
	if c.page != nil {
		return nil
	}
	r, ix := &c.Refs[0], c.snap.St.Source
	if c.Keep {
		p, err := c.snap.pageOf(r, &c.hits)
		c.page = p
		return err
	}
	if p, ok := ix.Cache.Get(ix.ID, r.Generation); ok {
		c.page = p
		return nil
	}
	if err := c.FindRows(); err != nil { // in the buffer
		return err
	}
	if err := c.CountWaiting(); err != nil { // in the buffer
		return err
	}
	p, err := ix.readInto(r, c.Buffer)
	if err != nil {
		return err
	}
	c.page, c.Buffer = p, p.Data
	return nil
}

// pieces counts the rest of a record that is in several pages, of which the first is counted.
func (c *RowCounter) pieces(record uint64) error {
	for c.skip(1); len(c.Refs) > 0 && c.Refs[0].First == record; c.skip(1) {
		if err := c.onPage(record, &c.Refs[0], []uint16{0}); err != nil {
			return err
		}
	}
	return nil
}

// onPage counts what the current page says of records, of which the first is given.
func (c *RowCounter) onPage(record uint64, r *format.Ref, lows []uint16) error {
	offset := int(record-r.First) - int(lows[0])
	if c.Keep && c.field.Kind != model.Rows {
		return c.Visit(r, nil, lows, offset)
	}
	if err := c.read(); err != nil {
		return err
	}
	if c.field.Kind == model.Rows {
		t := Tally{Page: c.page, Counts: c.Sums, Offset: offset}
		return t.finish(c, r, t.Words(lows))
	}
	return c.Visit(r, c.page, lows, offset)
}

// Counts ends the counting: it returns the number of records of each row, which belong to the
// counter until Close, and may end with zeros. Nothing may be added afterwards. Errors as of Add.
func (c *RowCounter) Counts() ([]uint32, error) {
	if err := c.CountWaiting(); err != nil {
		return nil, err
	}
	for _, d := range [...]*delta.Table{c.snap.St.Active, c.snap.St.Frozen} {
		if d == nil || d.Removals == nil || d.Removals.Emptied[c.field.ID] == nil {
			continue
		}
		for row := range d.Removals.Emptied[c.field.ID].All() {
			if row < uint64(len(c.Sums)) {
				c.Sums[row] = 0
			}
		}
	}
	for row, n := range c.late {
		if err := c.reserve(row + 1); err != nil {
			return nil, err
		}
		c.Sums[row] = n
	}
	return c.Sums, nil
}
