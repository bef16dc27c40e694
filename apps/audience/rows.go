// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar"
)

var errOneValue = errors.New("got a list of several values, want one")

// Rows is a table that another package reads, such as apps/audience/parquet. Not for concurrent use.
type Rows interface {
	// Next puts the values of the next row into values, as texts: for each column that was asked for any number of them, none for NULL. What the slices held before may be overwritten. The error
	// is io.EOF after the last row.
	Next(values [][]string) error
	// Bytes says how far it has read, for the progress.
	Bytes() int64
	// Close lets go of what it holds.
	Close()
}

// ReadRows reads a table of another format: names are its columns, open is told which of them are wanted, by number, and opens it for these. It returns how far the import is. Errors as of Read, and those of the table.
func (im *Import) ReadRows(names []string, open func(wanted []int) (Rows, error)) (Progress, error) {
	im.line, im.rows = 0, true
	key, at, err := im.columns(names)
	if err != nil {
		return im.state, err
	}
	wanted := at
	if key >= 0 {
		wanted = append([]int{key}, at...)
	}
	rows, err := open(wanted)
	if err != nil {
		return im.state, err
	}
	defer rows.Close()
	before := im.state.Bytes
	values := make([][]string, len(wanted))
	for {
		err := rows.Next(values)
		im.state.Bytes = before + rows.Bytes()
		if err == io.EOF {
			return im.state, nil
		}
		if err != nil {
			return im.state, fmt.Errorf("%w: row %d: %w", ErrTable, im.line+1, err)
		}
		im.line++
		if err := im.row(values, key >= 0); err != nil {
			return im.state, err
		}
	}
}

// row sets the values of one row.
func (im *Import) row(values [][]string, keyed bool) error {
	name := ""
	if keyed {
		if len(values[0]) == 1 {
			name = values[0][0]
		}
		values = values[1:]
	}
	record, ok, err := im.record(name, keyed)
	if err != nil || !ok {
		return err
	}
	for i, texts := range values {
		c := &im.schema.Columns[i]
		for k, text := range texts {
			if k > 0 && c.Field.Type != uproar.Set {
				if err := im.bad(c.Name, text, errOneValue); err != nil {
					return err
				}
				break
			}
			if err := im.values(record, c, text); err != nil {
				return err
			}
		}
	}
	return nil
}
