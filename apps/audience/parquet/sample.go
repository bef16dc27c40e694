// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/uproar-db/uproar/apps/audience/guess"
)

// Sample adds the first rows of a Parquet file of size bytes to a sample. Columns that cannot be
// imported are in it, and said to be what they are. Errors: audience.ErrTable, or r's.
func Sample(s *guess.Sample, r io.ReaderAt, size int64) error {
	file, err := open(r, size)
	if err != nil {
		return err
	}
	var columns []guess.BatchColumn
	rows := &rows{file: file, from: r, size: size}
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
