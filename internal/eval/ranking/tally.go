// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// tally counts how often records occur in lists: in a table by their number when the lists have a
// good part of all records, else in a map.
type tally struct {
	snap  reader.Snapshot
	table []uint32
	few   map[uint64]uint32
	held  int64 // memory counted against the bound of the database
}

const (
	tablePart = 16 // part of all records that makes a table worth its memory
	fewBytes  = 32 // an entry of the map, about
)

// count counts the records of rows of a field.
func (t *tally) count(ctx context.Context, field uint32, rows []uint64) error {
	var list overlay.List
	values := uint64(0)
	for i, row := range rows {
		if i%recordsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.snap.List(field, row, &list); err != nil {
			return err
		}
		values += list.AtMost()
	}
	if err := t.snap.List(model.Exists, 0, &list); err != nil {
		return err
	}
	if err := t.reserve(&list, values); err != nil {
		return err
	}
	var cursor overlay.Cursor
	var lows []uint16
	steps := 0
	for _, row := range rows {
		if err := t.snap.List(field, row, &list); err != nil {
			return err
		}
		cursor.Reset(&list)
		for more := cursor.Seek(0); more; more = cursor.Next() {
			if steps++; steps%recordsPerLook == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			base := cursor.Key() << 16
			lows = cursor.Block().AppendLow(lows[:0])
			if t.table == nil {
				for _, low := range lows {
					t.few[base|uint64(low)]++
				}
				continue
			}
			for _, low := range lows {
				if id := base | uint64(low); id < uint64(len(t.table)) { // as it is unless the pages are damaged
					t.table[id]++
				}
			}
		}
		cursor.Release()
	}
	return nil
}

// reserve takes memory for the counts of the values of the universe's records, which are at most so
// many.
func (t *tally) reserve(universe *overlay.List, values uint64) error {
	last, ok := universe.Max()
	if !ok {
		last = 0
	}
	if values*tablePart < last {
		t.held = fewBytes * int64(values)
		if err := t.snap.Take(t.held); err != nil {
			t.held = 0
			return err
		}
		t.few = make(map[uint64]uint32, values)
		return nil
	}
	t.held = 4 * int64(last+1)
	if err := t.snap.Take(t.held); err != nil {
		t.held = 0
		return err
	}
	t.table = make([]uint32, last+1)
	return nil
}

// release gives the memory back.
func (t *tally) release() { t.snap.Give(t.held) }

// drop takes a record out.
func (t *tally) drop(id uint64) {
	switch {
	case t.table == nil:
		delete(t.few, id)
	case id < uint64(len(t.table)):
		t.table[id] = 0
	}
}

// each calls fn with each record that was met.
func (t *tally) each(fn func(id, count uint64)) {
	for id, count := range t.few {
		fn(id, uint64(count))
	}
	for id, count := range t.table {
		if count > 0 {
			fn(uint64(id), uint64(count))
		}
	}
}
