// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package guess

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/internal/table"
)

// Bounds of a sample.
const (
	MaxRows  = 10_000
	maxBytes = 4 << 20 // of texts, and of what is read

	maxColumns = 10_000 // of all tables together
)

var errColumns = fmt.Errorf("got more than %d columns; give a schema with those that are wanted", maxColumns)

// Sample is the first rows of some tables. The zero value, or one with Null, is empty.
type Sample struct {
	Null []string // texts that stand for no value, beside the empty one

	// Unique: Schema or Fit has chosen the key itself, because it has another value in each row.
	Unique bool

	rows     int
	line     int64 // where the last of them begins
	bytes    int
	bad      error // about the first line that was passed over
	columns  []*column
	byName   map[string]*column
	repeated []string // names that a header has several times

	separated bool // a list is one text
}

// Rows returns how many rows the sample has.
func (s *Sample) Rows() int { return s.rows }

// Full reports whether no more rows are wanted.
func (s *Sample) Full() bool { return s.rows >= MaxRows || s.bytes >= maxBytes }

// Names returns the names of all columns, also of those that a schema leaves out.
func (s *Sample) Names() (names []string) {
	for _, c := range s.columns {
		names = append(names, c.name)
	}
	return names
}

// NameFormat returns the format that the name of a file says it has, without regard to how it is
// compressed; "" if it says none.
func NameFormat(name string) audience.Format {
	name = strings.ToLower(name)
	for _, compressed := range []string{".gz", ".zst", ".bz2"} {
		name = strings.TrimSuffix(name, compressed)
	}
	for suffix, format := range map[string]audience.Format{".csv": audience.CSV, ".tsv": audience.TSV,
		".tab": audience.TSV, ".ndjson": audience.NDJSON, ".jsonl": audience.NDJSON, ".json": audience.NDJSON,
		".parquet": audience.Parquet, ".pq": audience.Parquet} {
		if strings.HasSuffix(name, suffix) {
			return format
		}
	}
	return ""
}

// replay is a reader whose first bytes can be read again.
type replay struct {
	from io.Reader
	read bytes.Buffer
}

func newReplay(r io.Reader) *replay { return &replay{from: r} }

// Read implements io.Reader.
func (p *replay) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	p.read.Write(b[:n])
	return n, err
}

// again returns a reader of all, from the beginning.
func (p *replay) again() io.Reader { return io.MultiReader(&p.read, p.from) }

// TextFormat returns the format that a table looks like, NDJSON, CSV or Parquet, and a reader of
// all of it. Errors: those of r, and of text that cannot be decompressed.
func TextFormat(r io.Reader) (audience.Format, io.Reader, error) {
	p := newReplay(r)
	text, err := table.Decompress(p)
	if err != nil {
		return "", nil, err
	}
	in := bufio.NewReader(text)
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF {
		return "", nil, err
	}
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return audience.Parquet, p.again(), nil
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if bytes.HasPrefix(head, []byte("{")) {
		return audience.NDJSON, p.again(), nil
	}
	return audience.CSV, p.again(), nil
}

// Read adds the first rows of a table to the sample, until that is full. It returns a reader of the
// whole table. Malformed lines are passed over, as an import does; it tells of them. Errors:
// audience.ErrTable, or r's.
func (s *Sample) Read(r io.Reader, format audience.Format, separator table.Separator) (io.Reader, error) {
	p := newReplay(r)
	var err error
	switch format {
	case audience.CSV:
		err = s.readCSV(p, separator)
	case audience.TSV:
		err = s.readCSV(p, table.Tab)
	case audience.NDJSON:
		err = s.readNDJSON(p)
	default:
		err = fmt.Errorf("got format %q, want %q, %q or %q", format, audience.CSV, audience.TSV, audience.NDJSON)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", audience.ErrTable, err)
	}
	return p.again(), nil
}

// passOver reports whether reading goes on after an error, which is about one line.
func (s *Sample) passOver(err error) bool {
	_, about := errors.AsType[*table.LineError](err)
	if about && s.bad == nil {
		s.bad = err
	}
	return about
}

