// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/internal/value"
)

// appendNumber appends a cell that is no text, as decimal digits, a day or a time.
func appendNumber(dst []byte, c Column, cell Cell) []byte {
	const day = value.SecondsOfADay
	switch {
	case c.Kind == Unsigned:
		return strconv.AppendUint(dst, uint64(cell.Integer), 10)
	case c.Kind == Float:
		return strconv.AppendFloat(dst, cell.Float, 'g', -1, 64)
	case c.Kind == Decimal:
		return append(dst, value.Point(strconv.FormatInt(cell.Integer, 10), c.Scale)...)
	case c.Kind == Date && cell.Integer >= value.FirstSecond/day && cell.Integer <= value.LastSecond/day:
		return time.Unix(cell.Integer*day, 0).UTC().AppendFormat(dst, time.DateOnly)
	case c.Kind == Time && cell.Integer >= value.FirstSecond && cell.Integer <= value.LastSecond:
		return time.Unix(cell.Integer, 0).UTC().AppendFormat(dst, time.RFC3339)
	}
	return strconv.AppendInt(dst, cell.Integer, 10)
}

// between stands between the texts of a list.
const between = "|"

// separated writes CSV or TSV. The texts of a list stand with | between them; no value
// is an empty cell.
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
			s.fields[i] = strings.Join(cell.Texts, between)
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
