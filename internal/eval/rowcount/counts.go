// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// Way says how the rows of a field are counted within a set. All ways give the same counts.
type Way uint8

const (
	// ByCost takes the way that costs least, as far as is known beforehand.
	ByCost Way = iota
	// ByLists intersects the set with the list of each row.
	ByLists
	// ByColumn walks over the records of the set in the field's value column.
	ByColumn
	// ByRest walks over the records that are not in the set, and takes their counts from the sizes
	// of the rows: for sets of most records.
	ByRest
)

// String returns the name of the way, as explanations show it.
func (w Way) String() string {
	switch w {
	case ByLists:
		return "lists"
	case ByColumn:
		return "column"
	case ByRest:
		return "rest of the column"
	default:
		return "cost"
	}
}

// Counting says how to count.
type Counting struct {
	Way Way
	// how many goroutines share the records at most, where each has enough to do; 0 and 1: the
	// caller's alone
	Threads int
}

// Counts is how many records of a set each row of a field has. Safe for concurrent use, but for
// Close.
type Counts struct {
	Way    Way // the one that was taken, never ByCost
	counts []uint32
	close  func()
}

// Len returns how many records of the set a row has.
func (c *Counts) Len(row uint64) uint64 {
	if row >= uint64(len(c.counts)) {
		return 0
	}
	return uint64(c.counts[row])
}

// All yields the rows that have records of the set, ascending, and how many.
func (c *Counts) All() iter.Seq2[uint64, uint64] {
	return func(yield func(row, count uint64) bool) {
		for row, n := range c.counts {
			if n > 0 && !yield(uint64(row), uint64(n)) {
				return
			}
		}
	}
}

// PerRow returns the counts by row, which are not to be changed.
func (c *Counts) PerRow() []uint32 { return c.counts }

// Close gives the memory of the counts back to the bound of the database. The counts must not be
// used afterwards.
func (c *Counts) Close() {
	if c.close != nil {
		c.close()
	}
	c.counts, c.close = nil, nil
}

// Count counts, for every row of a field, its records within a set. The caller closes the
// counts.
//
// Memory: 4 bytes for each row and thread. Cost: over a value column about a nanosecond for each
// value of a record of the set, or of one that is not, whichever are fewer; without one, an
// intersection with each list that is only counted. Errors: ErrLimit, when the set has 2^32 records
// or the way does not exist; ErrMemory, those of reading pages, or ctx's.
func Count(ctx context.Context, snap reader.Snapshot, field uint32, set view.View, how Counting) (*Counts,
	error) {
	size := set.Len()
	if size > math.MaxUint32 {
		return nil, fmt.Errorf("%w: got a set of %d records to count rows within, want below 2^32", sentinel.ErrLimit,
			size)
	}
	way, threads := how.Way, how.Threads
	if way == ByCost || threads > 1 {
		costs, err := CostsOf(snap, field, size)
		if err != nil {
			return nil, err
		}
		if way == ByCost {
			way, _ = costs.Best()
		}
		threads = costs.threads(way, threads)
	}
	if (way == ByColumn || way == ByRest) && !snap.HasColumn(field) {
		return nil, fmt.Errorf("%w: got field %d without a value column, to count by %s", sentinel.ErrLimit, field,
			way)
	}
	c := &Counts{Way: way}
	var err error
	switch way {
	case ByLists:
		err = c.byLists(ctx, snap, field, set)
	case ByColumn:
		err = c.byColumn(ctx, snap, field, set, threads)
	case ByRest:
		err = c.byRest(ctx, snap, field, set, threads)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Quickly counts all rows if that costs less than a walk over their lists; nil, if it does
// not.
func Quickly(ctx context.Context, snap reader.Snapshot, field uint32, set view.View, threads int) (*Counts,
	error) {
	c, err := CostsOf(snap, field, set.Len())
	if err != nil || c.Records > math.MaxUint32 {
		return nil, err
	}
	way, _ := c.Best()
	if way == ByLists {
		return nil, nil
	}
	return Count(ctx, snap, field, set, Counting{Way: way, Threads: threads})
}