// readCSV reads separated values.
func (s *Sample) readCSV(p *replay, separator table.Separator) error {
	rows, err := table.NewCSV(p, separator)
	if err != nil {
		return err
	}
	if len(rows.Header()) > maxColumns {
		return errColumns
	}
	s.separated = true
	var names []string
	for _, name := range rows.Header() {
		if slices.Contains(names, name) {
			s.repeated = append(s.repeated, name)
		} else {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		s.column(name)
		return slices.Contains(s.repeated, name)
	})
	if err := rows.Select(names...); err != nil {
		return err
	}
	for !s.Full() && p.read.Len() < 2*maxBytes {
		row, err := rows.Next()
		switch {
		case err == io.EOF:
			return nil
		case s.passOver(err):
			continue
		case err != nil:
			return err
		}
		s.begin(row.Line)
		for i, cells := range row.Cells {
			s.add(s.column(names[i]), cells[0], unknownKind)
		}
	}
	return nil
}

// readNDJSON reads objects.
func (s *Sample) readNDJSON(p *replay) error {
	objects, err := table.NewNDJSON(p)
	if err != nil {
		return err
	}
	for !s.Full() && p.read.Len() < 2*maxBytes {
		type member struct {
			name  string
			value table.Value
		}
		var members []member
		line, err := objects.NextObject(func(name string, value table.Value) {
			if len(members) <= maxColumns {
				members = append(members, member{name, value})
			}
		})
		switch {
		case err == io.EOF:
			return nil
		case s.passOver(err):
			continue
		case err != nil:
			return err
		}
		if len(members) > maxColumns || len(s.columns) > maxColumns {
			return errColumns
		}
		s.begin(line)
		for _, m := range members {
			s.addJSON(s.column(m.name), m.value)
		}
	}
	return nil
}

// addJSON adds a value of an object.
func (s *Sample) addJSON(c *column, v table.Value) {
	if v.Kind() == table.Array {
		c.list = true
		v.Elements(func(v table.Value) {
			if text, ok := v.Text(); ok {
				s.add(c, text, v.Kind())
			} else if v.Kind() != table.Null {
				c.other = "arrays of " + strings.TrimPrefix(v.Kind().String(), "an ") + "s"
			}
		})
		return
	}
	if text, ok := v.Text(); ok {
		s.add(c, text, v.Kind())
	} else if v.Kind() == table.Object {
		c.other = "objects"
	}
}

// BatchColumn says what a column of a table is that another package reads.
type BatchColumn struct {
	Name    string
	Numbers bool   // its values are numbers, and not texts
	List    bool   // a row may have several values
	Other   string // what it is that has no values that can be imported; "": it has some
}

// ReadRows adds rows of a table that another package reads. rows has the columns without Other, in
// their order. Errors: those of rows.
func (s *Sample) ReadRows(columns []BatchColumn, rows audience.Rows) error {
	var of []BatchColumn
	for _, c := range columns {
		to := s.column(c.Name)
		if to.list, to.other = to.list || c.List, c.Other; c.Other == "" {
			of = append(of, c)
		}
	}
	b := &audience.Batch{Columns: make([]audience.BatchColumn, len(of))}
	for line := int64(1); !s.Full(); {
		if err := rows.Next(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for i := range b.Rows {
			s.begin(line)
			line++
			for k := range of {
				kind := table.String
				if of[k].Numbers {
					kind = table.Number
				}
				for _, n := range b.Columns[k].Row(i) {
					s.add(s.column(of[k].Name), b.Columns[k].Texts.Text(n), kind)
				}
			}
		}
	}
	return nil
}

// begin begins a row.
func (s *Sample) begin(line int64) {
	s.rows++
	s.line = line
}

// column returns the column of a name.
func (s *Sample) column(name string) *column {
	c := s.byName[name]
	if c == nil {
		if s.byName == nil {
			s.byName = make(map[string]*column)
		}
		c = newColumn(name)
		s.columns = append(s.columns, c)
		s.byName[name] = c
	}
	return c
}

// add adds a value.
func (s *Sample) add(c *column, text string, kind table.Kind) {
	s.bytes += len(text)
	if text != "" && !slices.Contains(s.Null, text) {
		c.add(text, kind, s.rows, s.line)
	}
}
