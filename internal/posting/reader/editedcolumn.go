// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sort"
)

// editedColumn holds the rows of the records that deltas edit in a field with a value column. Pages
// and deltas are merged in it. A state makes it once and its readers share it. They read all other
// records on the pages. It never changes.
type editedColumn struct {
	records []uint64 // ascending
	ends    []uint32 // where the rows of each record end
	rows    []uint64
	bound   uint64 // above all rows
}

// bytes returns the memory that the column takes.
func (e *editedColumn) bytes() int64 {
	return int64(8*cap(e.records) + 4*cap(e.ends) + 8*cap(e.rows))
}

// of returns the rows of the i-th record.
func (e *editedColumn) of(i int) []uint64 {
	from := uint32(0)
	if i > 0 {
		from = e.ends[i-1]
	}
	return e.rows[from:e.ends[i]]
}

// within returns between which places the records of a container are. Those before a place are
// passed.
func (e *editedColumn) within(from int, key uint64) (low, high int) {
	if e == nil {
		return 0, 0
	}
	rest := e.records[from:]
	low = from + sort.Search(len(rest), func(i int) bool { return rest[i]>>16 >= key })
	rest = e.records[low:]
	return low, low + sort.Search(len(rest), func(i int) bool { return rest[i]>>16 > key })
}
