// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/internal/table"
)

// Sample adds the first rows of a Parquet file of size bytes to a sample. Columns that cannot be
// imported are in it, and said to be what they are. Errors: audience.ErrTable, or r's.
func Sample(s *guess.Sample, r io.ReaderAt, size int64) error {
	file, err := open(r, size)
	if err != nil {
		return err
	}
	var columns []guess.BatchColumn
	rows := &rows{file: file, size: size}
	defer rows.Close()
	for _, name := range namesOf(file) {
		leaf, other := inspect(file, name)
		columns = append(columns, guess.BatchColumn{Name: name, Numbers: leaf.number, List: leaf.repeated,
			Other: other})
		if other == "" {
			rows.leaves = append(rows.leaves, leaf)
		}
	}
	return s.ReadRows(columns, rows)
}

// namesOf returns the names of the columns of a file, each once.
func namesOf(file *parquet.File) (names []string) {
	for _, field := range file.Schema().Fields() {
		if !slices.Contains(names, field.Name()) {
			names = append(names, field.Name())
		}
	}
	return names
}

// inspect returns how a column is read, or says why it cannot be.
func inspect(file *parquet.File, name string) (of leaf, other string) {
	times := 0
	for _, field := range file.Schema().Fields() {
		if field.Name() == name {
			times++
		}
	}
	if times > 1 {
		return leaf{}, "values in several columns of that name"
	}
	if _, other := valuesOf(file.Root().Column(name)); other != "" {
		return leaf{}, other + " in each row"
	}
	of, err := leafOf(file, name)
	if err != nil {
		return leaf{}, "values of a type that is not read"
	}
	return of, ""
}

// isNumber reports whether values of a type are numbers, and not texts of digits.
func isNumber(t parquet.Type) bool {
	if l := t.LogicalType(); l != nil {
		switch l.Value.(type) {
		case *format.DecimalType, *format.IntType:
			return true
		case nil:
		default:
			return false
		}
	}
	kind := t.Kind()
	return kind == parquet.Int32 || kind == parquet.Int64 || kind == parquet.Float || kind == parquet.Double
}

// WriteNDJSON writes some columns of a Parquet file of size bytes as a JSON object a row, for what
// reads no Parquet. An import of it is that of the file. Errors: audience.ErrTable, those of r, or
// w's.
func WriteNDJSON(w io.Writer, r io.ReaderAt, size int64, names []string) error {
	file, err := open(r, size)
	if err != nil {
		return err
	}
	if _, err := table.Find(namesOf(file), names); err != nil {
		return fmt.Errorf("%w: %w", audience.ErrTable, err)
	}
	rows := &rows{file: file, size: size}
	defer rows.Close()
	heads := make([][]byte, len(names)) // what stands before the values of a column
	for i, name := range names {
		leaf, err := leafOf(file, name)
		if err != nil {
			return err
		}
		rows.leaves = append(rows.leaves, leaf)
		if heads[i], err = json.Marshal(name); err != nil {
			return err
		}
		heads[i] = append(heads[i], ':')
	}
	out := bufio.NewWriterSize(w, 256<<10)
	b := &audience.Batch{Columns: make([]audience.BatchColumn, len(names))}
	var line []byte
	for {
		if err := rows.Next(b); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return err
		}
		for i := range b.Rows {
			line = append(line[:0], '{')
			for k := range names {
				if k > 0 {
					line = append(line, ',')
				}
				line = append(line, heads[k]...)
				if line, err = rows.leaves[k].appendValues(line, &b.Columns[k], i); err != nil {
					return err
				}
			}
			if _, err := out.Write(append(line, '}', '\n')); err != nil {
				return err
			}
		}
	}
}

// appendValues appends the values of a row as JSON.
func (l *leaf) appendValues(dst []byte, c *audience.BatchColumn, row int) ([]byte, error) {
	of := c.Row(row)
	if !l.repeated && len(of) == 0 {
		return append(dst, "null"...), nil
	}
	if l.repeated {
		dst = append(dst, '[')
	}
	for i, n := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		text := c.Texts.Text(n)
		if l.number && strings.Trim(text, "-0123456789.") == "" { // and not NaN or Inf
			dst = append(dst, text...)
			continue
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return dst, err
		}
		dst = append(dst, quoted...)
	}
	if l.repeated {
		dst = append(dst, ']')
	}
	return dst, nil
}
