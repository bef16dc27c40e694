// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"math"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// freshPairs is after how many pairs a merge into a field without pages looks at its context, and
// tells its progress.
const freshPairs = 1 << 16

// freshField is mergeField for a field that has no pages, and records none of which was deleted:
// what the runs have is what the pages get, without edits between them.
func (l *Loader) freshField(ctx context.Context, w *mergeDriver, field uint32, runs *pairRuns) error {
	m := l.ix.merger(ctx, w.base)
	lists := &rowWriter{out: m.out, field: field}
	column := &columnWriter{out: m.out, field: field}
	if reader.IsColumn(field) {
		column.room.layout = m.layout(field - 3)
	}
	var rows []uint64
	waiting := 0
	err := runs.merge(func(row uint32, records []uint32) error {
		if waiting += len(records); waiting >= freshPairs {
			if err := ctx.Err(); err != nil {
				return err
			}
			w.tell(waiting)
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
	w.tell(waiting)
	return w.finish(m, err)
}

// fresh adds a list of records, ascending, to the pages of a field that has none.
func (m *merger) fresh(w *rowWriter, row uint64, records []uint32) error {
	m.builder.Reset()
	for _, x := range records {
		m.builder.Append(uint64(x))
	}
	if len(records) <= fewValues {
		return w.add(row, m.builder.Body(nil), m.builder.Len())
	}
	body, n := m.builder.BodyIn(nil, m.shared(w.field)), m.builder.Len()
	if len(body) <= format.Target {
		return w.add(row, body, n)
	}
	v, err := bitmap.OpenBody(body)
	if err != nil {
		return model.Corrupt("list", "field %d, row %d: %v", w.field, row, err)
	}
	if err := w.finish(); err != nil {
		return err
	}
	m.list.Reset(v, nil)
	return m.split(w.field, row, 0, math.MaxUint64)
}
