// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming

import (
	"bytes"
	"encoding/json"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/call"
)

// AtOnce is how many entries of a list are read at a time.
const AtOnce = 1000

// Out takes the entries of a list, in the form of the answer.
type Out struct {
	text  bytes.Buffer  // what is not sent yet
	table export.Writer // nil: lines of JSON
	lines *json.Encoder
}

// IsTable reports whether entries are rows of cells. Otherwise they are lines of JSON.
func (o *Out) IsTable() bool { return o.table != nil }

// Row writes an entry as a row of a table.
func (o *Out) Row(cells ...export.Cell) error {
	if err := o.table.Write(cells); err != nil {
		return call.Invalid("%s", err)
	}
	return nil
}

// Append writes a line of JSON that is appended to what it is given.
func (o *Out) Append(line func(dst []byte) []byte) {
	o.text.Write(append(line(o.text.AvailableBuffer()), '\n'))
}

// Line writes an entry as a line of JSON.
func (o *Out) Line(entry any) error { return o.lines.Encode(entry) }

// Entry writes an entry as what the form asks for: a line of JSON or a row.
func (o *Out) Entry(entry any, cells ...export.Cell) error {
	if o.table != nil {
		return o.Row(cells...)
	}
	return o.Line(entry)
}

// ColumnOf returns the column of a field under a name. In each a record may have several values of
// a set or relation; where rows are groups of records it has one.
func ColumnOf(f uproar.Field, name string, one bool) export.Column {
	c := export.Column{Name: name, Scale: f.Scale}
	switch {
	case f.Type == uproar.Single || f.Type != uproar.Integer && one:
	case f.Type != uproar.Integer:
		c.Kind = export.Texts
	case f.Format == uproar.Date:
		c.Kind = export.Date
	case f.Format == uproar.Time:
		c.Kind = export.Time
	case f.Scale > 0:
		c.Kind = export.Decimal
	default:
		c.Kind = export.Integer
	}
	return c
}

// CellOf returns the cell of values of a field in its column; none: null.
func CellOf(f uproar.Field, c export.Column, values ...string) (cell export.Cell, err error) {
	switch {
	case len(values) == 0:
		cell.Null = true
	case c.Kind == export.Texts:
		cell.Texts = values
	case c.Kind == export.Text:
		cell.Text = values[0]
	default:
		cell.Integer, err = f.Parse(values[0])
	}
	return cell, err
}
