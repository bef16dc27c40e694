// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/uproar-db/uproar/apps/audience"
)

// Read reads a Parquet file of size bytes: each row is a record. It reads only the columns of the
// schema, page by page. A column may be a list of values, and each counts; NULL is no value.
// Numbers, truth values, texts, decimals, days (2006-01-02), times and UUIDs have the texts that
// fields are set from; times have seconds. It returns how far the import is.
//
// Bytes that are no Parquet file are an error. So are pages that claim to lie outside of it, to
// have more than 256 MiB or 16 777 216 values, or less than they unpack to, and columns whose pages
// take more than 1024 MiB together.
//
// Errors: *audience.ValueError with the number of the row, if the import is strict;
// audience.ErrTable; or those of r and of the load, after which the import can only be aborted.
func Read(im *audience.Import, r io.ReaderAt, size int64) (state audience.Progress, err error) {
	file, err := open(r, size)
	if err != nil {
		return state, err
	}
	var names []string
	for _, field := range file.Schema().Fields() {
		names = append(names, field.Name())
	}
	rows := &rows{file: file, from: r, size: size}
	return im.ReadRows(names, func(wanted []int) (audience.Rows, error) {
		for _, i := range wanted {
			leaf, err := leafOf(file, names[i])
			if err != nil {
				return nil, err
			}
			rows.leaves = append(rows.leaves, leaf)
		}
		return rows, nil
	})
}

// open reads what the file says of itself.
func open(r io.ReaderAt, size int64) (file *parquet.File, err error) {
	defer damaged(&err)
	if err := checkFooter(r, size); err != nil {
		return nil, failed(err)
	}
	if file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return nil, failed(err)
	}
	return file, nil
}

// damaged turns a panic of the library, about bytes that it cannot read, into an error.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: parquet: damaged file: %v", audience.ErrTable, p)
	}
}

// leaf is a column that is read, and how its values are written as text.
type leaf struct {
	index    int
	repeated bool
	number   bool
	defined  byte // the definition level of a value that is not NULL
	text     func(parquet.Value) string
}

// leafOf finds the values of a column of the file.
func leafOf(file *parquet.File, name string) (leaf, error) {
	column, other := valuesOf(file.Root().Column(name))
	if other != "" {
		return leaf{}, fmt.Errorf("%w: parquet: column %q is %s, want values or a list of them", audience.ErrTable,
			name, other)
	}
	text := textOf(column.Type())
	if text == nil {
		return leaf{}, fmt.Errorf("%w: parquet: column %q has values of type %s, want numbers, truth values, texts, "+
			"decimals, days, times or UUIDs", audience.ErrTable, name, column.Type())
	}
	return leaf{index: column.Index(), repeated: column.MaxRepetitionLevel() > 0,
		number: isNumber(column.Type()), defined: byte(column.MaxDefinitionLevel()), text: text}, nil
}

// valuesOf returns where a column has its values, or says what it is that has none.
func valuesOf(c *parquet.Column) (values *parquet.Column, other string) {
	switch {
	case c.Leaf():
		return c, ""
	case isA[*format.MapType](c):
		return nil, "a map"
	case c.Repeated():
		return nil, "a list of structs"
	case !isA[*format.ListType](c) || len(c.Columns()) != 1 || !c.Columns()[0].Repeated():
		return nil, "a struct"
	}
	list := c.Columns()[0]
	if list.Leaf() { // as old writers have it
		return list, ""
	}
	elements := list.Columns()
	switch {
	case len(elements) != 1 || list.Name() == "array" || list.Name() == c.Name()+"_tuple": // also of one member
		return nil, "a list of structs"
	case elements[0].Leaf() && !elements[0].Repeated():
		return elements[0], ""
	case elements[0].Leaf() || isA[*format.ListType](elements[0]):
		return nil, "a list of lists"
	case isA[*format.MapType](elements[0]):
		return nil, "a list of maps"
	}
	return nil, "a list of structs"
}

// isA reports whether a column is a group of a kind.
func isA[T any](c *parquet.Column) bool {
	l := c.Type().LogicalType()
	if l == nil {
		return false
	}
	_, is := l.Value.(T)
	return is
}

// batchRows is how many rows a batch has, at most.
const batchRows = 1 << 9

// rows reads batch after batch.
type rows struct {
	file    *parquet.File
	from    io.ReaderAt
	size    int64
	leaves  []leaf
	group   int // the next one
	columns []*column
	left    int64 // rows of the group
	read    int64
}

// Next implements audience.Rows.
func (r *rows) Next(batch *audience.Batch) (err error) {
	defer damaged(&err)
	for r.left == 0 {
		r.close()
		if r.group == len(r.file.RowGroups()) {
			return io.EOF
		}
		group := r.file.RowGroups()[r.group]
		if group.NumRows() == 0 { // as some write an empty table, without pages
			r.group++
			continue
		}
		if err := checkGroup(r.from, r.size, r.file, r.group, r.leaves); err != nil {
			return failed(err)
		}
		r.group++
		r.left = group.NumRows()
		for _, l := range r.leaves {
			r.columns = append(r.columns, &column{leaf: l, pages: group.ColumnChunks()[l.index].Pages()})
		}
	}
	batch.Rows = int(min(r.left, batchRows))
	r.left -= int64(batch.Rows)
	r.read += int64(batch.Rows)
	for i, c := range r.columns {
		if err := c.fill(&batch.Columns[i], batch.Rows); err != nil {
			return failed(err)
		}
	}
	// in proportion to the rows
	batch.Bytes = int64(float64(r.size) * float64(r.read) / float64(max(1, r.file.NumRows())))
	return nil
}

// Close implements audience.Rows.
func (r *rows) Close() {
	var err error // of a file that was read, or whose reading has failed already
	defer damaged(&err)
	r.close()
}

func (r *rows) close() {
	for _, c := range r.columns {
		c.close()
	}
	r.columns = r.columns[:0]
}

func failed(err error) error { return fmt.Errorf("%w: parquet: %w", audience.ErrTable, err) }
