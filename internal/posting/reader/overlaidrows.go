// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// editedColumn returns what the deltas say of a field with a value column; nil if that is
// nothing.
//
// Cost: once for a state a look at each edited record; after that none. Errors: ctx's, or as of
// List.
func (s Snapshot) editedColumn(ctx context.Context, field uint32) (*editedColumn, error) {
	if e, ok := s.St.Merged.column(field); ok {
		return e, nil
	}
	f := s.St.Source.FieldOf(field)
	var records []uint64
	for _, d := range [...]*delta.Table{s.St.Active, s.St.Frozen} {
		if d != nil {
			records = d.AppendEditedRecords(records, f)
		}
	}
	if len(records) == 0 {
		return nil, nil
	}
	slices.Sort(records)
	records = slices.Compact(records)
	e := &editedColumn{records: records, ends: make([]uint32, 0, len(records)), rows: make([]uint64, 0, len(records))}
	var rows []uint64
	for i, record := range records {
		if i%KeysPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var err error
		if rows, err = s.overlaidRows(rows[:0], f, record); err != nil {
			return nil, err
		}
		for _, row := range rows {
			e.rows, e.bound = append(e.rows, row), max(e.bound, row+1)
		}
		e.ends = append(e.ends, uint32(len(e.rows)))
	}
	s.St.Merged.putColumn(s.St.Source.Memory, field, e)
	return e, nil
}

// AppendRows appends the rows of a record in a field that HasColumn, ascending. Cost: one page, and
// what deltas say of the record. Errors: as of List.
func (s Snapshot) AppendRows(dst []uint64, field uint32, record uint64) ([]uint64, error) {
	if s.Closed() {
		return dst, model.ErrClosed
	}
	if record > model.MaxID || !s.HasColumn(field) {
		return dst, nil
	}
	rows, err := s.overlaidRows(dst[len(dst):], s.St.Source.FieldOf(field), record)
	return append(dst, rows...), err // which lie there, if they have room
}

// overlaidRows appends the rows of a record, merged from pages and deltas. It takes over the slice,
// which must be empty.
func (s Snapshot) overlaidRows(rows []uint64, f model.Field, record uint64) ([]uint64, error) {
	if s.St.Masks.IsDead(record) {
		return rows, nil
	}
	if f.Kind == model.Rows {
		w, err := s.word(f.ID, record)
		if err == nil && w != 0 {
			rows = append(rows, w-1)
		}
		return rows, err
	}
	rows, err := rowsOnPages(s, rows, f, record)
	if err != nil {
		return rows, err
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil {
			continue
		}
		if d.Tombstones != nil && d.Tombstones.Emptied[f.ID] != nil {
			rows = slices.DeleteFunc(rows, func(row uint64) bool { return d.Tombstones.IsEmptied(f.ID, row) })
		}
		if edits := d.AppendEdits(nil, model.ValueField(f.ID), record); len(edits) > 0 {
			rows = AppendEdited(make([]uint64, 0, len(rows)+len(edits)), rows, edits)
		}
	}
	return rows, nil
}

// rowsOnPages appends the rows of a record that the pages of a column have.
func rowsOnPages(s Snapshot, dst []uint64, f model.Field, record uint64) ([]uint64, error) {
	refs := s.St.Version.Pages(model.ValueField(f.ID), record)
	for i := range refs {
		p, err := s.page(&refs[i])
		if err != nil {
			return dst, err
		}
		var ok bool
		if dst, ok = p.AppendRows(dst, record-refs[i].First); !ok {
			return dst, model.Corrupt(refs[i].String(), "record %d: got rows that do not ascend or have no end", record)
		}
	}
	return dst, nil
}

// AppendEdited appends ascending rows as edits of one record, ascending by row, change them.
func AppendEdited(dst, rows []uint64, edits []model.Edit) []uint64 {
	for _, e := range edits {
		n, had := slices.BinarySearch(rows, e.Record)
		dst = append(dst, rows[:n]...)
		if rows = rows[n:]; had {
			rows = rows[1:]
		}
		if e.Set {
			dst = append(dst, e.Record)
		}
	}
	return append(dst, rows...)
}
