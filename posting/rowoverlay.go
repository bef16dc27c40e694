// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"
)

// overlay counts what the deltas say of the records of a container, of which pages say is counted.
func (c *RowCounter) overlay(key uint64, lows []uint16) error {
	st := c.snap.st
	c.edited = c.edited[:0]
	for _, d := range [...]*delta{st.active, st.frozen} {
		if d != nil {
			c.edited = c.recordsOf(d, c.edited, key<<16, key<<16|0xFFFF)
		}
	}
	if len(c.edited) == 0 {
		return nil
	}
	if err := c.countWaiting(); err != nil { // what is taken back must have been counted
		return err
	}
	slices.Sort(c.edited)
	for _, record := range slices.Compact(c.edited) {
		if _, in := slices.BinarySearch(lows, uint16(record)); !in {
			continue
		}
		if err := c.record(record); err != nil {
			return err
		}
	}
	return nil
}

// recordsOf appends the records from one to another that a delta says something of.
func (c *RowCounter) recordsOf(d *delta, dst []uint64, from, to uint64) []uint64 {
	if c.field.Kind == Rows {
		d.forward.Ascend(forward{field: c.field.ID, record: from}, func(f forward) bool {
			if f.field != c.field.ID || f.record > to {
				return false
			}
			dst = append(dst, f.record)
			return true
		})
		return dst
	}
	return d.appendEditedRows(dst, c.column, from, to)
}

// record takes back what pages say of a record that deltas have edits of, and counts what it has.
func (c *RowCounter) record(record uint64) error {
	had, err := c.snap.rowsOnPages(c.had[:0], c.field, record)
	if err != nil {
		return err
	}
	for _, row := range had {
		if row < uint64(len(c.counts)) {
			c.counts[row]--
		}
	}
	if c.had, err = c.snap.overlaidRows(had, c.field, record); err != nil {
		return err
	}
	for _, row := range c.had {
		if c.late != nil && c.snap.emptiedRow(c.field.ID, row) {
			c.late[row]++
			continue
		}
		if err := c.reserve(row + 1); err != nil {
			return err
		}
		c.counts[row]++
	}
	return nil
}

// emptiedRow reports whether a delta has emptied a row.
func (s Snapshot) emptiedRow(field uint32, row uint64) bool {
	return s.st.active.removals.isEmptied(field, row) || s.st.frozen != nil && s.st.frozen.removals.isEmptied(field, row)
}

// AppendRows appends the rows of a record in a field that HasColumn, ascending. Cost: one page, and what deltas say of the record. Errors: as of List.
func (s Snapshot) AppendRows(dst []uint64, field uint32, record uint64) ([]uint64, error) {
	if s.Closed() {
		return dst, ErrClosed
	}
	if record > MaxID || s.st.masks.isDead(record) || !s.HasColumn(field) {
		return dst, nil
	}
	f := s.ix.fieldOf(field)
	rows, err := s.rowsOnPages(nil, f, record)
	if err == nil {
		rows, err = s.overlaidRows(rows, f, record)
	}
	return append(dst, rows...), err
}

// rowsOnPages appends the rows of a record that pages have.
func (s Snapshot) rowsOnPages(dst []uint64, f Field, record uint64) ([]uint64, error) {
	if f.Kind == Rows {
		misses := s.ix.misses.Load()
		w, err := s.ix.wordOnPage(s.st.version.manifest, f.ID, record)
		if err != nil {
			return dst, err
		}
		if w != 0 {
			dst = append(dst, w-1)
		}
		return dst, s.patient(misses)
	}
	refs := s.st.version.pages(ForwardField(f.ID), record)
	for i := range refs {
		p, err := s.page(&refs[i])
		if err != nil {
			return dst, err
		}
		var ok bool
		if dst, ok = p.appendRows(dst, record-refs[i].first); !ok {
			return dst, corrupt(refs[i].String(), "record %d: got rows that do not ascend or have no end", record)
		}
	}
	return dst, nil
}

// overlaidRows returns the rows of a living record: those that pages have, as the deltas change them. It takes the slice over.
func (s Snapshot) overlaidRows(rows []uint64, f Field, record uint64) ([]uint64, error) {
	if f.Kind == Rows {
		w, err := s.word(f.ID, record)
		if rows = rows[:0]; err == nil && w != 0 {
			rows = append(rows, w-1)
		}
		return rows, err
	}
	for _, d := range [...]*delta{s.st.frozen, s.st.active} {
		if d == nil {
			continue
		}
		if d.removals != nil && d.removals.emptied[f.ID] != nil {
			rows = slices.DeleteFunc(rows, func(row uint64) bool { return d.removals.isEmptied(f.ID, row) })
		}
		if edits := d.appendEdits(nil, ForwardField(f.ID), record); len(edits) > 0 {
			rows = appendEdited(make([]uint64, 0, len(rows)+len(edits)), rows, edits)
		}
	}
	return rows, nil
}

// appendEditedRows appends the rows of a field, from one to another, that the delta may have edits of, in any order.
func (d *delta) appendEditedRows(dst []uint64, field uint32, from, to uint64) []uint64 {
	for _, t := range d.of(field).all {
		for i, m := range t.from(from) {
			row := m.row >> 1
			if row > to {
				break
			}
			if i == 0 || dst[len(dst)-1] != row {
				dst = append(dst, row)
			}
		}
	}
	return dst
}
