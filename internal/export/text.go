// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/value"
)

// appendNumber appends a cell that is no text, as decimal digits, a day or a time.
func appendNumber(dst []byte, c Column, cell Cell) []byte {
	const day = value.SecondsOfADay
	switch {
	case c.Kind == Decimal:
		return append(dst, value.Point(strconv.FormatInt(cell.Integer, 10), c.Scale)...)
	case c.Kind == Date && cell.Integer >= value.FirstSecond/day && cell.Integer <= value.LastSecond/day:
		return time.Unix(cell.Integer*day, 0).UTC().AppendFormat(dst, time.DateOnly)
	case c.Kind == Time && cell.Integer >= value.FirstSecond && cell.Integer <= value.LastSecond:
		return time.Unix(cell.Integer, 0).UTC().AppendFormat(dst, time.RFC3339)
	case c.Kind == Float:
		return strconv.AppendFloat(dst, cell.Float, 'g', -1, 64)
	}
	return strconv.AppendInt(dst, cell.Integer, 10)
}

// separated writes CSV or TSV. A list is written as JSON; no value is an empty cell.
type separated struct {
	out     *csv.Writer
	columns []Column
	fields  []string
	room    []byte
}

func newSeparated(w io.Writer, comma rune, columns []Column) (*separated, error) {
	s := &separated{out: csv.NewWriter(w), columns: columns, fields: make([]string, len(columns))}
	s.out.Comma = comma
	for i, c := range columns {
		s.fields[i] = c.Name
	}
	return s, s.out.Write(s.fields)
}

func (s *separated) Write(row []Cell) error {
	for i, c := range s.columns {
		switch cell := row[i]; {
		case cell.Null:
			s.fields[i] = ""
		case c.Kind == Text:
			s.fields[i] = cell.Text
		case c.Kind == Texts:
			s.fields[i] = string(appendList(s.room[:0], cell.Texts))
		default:
			s.fields[i] = string(appendNumber(s.room[:0], c, cell))
		}
	}
	return s.out.Write(s.fields)
}

func (s *separated) Close() error {
	s.out.Flush()
	return s.out.Error()
}

// appendList appends a JSON array of strings.
func appendList(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, text := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = api.AppendString(dst, text)
	}
	return append(dst, ']')
}

// objects writes a JSON object for each row.
type objects struct {
	out                io.Writer
	columns            []Column
	names              [][]byte // as JSON, with a colon
	before, after, end string   // of the first row, of each but the last, of the last
	begun              bool
	room               []byte
}

func newObjects(w io.Writer, columns []Column, before, after, end string) *objects {
	o := &objects{out: w, columns: columns, before: before, after: after, end: end}
	for _, c := range columns {
		o.names = append(o.names, append(api.AppendString(nil, c.Name), ':'))
	}
	return o
}

func (o *objects) Write(row []Cell) error {
	between := o.after
	if !o.begun {
		between, o.begun = o.before, true
	}
	b := append(append(o.room[:0], between...), '{')
	for i, c := range o.columns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, o.names[i]...)
		b = appendValue(b, c, row[i])
	}
	o.room = append(b, '}')
	_, err := o.out.Write(o.room)
	return err
}

// appendValue appends a cell as JSON. Numbers are exact: a decimal is written with its digits.
func appendValue(dst []byte, c Column, cell Cell) []byte {
	switch {
	case cell.Null, c.Kind == Float && (math.IsNaN(cell.Float) || math.IsInf(cell.Float, 0)):
		return append(dst, "null"...)
	case c.Kind == Text:
		return api.AppendString(dst, cell.Text)
	case c.Kind == Texts:
		return appendList(dst, cell.Texts)
	case c.Kind == Date, c.Kind == Time:
		return append(appendNumber(append(dst, '"'), c, cell), '"')
	}
	return appendNumber(dst, c, cell)
}

func (o *objects) Close() error {
	end := o.end
	switch {
	case !o.begun && o.before == "":
		return nil
	case !o.begun:
		end = "[]\n"
	}
	_, err := io.WriteString(o.out, end)
	return err
}
