// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// byCount puts cells that come in ascending order of their tuples in descending order of their
// counts. Those that have no room in memory go to temporary files. Not for concurrent use.
type byCount[K tuple] struct {
	ctx            context.Context
	snap           reader.Snapshot
	cells, scratch []cell[K]
	held           int64
	runs           extsort.Runs[cell[K]]
}

const leastCells = 1 << 8

func newByCount[K tuple](ctx context.Context, snap reader.Snapshot) *byCount[K] {
	keys := comparison[K]()
	compare := func(a, b *cell[K]) int {
		if a.n != b.n {
			return cmp.Compare(b.n, a.n)
		}
		return keys(a, b)
	}
	o := &byCount[K]{ctx: ctx, snap: snap}
	o.runs = extsort.Runs[cell[K]]{Codec: codecOf(compare), Buffer: snap.MemoryLimit() / bufferShare}
	return o
}

// add takes a cell in.
func (o *byCount[K]) add(c *cell[K]) error {
	if len(o.cells) == cap(o.cells) {
		if err := o.reserve(); err != nil {
			return err
		}
	}
	o.cells = append(o.cells, *c)
	return nil
}

// reserve makes room for more cells, in memory or by writing a run of the cells it holds.
func (o *byCount[K]) reserve() error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	room := max(leastCells, 2*cap(o.cells))
	each := 2 * int64(unsafe.Sizeof(cell[K]{})) // with scratch
	if each*int64(room) <= o.snap.MemoryLimit()/bufferShare || len(o.cells) == 0 {
		more := each * int64(room-cap(o.cells))
		err := o.snap.Take(more)
		if err == nil {
			o.held += more
			o.cells = append(make([]cell[K], 0, room), o.cells...)
			return nil
		}
		if ignoreMemory(err) != nil || len(o.cells) == 0 {
			return err
		}
	}
	o.sort()
	err := o.runs.Add(o.cells)
	o.cells = o.cells[:0]
	return err
}

// countBits is the width of a digit of a count.
const countBits = 11

// sort sorts stably by descending count. It is a radix sort, of one round where counts are small.
func (o *byCount[K]) sort() {
	most := uint64(0)
	for i := range o.cells {
		most = max(most, o.cells[i].n)
	}
	for shift := 0; shift < bits.Len64(most); shift += countBits {
		var places [1 << countBits]int
		for i := range o.cells {
			places[(most-o.cells[i].n)>>shift&(1<<countBits-1)]++
		}
		sum := 0
		for i, n := range places {
			places[i], sum = sum, sum+n
		}
		o.scratch = slices.Grow(o.scratch[:0], cap(o.cells))[:len(o.cells)]
		for i := range o.cells {
			at := &places[(most-o.cells[i].n)>>shift&(1<<countBits-1)]
			o.scratch[*at] = o.cells[i]
			*at++
		}
		o.cells, o.scratch = o.scratch, o.cells
	}
}

// each calls fn with all cells in order.
func (o *byCount[K]) each(fn func(*cell[K]) error) error {
	o.sort()
	if o.runs.Items == 0 {
		for i := range o.cells {
			if err := fn(&o.cells[i]); err != nil {
				return err
			}
		}
		return nil
	}
	merged, err := o.runs.Merge(o.cells)
	if err != nil {
		return err
	}
	x, ok := cell[K]{}, true
	for i := 1; ; i++ {
		if i%cellsPerLook == 0 {
			if err := o.ctx.Err(); err != nil {
				return err
			}
		}
		if x, ok, err = merged.Next(); !ok || err != nil {
			return err
		}
		if err := fn(&x); err != nil {
			return err
		}
	}
}

// close lets go of the memory and the files.
func (o *byCount[K]) close() error {
	o.snap.Give(o.held)
	o.held, o.cells, o.scratch = 0, nil, nil
	return o.runs.Close()
}
