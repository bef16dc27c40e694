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
	*values
	sorting *uproar.Sorting
	table   []export.Column // behind that of the key, in the order of the fields
	some    []uint64        // the records that come next
	cells   []export.Cell   // of the rows that are being written
	texts   []string        // of cells
}

// list returns the records that a request wants, one after the other.
func (req *findRequest) list(ctx context.Context, s uproar.Snapshot, of *uproar.Selection, columns []column,
	after *uproar.Place) (streaming.List, error) {
	v, err := newValues(ctx, s, columns)
	if err != nil {
		return streaming.List{}, err
	}
	sorting, err := of.Sort(ctx, req.by, after, req.Limit)
	if err != nil {
		return streaming.List{}, err
	}
	l := &listing{values: v, sorting: sorting}
	header := []export.Column{{Name: "key"}}
	for _, c := range columns {
		l.table = append(l.table, streaming.ColumnOf(c.Field, c.Name, false))
	}
	return streaming.List{Columns: append(header, l.table...), Next: l.next, Late: len(req.by) > 0,
		End: func() { _ = sorting.Close() }}, nil
}

// next writes the next records.
func (l *listing) next(out *streaming.Out) (more bool, err error) {
	if l.some, err = l.sorting.Next(l.some[:0], streaming.AtOnce); err != nil {
		return false, err
	}
	if out.IsTable() {
		err = l.rows(out)
	} else {
		err = l.lines(out)
	}
	return len(l.some) == streaming.AtOnce, err
}

// lines writes records as JSON.
func (l *listing) lines(out *streaming.Out) error {
	keys, err := l.records(l.some)
	for i := 0; i < len(keys) && err == nil; i++ {
		out.Append(func(dst []byte) []byte { return l.append(dst, keys[i], i) })
	}
	return err
}

// rows writes records as rows of a table.
func (l *listing) rows(out *streaming.Out) error {
	keys, err := l.s.KeysOf(l.some)
	if err != nil {
		return err
	}
	width := 1 + len(l.columns)
	l.cells, l.texts = append(l.cells[:0], make([]export.Cell, width*len(l.some))...), l.texts[:0]
	for i, key := range keys {
		row := l.cells[i*width : (i+1)*width]
		row[0].Text = key
		for k := range row[1:] {
			row[1+k].Null = true
		}
	}
	l.arrange(l.some)
	for at := range l.columns {
		if err := l.fill(at, width); err != nil {
			return err
		}
	}
	for cells := l.cells; len(cells) > 0; cells = cells[width:] {
		if err := out.Row(cells[:width]...); err != nil {
			return err
		}
	}
	return nil
}

// fill reads the values of the records in a field into the cells of its column.
func (l *listing) fill(at, width int) error {
	cell := func(i int) *export.Cell { return &l.cells[l.at[i]*width+1+at] }
	if l.columns[at].Type == uproar.Integer {
		return l.readers[at].Integers(l.ids, func(i int, x int64) error {
			*cell(i) = export.Cell{Integer: x}
			return l.grown(0)
		})
	}
	last, from := -1, 0
	return l.readers[at].Texts(l.ids, func(i int, text string) error {
		if !l.columns[at].many {
			*cell(i) = export.Cell{Text: text}
			return l.grown(len(text))
		}
		if i != last {
			last, from = i, len(l.texts)
		}
		l.texts = append(l.texts, text)
		*cell(i) = export.Cell{Texts: l.texts[from:len(l.texts):len(l.texts)]}
		return l.grown(len(text))
	})
}
