// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/posting"
)

// groupOrder puts groups that come in ascending order of their rows in descending order of their counts. Those
// that have no room in memory go to temporary files. Not for concurrent use.
type groupOrder struct {
	ctx            context.Context
	snap           posting.Snapshot
	cells, scratch []cell[wide]
	held           int64
	runs           extsort.Runs[cell[wide]]
}

const (
	cellBytes  = 8 * (MaxGroupFields + 1)
	leastCells = 1 << 8
)

func newGroupOrder(ctx context.Context, snap posting.Snapshot) *groupOrder {
	o := &groupOrder{ctx: ctx, snap: snap}
	compare := func(a, b *cell[wide]) int {
		return cmp.Or(cmp.Compare(b.n, a.n), slices.Compare(a.key[:], b.key[:]))
	}
	o.runs = extsort.Runs[cell[wide]]{Codec: cellCodec(compare), Buffer: snap.MemoryLimit() / bufferShare}
	return o
}

// add takes a group in.
func (o *groupOrder) add(g Group) error {
	if len(o.cells) == cap(o.cells) {
		if err := o.reserve(); err != nil {
			return err
		}
	}
	o.cells = append(o.cells, cell[wide]{wide(g.Rows), g.Count})
	return nil
}

// reserve makes room for more groups: in memory, or by a run of those that are there.
func (o *groupOrder) reserve() error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	room := max(leastCells, 2*cap(o.cells))
	more := 2 * cellBytes * int64(room-cap(o.cells)) // with scratch
	if 2*cellBytes*int64(room) <= o.snap.MemoryLimit()/heldShare || len(o.cells) == 0 {
		err := o.snap.Take(more)
		if err == nil {
			o.held += more
			o.cells = append(make([]cell[wide], 0, room), o.cells...)
			return nil
		}
		if !errors.Is(err, posting.ErrMemory) || len(o.cells) == 0 {
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

// sort sorts by descending count, and keeps the order of those that are equal: a radix sort, of one round where
// counts are small.
func (o *groupOrder) sort() {
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

// each calls fn with all groups in order.
func (o *groupOrder) each(fn func(Group) error) error {
	o.sort()
	merged, err := o.runs.Merge(o.cells)
	if err != nil {
		return err
	}
	for i := 1; ; i++ {
		if i%cellsPerLook == 0 {
			if err := o.ctx.Err(); err != nil {
				return err
			}
		}
		x, ok, err := merged.Next()
		if !ok || err != nil {
			return err
		}
		if err := fn(Group{Rows: x.key, Count: x.n}); err != nil {
			return err
		}
	}
}

// close lets go of the memory and the files.
func (o *groupOrder) close() error {
	o.snap.Give(o.held)
	o.held, o.cells, o.scratch = 0, nil, nil
	return o.runs.Close()
}
