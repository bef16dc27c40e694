// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sort"
)

// editedColumn holds the rows of those records of a field with a value column of which the deltas
// say something, as pages and deltas together have them. It is made once for a state and shared by
// its readers, who read all other records on the pages. It never changes.
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
