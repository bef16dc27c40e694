// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/streaming"
)

// listing is records in an order, which are read while they are sent.
type listing struct {
	values
	sorting *uproar.Sorting
	table   []export.Column // behind that of the key, in the order of the fields
	ids     []uint64
	cells   []export.Cell // of the rows that are being written
}

// list returns the records that a request wants, one after the other.
func (req *findRequest) list(ctx context.Context, s uproar.Snapshot, of *uproar.Selection, columns []column,
	after *uproar.Place) (streaming.List, error) {
	sorting, err := of.Sort(ctx, req.by, after, req.Limit)
	if err != nil {
		return streaming.List{}, err
	}
	l := &listing{values: values{ctx: ctx, s: s, columns: columns}, sorting: sorting}
	header := []export.Column{{Name: "key"}}
	for _, c := range columns {
		l.table = append(l.table, streaming.ColumnOf(c.Field, c.Name, false))
	}
	return streaming.List{Columns: append(header, l.table...), Next: l.next, Late: len(req.by) > 0,
		End: func() { _ = sorting.Close() }}, nil
}

// next writes the next records.
func (l *listing) next(out *streaming.Out) (more bool, err error) {
	if l.ids, err = l.sorting.Next(l.ids[:0], streaming.AtOnce); err != nil {
		return false, err
	}
	if out.IsTable() {
		err = l.rows(out)
	} else {
		err = l.lines(out)
	}
	return len(l.ids) == streaming.AtOnce, err
}

// lines writes records as JSON.
func (l *listing) lines(out *streaming.Out) error {
	records, err := l.records(l.ids)
	for i := 0; i < len(records) && err == nil; i++ {
		err = out.Line(&records[i])
	}
	return err
}

// rows writes records as rows of a table.
func (l *listing) rows(out *streaming.Out) error {
	keys, err := l.s.KeysOf(l.ids)
	if err != nil {
		return err
	}
	width := 1 + len(l.columns)
	l.cells = append(l.cells[:0], make([]export.Cell, width*len(l.ids))...)
	cells := l.cells
	for i, key := range keys {
		cells[i*width].Text = key
	}
	for at := range l.columns {
		c := &l.columns[at]
		of, err := l.texts(c, l.ids)
		if err != nil {
			return err
		}
		for i := range of {
			if cells[i*width+1+at], err = streaming.CellOf(c.Field, l.table[at], of[i]...); err != nil {
				return err
			}
		}
	}
	for ; len(cells) > 0; cells = cells[width:] {
		if err := out.Row(cells[:width]...); err != nil {
			return err
		}
	}
	return nil
}
