// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"errors"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// inverted is the rows of each record of a set in a field, ascending by record: its lists, each of
// which was walked over once, turned over by a sort. Not for concurrent use.
type inverted struct {
	packed  *cells[uint64] // the record, less the first one, above the row
	wide    *cells[wide]   // the record and the row, where those need more bits than a word has
	rowBits int
	first   uint64   // record
	sorted  []uint64 // packed, what is left of it, if all of it is in memory; else one of the next is read
	runs    *cellReader[uint64]
	far     *cellReader[wide]

	record, row uint64 // that come next in them
	more        bool
}

// errManyBits says that a number needs more bits than it was thought to.
var errManyBits = errors.New("eval: a number has more bits than were reckoned with")

// invert walks over the lists of a field. The caller closes what it returns.
//
// Cost: a step for each list, and a sort of the rows of the records of the set, in files if they
// have no room in memory.
func invert(ctx context.Context, snap reader.Snapshot, field uint32, rowBits int, set view.View) (x *inverted,
	err error) {
	x = &inverted{rowBits: rowBits}
	x.first, _ = set.Min()
	last, _ := set.Max()
	w := listWalk{ctx: ctx, snap: snap, set: set, size: set.Len(), first: x.first}
	if err := w.open(last); err != nil {
		return x, err
	}
	defer func() { snap.Give(w.held) }()
	if width := bits.Len64(last-x.first) + rowBits; width <= 64 {
		x.packed = newCells[uint64](ctx, snap, rowBits, width-rowBits) // rows come in order
		if err = w.walk(field, x.addPacked); err == nil {
			return x, x.openPacked()
		}
		if !errors.Is(err, errManyBits) {
			return x, err
		}
		if err = x.packed.close(); err != nil {
			return x, err
		}
		x.packed = nil
	}
	x.wide = newCells[wide](ctx, snap, 0, 0)
	if err = w.walk(field, x.addSeparate); err != nil {
		return x, err
	}
	if x.far, err = x.wide.all(); err == nil {
		err = x.next()
	}
	return x, err
}

func (x *inverted) openPacked() (err error) {
	if x.runs, err = x.packed.all(); err != nil {
		return err
	}
	if x.runs.merge == nil {
		x.sorted = x.packed.keys
		return nil
	}
	return x.next()
}

// listWalk walks over lists, and finds their records that are in a set.
type listWalk struct {
	ctx         context.Context
	snap        reader.Snapshot
	set         view.View
	size, first uint64 // of the set

	words        []uint64 // the set from its first record on, a bit for each; nil: that takes too much memory
	held         int64
	records      []uint64
	lows         []uint16
	met, decoded container.Scratch
	list         overlay.Cursor
}

// Lists of up to mostRecords are read record by record, unless the set has far fewer.
const (
	mostRecords  = 1 << 16
	recordsOfSet = 16
)

// open lays the set out, if there is room.
func (w *listWalk) open(last uint64) error {
	n := (last-w.first)/64 + 1
	if 8*n > uint64(w.snap.MemoryLimit()/bufferShare) {
		return nil
	}
	if err := w.snap.Take(8 * int64(n)); err != nil {
		return ignoreMemory(err)
	}
	w.held, w.words = 8*int64(n), make([]uint64, n)
	cursor := w.set.Cursor(&w.decoded)
	for ok := cursor.Next(); ok; ok = cursor.Next() {
		w.lows = cursor.Block().AppendLow(w.lows[:0])
		base := cursor.Key()<<16 - w.first
		for _, low := range w.lows {
			at := base + uint64(low)
			w.words[at/64] |= 1 << (at % 64)
		}
	}
	return nil
}

// walk gives the records of each list that are in the set to add, in batches.
func (w *listWalk) walk(field uint32, add func(row uint64, records []uint64) error) error {
	defer w.list.Release()
	return w.snap.Rows(w.ctx, field, 0, func(row uint64, l *overlay.List) error {
		most := l.AtMost()
		if w.words == nil || most > mostRecords || most/recordsOfSet > w.size {
			return w.blocks(row, l, add)
		}
		w.records = l.AppendTo(w.records[:0], &w.list)
		kept := w.records[:0]
		for _, x := range w.records {
			if at := x - w.first; at/64 < uint64(len(w.words)) && w.words[at/64]>>(at%64)&1 > 0 {
				kept = append(kept, x)
			}
		}
		return add(row, kept)
	})
}

// blocks is walk for one list that is intersected with the set, block by block.
func (w *listWalk) blocks(row uint64, l *overlay.List, add func(row uint64, records []uint64) error) error {
	of := w.set.Cursor(&w.decoded)
	w.list.Reset(l)
	for ok := of.Next(); ok && w.list.Seek(of.Key()); {
		if of.Key() < w.list.Key() {
			ok = of.Seek(w.list.Key())
			continue
		}
		if w.records = w.met.And(w.list.Block(), of.Block()).AppendTo(w.records[:0]); len(w.records) > 0 {
			if err := add(row, w.records); err != nil {
				return err
			}
		}
		ok = of.Next()
	}
	return nil
}

func (x *inverted) addPacked(row uint64, records []uint64) error {
	if row>>x.rowBits > 0 {
		return errManyBits
	}
	c := x.packed
	for len(records) > 0 {
		n := min(len(records), leastTuples)
		if err := c.reserve(n); err != nil {
			return err
		}
		for _, record := range records[:n] {
			c.keys = append(c.keys, (record-x.first)<<x.rowBits|row)
		}
		records = records[n:]
	}
	return nil
}

func (x *inverted) addSeparate(row uint64, records []uint64) error {
	for _, record := range records {
		if err := x.wide.reserve(1); err != nil {
			return err
		}
		x.wide.keys = append(x.wide.keys, wide{record, row})
	}
	return nil
}

// next goes to the next row.
func (x *inverted) next() (err error) {
	if x.runs != nil {
		var c cell[uint64]
		c, x.more, err = x.runs.next()
		x.record, x.row = x.first+c.key>>x.rowBits, c.key&(1<<x.rowBits-1)
		return err
	}
	var c cell[wide]
	c, x.more, err = x.far.next()
	x.record, x.row = c.key[0], c.key[1]
	return err
}

// read appends the rows of the given records of a block, and their places among them. There is at
// least one record. Calls must ask for records in ascending order.
func (x *inverted) read(at []uint16, rows []uint64, key uint64, lows []uint16) ([]uint16, []uint64, error) {
	base, last, i := key<<16, key<<16|uint64(lows[len(lows)-1]), 0
	take := func(record, row uint64) {
		for base|uint64(lows[i]) < record {
			i++ // at the end the last one, which no record is behind
		}
		if base|uint64(lows[i]) == record {
			at, rows = append(at, uint16(i)), append(rows, row)
		}
	}
	mask := uint64(1)<<x.rowBits - 1
	for n, word := range x.sorted {
		record := x.first + word>>x.rowBits
		if record > last {
			x.sorted = x.sorted[n:]
			return at, rows, nil
		}
		take(record, word&mask)
	}
	x.sorted = nil
	for x.more && x.record <= last {
		take(x.record, x.row)
		if err := x.next(); err != nil {
			return at, rows, err
		}
	}
	return at, rows, nil
}

func (x *inverted) close() (err error) {
	if x.packed != nil {
		err = x.packed.close()
	}
	if x.wide != nil {
		err = errors.Join(err, x.wide.close())
	}
	return err
}
