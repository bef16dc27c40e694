// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	// partsPerThread is how many parts of a set there are for each goroutine that counts: where one
	// is held up, the others take more of them.
	partsPerThread = 8
	// partLen is the least number of records of a part: some tens of microseconds.
	partLen = 512
)

// countParts is a set cut into parts, which goroutines take to count over a value column. Each
// takes one after the other.
type countParts struct {
	snap   reader.Snapshot
	field  uint32
	set    view.View
	bounds []uint64 // the first record of each part, and the end of the last
	taken  atomic.Int64
}

// byColumn walks over the records of the set.
func (c *Counts) byColumn(ctx context.Context, snap reader.Snapshot, field uint32, set view.View,
	threads int) error {
	parts := countParts{snap: snap, field: field, set: set, bounds: boundsOf(set, threads*partsPerThread)}
	threads = min(threads, len(parts.bounds)-1)
	if threads < 2 {
		counter, err := parts.count(ctx)
		if err != nil {
			return err
		}
		c.close = counter.Close
		c.counts, err = counter.Counts()
		return err
	}
	errs := make([]error, threads)
	counters := make([]*reader.RowCounter, threads)
	var group sync.WaitGroup
	for i := 1; i < threads; i++ {
		group.Go(func() { counters[i], errs[i] = parts.count(ctx) })
	}
	counters[0], errs[0] = parts.count(ctx)
	group.Wait()
	err := errors.Join(errs...)
	for i, counter := range counters {
		if counter == nil {
			continue
		}
		if err == nil {
			err = c.join(counter, i == 0)
		}
		if i > 0 || err != nil {
			counter.Close()
		}
	}
	return err
}

// boundsOf cuts a set into parts of about as many records: one at least, parts at most.
func boundsOf(set view.View, parts int) []uint64 {
	size := set.Len()
	n := uint64(max(1, min(parts, int(size/partLen))))
	bounds := make([]uint64, 1, n+1)
	for i := uint64(1); i < n; i++ {
		if x, ok := set.Select(size / n * i); ok && x > bounds[len(bounds)-1] {
			bounds = append(bounds, x)
		}
	}
	return append(bounds, math.MaxUint64)
}

// count counts over parts that no other goroutine has taken, until there are none. The caller
// closes the counter.
func (p *countParts) count(ctx context.Context) (*reader.RowCounter, error) {
	counter, err := p.snap.RowCounter(ctx, p.field)
	if err != nil {
		return nil, err
	}
	var decoded container.Scratch
	cursor := p.set.Cursor(&decoded)
	for i := p.taken.Add(1); int(i) < len(p.bounds); i = p.taken.Add(1) {
		from, to := p.bounds[i-1], p.bounds[i]
		for ok := cursor.Seek(from >> 16); ok && cursor.Key()<<16 < to; ok = cursor.Next() {
			if err := counter.Add(cursor.Block(), from, to); err != nil {
				counter.Close()
				return nil, err
			}
			if cursor.Key()<<16|0xFFFF >= to { // the next part may begin in this block
				break
			}
		}
	}
	return counter, nil
}
