// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"slices"
)

// Reader reads the rows of a table. It is for one goroutine at a time.
type Reader interface {
	// Select says which columns are wanted, before the first row. Errors: a [*ColumnError] for each
	// column that is not there or there twice, joined.
	Select(names ...string) error
	// Next returns the next row, which is valid until the next call; its strings stay. Errors: io.EOF
	// behind the last row, a [*LineError], after which it may go on, or one that ends the table.
	Next() (*Row, error)
}

// Row is a row of a table.
type Row struct {
	Line  int64      // where it begins, from 1
	Cells [][]string // for each column wanted its values as text: of separated values one, which may be empty; of JSON any number, none for null
	Bad   []BadCell  // values that are none
}

// BadCell is a value that has no text.
type BadCell struct {
	Column int // in the order of Select
	Text   string
	Err    error
}

// find returns where the columns wanted are in a header.
func find(header, wanted []string, of *ColumnError) (at []int, err error) {
	for _, name := range wanted {
		i := slices.Index(header, name)
		times := 0
		for _, other := range header {
			if other == name {
				times++
			}
		}
		if times != 1 {
			bad := *of
			bad.Name, bad.Times, bad.Header = name, times, header
			err = errors.Join(err, &bad)
		}
		at = append(at, i)
	}
	return at, err
}

// Find returns where the columns wanted are in a header. Errors: as of [Reader].
func Find(header, wanted []string) (at []int, err error) {
	return find(header, wanted, &ColumnError{})
}
