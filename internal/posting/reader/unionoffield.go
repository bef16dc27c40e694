// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Any reads into l the records that have any value in a field. For a relation, these are the
// records whose row is not empty.
//
// Cost: one list for an integer field, else a pass over the field's pages. It reads the words of a
// value column, the lengths of a relation's rows, or the lists of other fields, and joins these.
// Errors: ctx's, or as of List.
func (s Snapshot) Any(ctx context.Context, field uint32, l *overlay.List) error {
	f := s.St.Source.FieldOf(field)
	if f.Kind == model.Integers {
		return s.List(field, model.IntegerAny, l)
	}
	if s.Closed() {
		return model.ErrClosed
	}
	a := fieldUnion{snap: s, ctx: ctx, field: f, records: new(mutable.Bitmap)}
	var err error
	switch {
	case f.Kind == model.Rows:
		err = a.words()
	case f.Inverse != 0:
		err = a.rows()
	default:
		err = a.union()
	}
	if err != nil {
		return err
	}
	l.Reset(a.records.View(), l.Edits[:0])
	l.Held = int64(len(a.records.Bytes()))
	return nil
}

// fieldUnion gathers the records that have a value in a field.
type fieldUnion struct {
	snap    Snapshot
	ctx     context.Context
	field   model.Field
	records *mutable.Bitmap
	list    overlay.List
}

// pages calls fn with each page of a field.
func (a *fieldUnion) pages(field uint32, fn func(*format.Ref, *format.Page) error) error {
	refs := a.snap.St.Version.Fields[field].Refs
	for i := range refs {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		p, err := a.snap.page(&refs[i])
		if err != nil {
			return err
		}
		if err := fn(&refs[i], p); err != nil {
			return err
		}
	}
	return nil
}

// deltas returns the deltas of the snapshot, the older one first.
func (a *fieldUnion) deltas() []*delta.Table {
	if a.snap.St.Frozen == nil {
		return []*delta.Table{a.snap.St.Active}
	}
	return []*delta.Table{a.snap.St.Frozen, a.snap.St.Active}
}

// words reads the value column: what pages say, then what each delta says.
func (a *fieldUnion) words() error {
	id := a.field.ID
	deltas := a.deltas()
	emptied := func(word uint64, newer []*delta.Table) bool {
		for _, d := range newer {
			if d.Tombstones.IsEmptied(id, word-1) {
				return true
			}
		}
		return false
	}
	var b pack.Builder
	err := a.pages(model.ValueField(id), func(r *format.Ref, p *format.Page) error {
		for i := range uint64(p.Count) {
			if w := p.Word(i); w != 0 && !emptied(w, deltas) {
				b.Append(r.First + i)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.records = mutable.NewBitmap(&b, pack.Fastest)
	for i, d := range deltas {
		d.Values.Ascend(model.ValueEdit{Field: id}, func(f model.ValueEdit) bool {
			if f.Field != id {
				return false
			}
			if f.Word != 0 && !emptied(f.Word, deltas[i+1:]) {
				a.records.Add(f.Record)
			} else {
				a.records.Remove(f.Record)
			}
			return true
		})
	}
	roaring.AndNotWith(a.records, a.snap.St.Masks.Of(id))
	return nil
}

// touched returns the rows that the deltas edit or empty.
func (a *fieldUnion) touched() map[uint64]bool {
	id, rows := a.field.ID, make(map[uint64]bool)
	for _, d := range a.deltas() {
		last, begun := uint64(0), false
		for _, t := range d.Of(id).All {
			for _, m := range t.Entries {
				if row := m.Row >> 1; !begun || row != last {
					last, begun = row, true
					rows[row] = true
				}
			}
		}
		if d.Tombstones == nil {
			continue
		}
		if emptied := d.Tombstones.Emptied[id]; emptied != nil {
			for row := range emptied.All() {
				rows[row] = true
			}
		}
	}
	return rows
}

// rows finds the rows of a relation that are not empty.
func (a *fieldUnion) rows() error {
	touched, masks := a.touched(), a.snap.St.Masks
	mask := masks.Of(a.field.ID)
	var b pack.Builder
	err := a.pages(a.field.ID, func(r *format.Ref, p *format.Page) error {
		return p.All(func(offset uint64, body []byte) error {
			row := r.First + offset
			if touched[row] || masks.IsDead(row) {
				return nil
			}
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", row, err)
			}
			if n := v.Len(); n > 0 && (mask.IsEmpty() || pair.AndLen(v, mask) < n) {
				b.Append(row)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	a.records = mutable.NewBitmap(&b, pack.Fastest)
	for row := range touched {
		if err := a.snap.List(a.field.ID, row, &a.list); err != nil {
			return err
		}
		if a.list.Len() > 0 {
			a.records.Add(row)
		}
	}
	return nil
}

// union makes the union of all lists, page by page.
func (a *fieldUnion) union() error {
	touched := a.touched()
	var views []view.View
	err := a.pages(a.field.ID, func(r *format.Ref, p *format.Page) error {
		views = views[:0]
		err := p.All(func(offset uint64, body []byte) error {
			row := r.First + offset
			if touched[row] {
				return nil
			}
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", row, err)
			}
			views = append(views, v)
			return nil
		})
		roaring.OrWith(a.records, roaring.OrAll(views...).View())
		return err
	})
	if err != nil {
		return err
	}
	roaring.AndNotWith(a.records, a.snap.St.Masks.Of(a.field.ID))
	var cursor overlay.Cursor
	for row := range touched {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		if err := a.snap.List(a.field.ID, row, &a.list); err != nil {
			return err
		}
		records, err := asBitmap(&a.list, a.ctx, &cursor)
		if err != nil {
			return err
		}
		roaring.OrWith(a.records, records.View())
	}
	return nil
}
