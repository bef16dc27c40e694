// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

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
	if c.Caches {
		p, err := c.snap.pageOf(r, &c.hits)
		c.page = p
		return err
	}
	if p, ok := ix.Cache.Get(ix.ID, r.Generation); ok {
		c.page = p
		return nil
	}
	if err := c.findRows(); err != nil { // in the buffer
		return err
	}
	if err := c.countWaiting(); err != nil { // in the buffer
		return err
	}
	p, err := ix.readInto(r, c.Buffer)
	if err != nil {
		return err
	}
	c.page, c.Buffer = p, p.Data
	return nil
}

// pieces counts the rest of a record that spans several pages. The first page is counted already.
func (c *RowCounter) pieces(record uint64) error {
	for c.skip(1); len(c.Refs) > 0 && c.Refs[0].First == record; c.skip(1) {
		if err := c.onPage(record, &c.Refs[0], []uint16{0}); err != nil {
			return err
		}
	}
	return nil
}

// onPage counts the rows of records on the current page. record is the first of them.
func (c *RowCounter) onPage(record uint64, r *format.Ref, lows []uint16) error {
	offset := int(record-r.First) - int(lows[0])
	if c.Caches && c.field.Kind != model.Rows {
		return c.visit(r, nil, lows, offset)
	}
	if err := c.read(); err != nil {
		return err
	}
	if c.field.Kind == model.Rows {
		t := format.Tally{Page: c.page, Counts: c.sums, Offset: offset}
		return c.finish(&t, r, t.Words(lows))
	}
	return c.visit(r, c.page, lows, offset)
}

// tally counts records of a page with any number of rows for each. Narrow rows wait to be counted
// with others. That rows of neighbours stand together is not made use of: a processor cannot guess
// who has one, and to guess wrongly costs more than another span.
func (c *RowCounter) countPage(t *format.Tally, lows []uint16) (ok bool, err error) {
	switch w := t.RowWidth(); {
	case w == 0:
		return t.Coded(lows), nil
	case w <= 4:
		return true, c.add(t.Page, t.Offset, lows)
	}
	t.Wide(lows)
	return true, nil
}

// finish counts the rows that a tally has no counter for.
func (c *RowCounter) finish(t *format.Tally, r *format.Ref, ok bool) error {
	if !ok {
		return model.Corrupt(r.String(), "got rows that do not ascend or have no end")
	}
	for _, row := range t.Beyond {
		if row > model.MaxID {
			return model.Corrupt(r.String(), "got row %d, want at most %d", row, uint64(model.MaxID))
		}
		if err := c.reserve(row + 1); err != nil {
			return err
		}
		c.sums[row]++
	}
	return nil
}

// add gathers the rows of some records of a page. The rows must be up to four bytes wide.
func (c *RowCounter) add(p *format.Page, offset int, lows []uint16) error {
	w, width := &c.waiting, p.RowWidth()
	for len(lows) > 0 {
		if width != w.width || w.spans == mostSpans || w.bytes >= mostSpanBytes {
			if err := c.countWaiting(); err != nil {
				return err
			}
			w.width = width
		}
		n := min(len(lows), mostSpans-w.spans)
		w.gather(p, offset, lows[:n])
		lows = lows[n:]
	}
	return nil
}

// countWaiting counts the rows that wait.
func (c *RowCounter) countWaiting() error {
	for _, row := range c.waiting.count(c.sums) {
		if err := c.reserve(row + 1); err != nil {
			return err
		}
		c.sums[row]++
	}
	return nil
}

// visit adds records of a page to the waiting visits. findRows handles them at the latest.
func (c *RowCounter) visit(r *format.Ref, p *format.Page, lows []uint16, offset int) error {
	w := &c.visits
	if w.n == mostVisits {
		if err := c.findRows(); err != nil {
			return err
		}
	}
	v := &w.room[w.n]
	v.ref, v.page, v.lows, v.offset = r, p, lows, offset
	w.n++
	return nil
}

// findRows gathers the rows of the records of visits that wait, to be counted.
func (c *RowCounter) findRows() error {
	w := &c.visits
	visits := w.room[:w.n]
	w.n = 0
	for i := range visits {
		v := &visits[i]
		if v.page == nil {
			p, err := c.snap.pageOf(v.ref, &c.hits)
			if err != nil {
				return err
			}
			v.page = p
		}
	}
	if len(visits) > 1 {
		askForSlots(visits)
	}
	var t format.Tally
	for i := range visits {
		v := &visits[i]
		t.Page, t.Counts, t.Offset = v.page, c.sums, v.offset
		ok, err := c.countPage(&t, v.lows)
		if err != nil {
			return err
		}
		if !ok || len(t.Beyond) > 0 {
			if err := c.finish(&t, v.ref, ok); err != nil {
				return err
			}
			t.Beyond = t.Beyond[:0]
		}
	}
	return nil
}
