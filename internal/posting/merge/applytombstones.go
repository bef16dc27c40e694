// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// tombstoneMerge turns what a delta took away as a whole into edits of the lists on pages.
type tombstoneMerge struct {
	*Merger
	src      *reader.Source
	from     *delta.Tombstones
	edits    []model.Edit      // that follow from deletions
	assigned []model.ValueEdit // that follow from deletions
	most     int               // how many of both are gathered
	write    func([]model.Edit, []model.ValueEdit) error
}

// ApplyTombstones returns the edits and assignments of a delta with deletions, ascending. They
// include the ones that follow from deletions on the base's pages. It holds up to most of these. If
// there are more, it first passes them to write in ascending portions. What it returns counts over
// them. Cost: a deletion walks the pages of every field with neither an inverse nor a value column,
// once for all deletions of the delta.
func (m *Merger) ApplyTombstones(src *reader.Source, d *delta.Table, most int, write func([]model.Edit,
	[]model.ValueEdit) error) ([]model.Edit, []model.ValueEdit, error) {
	edits, assigned := make([]model.Edit, 0, d.Count()), d.Values.Items()
	for _, ts := range d.Edits {
		edits = ts.Walk(0).AppendTo(edits, ts.Field)
	}
	x := tombstoneMerge{Merger: m, src: src, from: d.Tombstones, most: most, write: write}
	edits, assigned = x.living(edits, assigned)
	for _, field := range SortedFields(src) {
		if rows := x.from.Emptied[field]; rows != nil {
			for row := range rows.All() {
				if err := x.row(src.FieldOf(field), row); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := x.deleted(src.FieldOf(field)); err != nil {
			return nil, nil, err
		}
	}
	for record := range x.from.Dead.All() {
		if err := x.cut(model.Edit{Field: model.Exists, Record: record}); err != nil {
			return nil, nil, err
		}
	}
	// What the delta says itself comes first, and counts.
	edits, assigned = ordered(append(edits, x.edits...), append(assigned, x.assigned...))
	return edits, assigned, nil
}

// ordered sorts edits and assignments and keeps the first of each record of a list, or of a field.
func ordered(edits []model.Edit, assigned []model.ValueEdit) ([]model.Edit, []model.ValueEdit) {
	slices.SortStableFunc(edits, model.CompareEdits)
	edits = slices.CompactFunc(edits, func(a, b model.Edit) bool { return model.CompareEdits(a, b) == 0 })
	slices.SortStableFunc(assigned, model.CompareValueEdits)
	assigned = slices.CompactFunc(assigned, func(a, b model.ValueEdit) bool {
		return model.CompareValueEdits(a, b) == 0
	})
	return edits, assigned
}

// cut adds edits that follow from a deletion, and writes those gathered when they are many.
func (x *tombstoneMerge) cut(edits ...model.Edit) error {
	x.edits = append(x.edits, edits...)
	if len(x.edits)+len(x.assigned) < x.most {
		return nil
	}
	err := x.write(ordered(x.edits, x.assigned))
	x.edits, x.assigned = x.edits[:0], x.assigned[:0]
	return err
}

// SortedFields returns the numbers of the declared fields, ascending.
func SortedFields(src *reader.Source) []uint32 { return slices.Sorted(maps.Keys(*src.Fields.Load())) }

// living drops what the delta says of records that it deleted.
func (x *tombstoneMerge) living(edits []model.Edit, assigned []model.ValueEdit) ([]model.Edit, []model.ValueEdit) {
	edits = slices.DeleteFunc(edits, func(e model.Edit) bool { return x.src.Concerns(e, x.from.IsDead) })
	return edits, slices.DeleteFunc(assigned, func(f model.ValueEdit) bool { return x.from.IsDead(f.Record) })
}

// row takes every record out of a list on pages.
func (x *tombstoneMerge) row(f model.Field, row uint64) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	refs := x.base.Pages(f.ID, row)
	for i := range refs {
		p, err := x.read(&refs[i])
		if err != nil {
			return err
		}
		v, err := view.OpenBody(p.Row(row - refs[i].First))
		if err != nil {
			return model.Corrupt(refs[i].String(), "row %d: %v", row, err)
		}
		for record := range v.All() {
			if f.Kind == model.Rows {
				x.assigned = append(x.assigned, model.ValueEdit{Field: f.ID, Record: record})
			}
			x.edits = appendEdgeGone(x.edits, x.src, f, row, record)
			if opposite := x.src.Opposite(f.ID); opposite != 0 {
				x.edits = append(x.edits, model.Edit{Field: opposite, Row: record, Record: row})
			}
			if err := x.cut(model.Edit{Field: f.ID, Row: row, Record: record}); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleted takes the dead out of the lists of a field: those of a relation through the inverse,
// which is a field of its own, those of a field with a value column through that.
func (x *tombstoneMerge) deleted(f model.Field) error {
	switch {
	case x.from.Dead.IsEmpty():
		return nil
	case f.Inverse != 0:
		for record := range x.from.Dead.All() {
			if err := x.row(f, record); err != nil {
				return err
			}
		}
		return nil
	case f.Column != model.NoColumn:
		return x.column(f.ID)
	case f.Kind == model.Lists:
		return x.scan(f.ID)
	}
	for record := range x.from.Dead.All() {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		w, err := x.src.WordOnPage(x.base, f.ID, record)
		if err != nil {
			return err
		}
		if w != 0 {
			gone := model.ValueEdit{Field: f.ID, Record: record}
			x.assigned = append(x.assigned, gone)
			if err := x.cut(model.AppendChange(nil, f.Kind, gone, w)...); err != nil {
				return err
			}
		}
	}
	return nil
}

// column takes the dead out of the lists that the column of a field says they are in.
func (x *tombstoneMerge) column(field uint32) error {
	var rows []uint64
	for record := range x.from.Dead.All() {
		err := x.ctx.Err()
		if err == nil {
			rows, err = x.columnRows(rows[:0], model.ValueField(field), record)
		}
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := x.cut(model.Edit{Field: field, Row: row, Record: record},
				model.Edit{Field: model.ValueField(field), Row: record, Record: row}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scan takes the dead out of every list of a field.
func (x *tombstoneMerge) scan(field uint32) error {
	refs := x.base.Fields[field].Refs
	dead := x.from.Dead.View()
	for i := range refs {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		r := &refs[i]
		p, err := x.read(r)
		if err != nil {
			return err
		}
		err = p.All(func(row uint64, body []byte) error {
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", r.First+row, err)
			}
			if !pair.Intersects(v, dead) {
				return nil
			}
			for record := range pair.And(v, dead).All() {
				if err := x.cut(model.Edit{Field: field, Row: r.First + row, Record: record}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
