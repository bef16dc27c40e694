// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// The costs of steps, in nanoseconds on one processor with all pages in the cache. BenchmarkCosts
// measures them. They are rounded; only their ratios matter.
const (
	costOfValue  = 1.1  // to count a row of a record in a fast column
	costOfCode   = 8.5  // in a small one
	costOfRecord = 8    // to find a record in a column
	costOfFar    = 45   // and to fetch it from memory, unless its neighbours are counted as well
	costOfWord   = 1.5  // to count the row of a record that has one
	costOfPage   = 90   // to come to a page of a column
	costOfRow    = 1    // to look at the count and the size of a row
	costOfList   = 350  // to intersect with the list of a row at all
	costOfSparse = 3.5  // for each value of a list of few
	costOfDense  = 0.05 // for each byte of a list of many, in which a record takes a bit

	// costOfThread is what one more goroutine must take over of a walk over a column to be worth
	// starting it, with counters of its own that are added in the end.
	costOfThread = 150e3
)

// Costs is what ways to count rows within a set cost, in nanoseconds.
type Costs struct {
	Records             uint64  // of the index
	Rows                float64 // of the field
	lists, column, rest float64
}

// CostsOf weighs the ways to count rows within a set of size records.
func CostsOf(snap reader.Snapshot, field uint32, size uint64) (Costs, error) {
	var universe overlay.List
	if err := snap.List(model.Exists, 0, &universe); err != nil {
		return Costs{}, err
	}
	all := max(1, universe.Len())
	size = min(size, all)
	z := snap.Sizes(field)
	c := Costs{Records: all, Rows: float64(max(1, snap.RowBound(field))), column: math.Inf(1), rest: math.Inf(1)}
	if float64(z.ListValues) > c.Rows*float64(all)/32 {
		c.lists = c.Rows*costOfList + costOfDense*float64(z.ListBytes)
	} else {
		c.lists = c.Rows*costOfList + costOfSparse*float64(z.ListValues)
	}
	if z.Column {
		c.column = c.walk(z, float64(size), float64(all))
		c.rest = c.walk(z, float64(all-size), float64(all)) + costOfRow*c.Rows
	}
	return c, nil
}

// walk returns the cost of counting the rows of some of all records over a value column.
func (c *Costs) walk(z reader.Sizes, records, all float64) float64 {
	cost := c.Rows*costOfRow + min(records, float64(z.Pages))*costOfPage
	values := records * float64(z.Values) / all
	switch {
	case z.Single:
		return cost + records*costOfWord
	case z.Coded:
		return cost + records*costOfRecord + values*costOfCode
	default:
		return cost + records*(costOfRecord+costOfFar*(1-records/all)) + values*costOfValue
	}
}

// threads returns how many goroutines, up to most, a walk over the column is worth.
func (c *Costs) threads(way Way, most int) int {
	cost := c.column
	if way == ByRest {
		cost = c.rest
	}
	if worth := cost / costOfThread; worth < float64(most) {
		return int(worth)
	}
	return most
}

// Best returns the way that costs least.
func (c *Costs) Best() (Way, float64) {
	switch {
	case c.column <= min(c.rest, c.lists):
		return ByColumn, c.column
	case c.rest <= c.lists:
		return ByRest, c.rest
	default:
		return ByLists, c.lists
	}
}

// BySize guesses the cost of finding the best rows by count, in the order of their sizes. It
// assumes two and a half times the wanted rows, each with a bit for each record.
func (c *Costs) BySize(limit int) float64 {
	return c.Rows*costOfRow + min(c.Rows, 2.5*float64(limit))*c.List(math.MaxUint32)
}

// List returns the cost of intersecting with the list of a row of size records. The list has as
// many values, or a bit for each record.
func (c *Costs) List(size uint32) float64 {
	return costOfList + min(costOfSparse*float64(size), costOfDense*float64(c.Records)/8)
}
