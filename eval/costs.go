// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"

	"github.com/uproar-db/uproar/posting"
)

// What steps cost, in nanoseconds on one processor with all pages in the cache. They are estimates; only their ratios matter.
const (
	costOfValue  = 0.9   // to count a row of a record in a fast column
	costOfCode   = 4.5   // in a small one
	costOfRecord = 4     // to find a record in a column
	costOfWord   = 1.6   // to count the row of a record that has one
	costOfRow    = 25    // to meet a row with its size
	costOfList   = 60    // to intersect with its list at all
	costOfSparse = 0.45  // to intersect with a byte of a list of few records
	costOfDense  = 0.03  // of a list of many, a bit for each
	costOfLarge  = 20000 // to intersect with one of the largest lists of a field
)

// costs is what ways to count rows within a set cost, in nanoseconds.
type costs struct {
	rows                float64 // of the field
	lists, column, rest float64
}

// costsOf weighs the ways to count rows within a set of so many records.
func costsOf(snap posting.Snapshot, field uint32, size uint64) (costs, error) {
	var universe posting.List
	if err := snap.List(posting.Exists, 0, &universe); err != nil {
		return costs{}, err
	}
	all := max(1, universe.Len())
	size = min(size, all)
	z := snap.Sizes(field)
	c := costs{rows: float64(max(1, snap.RowBound(field))), column: math.Inf(1), rest: math.Inf(1)}
	perByte := costOfSparse
	if float64(z.ListValues) > c.rows*float64(all)/32 {
		perByte = costOfDense
	}
	c.lists = c.rows*costOfList + perByte*float64(z.ListBytes)
	if !z.Column {
		return c, nil
	}
	perRecord := costOfRecord + costOfValue*float64(z.Values)/float64(all)
	switch {
	case z.Single:
		perRecord = costOfWord
	case z.Coded:
		perRecord = costOfRecord + costOfCode*float64(z.Values)/float64(all)
	}
	c.column = perRecord * float64(size)
	c.rest = perRecord*float64(all-size) + costOfRow*c.rows
	return c, nil
}

// best returns the way that costs least.
func (c *costs) best() (Way, float64) {
	switch {
	case c.column <= min(c.rest, c.lists):
		return ByColumn, c.column
	case c.rest <= c.lists:
		return ByRest, c.rest
	default:
		return ByLists, c.lists
	}
}

// bySize returns what it costs to find the best rows by count when rows are met in the order of their sizes.
func (c *costs) bySize(limit int) float64 {
	return c.rows*costOfRow + 4*float64(limit)*costOfLarge
}
