// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import "slices"

// Reader reads the rows of a table. It is for one goroutine at a time.
type Reader interface {
	// Select says which columns are wanted, before the first row. Errors: a [*ColumnError] if one
	// is not there, or there twice.
	Select(names ...string) error
	// Next returns the next row, which is valid until the next call; its strings stay. Errors:
	// io.EOF behind the last row, a [*LineError], after which it may go on, or one that ends the
	// table.
	Next() (*Row, error)
}

// Row is a row of a table.
type Row struct {
	Line int64 // where it begins, from 1
	// for each column wanted its values as text: of separated values one, which may be empty; of
	// JSON any number, none for null
	Cells [][]string
	Bad   []BadCell // values that are none
}

// BadCell is a value that has no text.
type BadCell struct {
	Column int // in the order of Select
	Text   string
	Err    error
}

// Find returns where the columns wanted are in a header. Errors: a [*ColumnError].
func Find(header, wanted []string) (at []int, err error) {
	wrong := &ColumnError{Header: header}
	for _, name := range wanted {
		i := slices.Index(header, name)
		if i < 0 {
			wrong.Missing = append(wrong.Missing, name)
		} else if slices.Contains(header[i+1:], name) {
			wrong.Repeated = append(wrong.Repeated, name)
		}
		at = append(at, i)
	}
	if len(wrong.Missing)+len(wrong.Repeated) > 0 {
		return nil, wrong
	}
	return at, nil
}
