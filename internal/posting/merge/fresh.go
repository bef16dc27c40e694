// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"context"
	"math"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// freshPairs is how many pairs a merge into a field without pages handles between two reports. At
// each it also checks its context.
const freshPairs = 1 << 16

// WriteFresh writes the pages of a field that has none: what each says is what the pages get,
// without edits between them. each calls its function with rows and their records, all ascending.
func (w *Driver) WriteFresh(ctx context.Context, field uint32,
	each func(fn func(row uint32, records []uint32) error) error) error {
	m := w.Merger(ctx, w.Base)
	lists := &rowWriter{Out: m.Out, Field: field}
	column := &columnWriter{Out: m.Out, Field: field}
	if reader.IsColumn(field) {
		column.Room.Layout = m.layout(field - 3)
	}
	var rows []uint64
	waiting := 0
	err := each(func(row uint32, records []uint32) error {
		if waiting += len(records); waiting >= freshPairs {
			if err := ctx.Err(); err != nil {
				return err
			}
			w.Tell(waiting)
			waiting = 0
		}
		if !reader.IsColumn(field) {
			return m.fresh(lists, uint64(row), records)
		}
		rows = rows[:0]
		for _, x := range records {
			rows = append(rows, uint64(x))
		}
		return column.add(uint64(row), rows)
	})
	if err == nil && reader.IsColumn(field) {
		err = column.finish()
	} else if err == nil {
		err = lists.finish()
	}
	w.Tell(waiting)
	return w.Finish(m, err)
}

// fresh adds a list of records, ascending, to the pages of a field that has none.
func (m *Merger) fresh(w *rowWriter, row uint64, records []uint32) error {
	m.builder.Reset()
	for _, x := range records {
		m.builder.Append(uint64(x))
	}
	if len(records) <= fewValues {
		return w.add(row, m.builder.Body(nil), m.builder.Len())
	}
	body, n := m.builder.BodyIn(nil, m.shared(w.Field)), m.builder.Len()
	if len(body) <= format.Target {
		return w.add(row, body, n)
	}
	v, err := view.OpenBody(body)
	if err != nil {
		return model.Corrupt("list", "field %d, row %d: %v", w.Field, row, err)
	}
	if err := w.finish(); err != nil {
		return err
	}
	m.List.Reset(v, nil)
	return m.split(w.Field, row, 0, math.MaxUint64)
}
