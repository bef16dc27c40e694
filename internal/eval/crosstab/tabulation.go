// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// tabulations keeps memory for the next ones.
var tabulations = sync.Pool{New: func() any { return new(tabulation) }}

// tabulation counts tables in one pass.
type tabulation struct {
	fields   []tableField
	tables   []table
	lists    []overlay.List // of the rows of all fields
	cursors  []overlay.Cursor
	blocks   []container.Block // theirs, of the container that is counted
	exists   overlay.List      // the records
	existing overlay.Cursor
	spread   container.Scratch
	decoded  container.Scratch
	met      [MaxFields - 1]container.Scratch
	held     int64
	sparse   bool     // the values were read record by record: lists were not held
	values   []values // of the fields, if thin
	lows     []uint16 // scratch, if thin
}

// tableField is a field of tables, and where its rows are among the lists.
type tableField struct {
	id          uint32
	first, rows int
	whole       bool // every record is in one row, so that the last one has what the others leave
	spare       bool // and no table needs its list
}

// table is one answer on its way.
type table struct {
	number int   // its place among the tables asked for
	fields []int // in the tabulation
	counts []uint64
	// the table of all fields but the first, which is whole, and whose last row has what the others
	// leave of that table; -1: none
	tail int
}

// count counts those tables that fit.
func (t *tabulation) count(ctx context.Context, snap reader.Snapshot, tables [][]By, set view.View) error {
	rows := 0
	for number, fields := range tables {
		rows = t.take(snap, number, fields, rows)
	}
	if len(t.tables) == 0 {
		return nil
	}
	if isThin(set) {
		if err := t.byRecords(ctx, snap, set); t.sparse || err != nil {
			return err
		}
	}
	switch err := t.hold(snap, rows); {
	case errors.Is(err, model.ErrMemory): // the lists do not fit into it together
		t.tables = t.tables[:0]
		return nil
	case err != nil:
		return err
	}
	if err := t.wholes(snap); err != nil {
		return err
	}
	cursor := set.Cursor(&t.decoded)
	for ok := cursor.Next(); ok; ok = cursor.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.block(cursor.Block())
	}
	t.rest()
	return nil
}

// take takes a table in if it fits, and returns how many rows all fields have then.
func (t *tabulation) take(snap reader.Snapshot, number int, fields []By, rows int) int {
	before := len(t.fields)
	x := table{number: number}
	cells, wanted := 1, rows
	for _, by := range fields {
		id := by.Field
		if snap.KindOf(id) == model.Integers {
			t.fields = t.fields[:before]
			return rows
		}
		at := t.find(id)
		if at < 0 {
			n, ok := snap.FewRows(id, tableRows)
			if !ok {
				t.fields = t.fields[:before]
				return rows
			}
			at = len(t.fields)
			t.fields = append(t.fields, tableField{id: id, first: wanted, rows: n})
			wanted += n
		}
		x.fields = append(x.fields, at)
		cells *= t.fields[at].rows
	}
	if cells > tableCells || wanted > tablesRows {
		t.fields = t.fields[:before]
		return rows
	}
	x.counts = make([]uint64, cells)
	t.tables = append(t.tables, x)
	return wanted
}

// find returns where a field is; -1: nowhere.
func (t *tabulation) find(id uint32) int {
	return slices.IndexFunc(t.fields, func(f tableField) bool { return f.id == id })
}

// hold reads the lists of all rows.
func (t *tabulation) hold(snap reader.Snapshot, rows int) error {
	t.lists = slices.Grow(t.lists[:0], rows)[:rows]
	t.cursors = slices.Grow(t.cursors[:0], rows)[:rows]
	t.blocks = slices.Grow(t.blocks[:0], rows)[:rows]
	for _, f := range t.fields {
		for row := range f.rows {
			l := &t.lists[f.first+row]
			if err := snap.List(f.id, uint64(row), l); err != nil {
				return err
			}
			if err := snap.Take(l.Bytes()); err != nil {
				return err
			}
			t.held += l.Bytes()
			t.cursors[f.first+row].Reset(l)
		}
	}
	return nil
}

// wholes finds out which fields have a row for every record, and what follows from that.
func (t *tabulation) wholes(snap reader.Snapshot) error {
	if err := snap.List(model.Exists, 0, &t.exists); err != nil {
		return err
	}
	t.existing.Reset(&t.exists)
	all := t.exists.Len()
	for i := range t.fields {
		f := &t.fields[i]
		if snap.KindOf(f.id) != model.Rows || f.rows == 0 {
			continue
		}
		sum := uint64(0)
		for k := range f.rows {
			sum += t.lists[f.first+k].Len()
		}
		f.whole = sum == all
	}
	for i := range t.tables {
		x := &t.tables[i]
		if x.tail = -1; len(x.fields) > 1 && t.fields[x.fields[0]].whole {
			x.tail = slices.IndexFunc(t.tables, func(y table) bool { return slices.Equal(y.fields, x.fields[1:]) })
		}
	}
	for i := range t.fields {
		f := &t.fields[i]
		f.spare = f.whole && !slices.ContainsFunc(t.tables, func(x table) bool { return x.needsLast(i) })
	}
	return nil
}

// needsLast reports whether a table needs the list of the last row of a field that is whole: to go
// on with the fields behind it.
func (x *table) needsLast(field int) bool {
	at := slices.Index(x.fields, field)
	return at > 0 && at < len(x.fields)-1 || at == 0 && len(x.fields) > 1 && x.tail < 0
}

// rest fills in the last rows of tables that another one leaves them. A tail has fewer fields, and
// is filled in before.
func (t *tabulation) rest() {
	for fields := 2; fields <= MaxFields; fields++ {
		for i := range t.tables {
			x := &t.tables[i]
			if len(x.fields) != fields || x.tail < 0 {
				continue
			}
			each := len(t.tables[x.tail].counts)
			last := x.counts[len(x.counts)-each:]
			copy(last, t.tables[x.tail].counts)
			for cell, n := range x.counts[:len(x.counts)-each] {
				last[cell%each] -= n
			}
		}
	}
}

// block counts one block of the set.
func (t *tabulation) block(set container.Block) {
	key := set.Key
	all := 0 // of its records that exist
	if t.existing.Seek(key) && t.existing.Key() == key {
		all = set.AndLen(t.existing.Block())
	}
	if set.Len() >= spreadLen {
		set = t.spread.Spread(set)
	}
	for k := range t.fields {
		f := &t.fields[k]
		end := f.first + f.rows
		if f.spare {
			end--
		}
		for i := f.first; i < end; i++ {
			c := &t.cursors[i]
			if t.blocks[i] = (container.Block{}); c.Seek(key) && c.Key() == key {
				t.blocks[i] = c.Block()
			}
		}
	}
	for i := range t.tables {
		x := &t.tables[i]
		t.cells(x.fields, set, uint64(all), x.counts, x.tail >= 0)
	}
}

// cells counts a block in the cells of a table, or of its remaining fields. all is how many of its
// records exist. If rest is true, it leaves out the last row of the first field.
func (t *tabulation) cells(fields []int, set container.Block, all uint64, counts []uint64, rest bool) {
	f := &t.fields[fields[0]]
	rows := t.blocks[f.first : f.first+f.rows]
	if len(fields) == 1 {
		if f.whole {
			rows = rows[:len(rows)-1]
		}
		for row := range rows {
			n := uint64(rows[row].AndLen(set))
			counts[row] += n
			all -= n
		}
		if f.whole {
			counts[len(rows)] += all
		}
		return
	}
	each := len(counts) / max(1, f.rows)
	if rest {
		rows = rows[:len(rows)-1]
	}
	for row := range rows {
		if met := t.met[len(fields)-2].Meet(set, rows[row]); !met.IsEmpty() {
			t.cells(fields[1:], met, uint64(met.Len()), counts[row*each:(row+1)*each], false)
		}
	}
}

// groups returns the cells of a table that have records, in the order of Groups. If totals is true,
// they have the totals of rows.
func (t *tabulation) groups(x *table, totals bool) []Group {
	n := 0
	for _, count := range x.counts {
		if count > 0 {
			n++
		}
	}
	groups := make([]Group, 0, n)
	for cell, count := range x.counts {
		if count == 0 {
			continue
		}
		g := Group{Count: count}
		if totals && len(x.fields) == 1 {
			g.Total = t.total(x.fields[0], cell)
		}
		for i := len(x.fields) - 1; i >= 0; i-- {
			rows := t.fields[x.fields[i]].rows
			g.Rows[i] = uint64(cell % rows)
			cell /= rows
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, orderGroups)
	return groups
}

// total returns how many records a row of a field has.
func (t *tabulation) total(field, row int) uint64 {
	if t.sparse {
		return t.values[field].sizes.Len(uint64(row))
	}
	return t.lists[t.fields[field].first+row].Len()
}

// release lets go of the lists, and keeps the memory.
func (t *tabulation) release(snap reader.Snapshot) {
	snap.Give(t.held)
	for i := range t.lists {
		t.cursors[i].Release()
		t.lists[i].SetView(view.View{})
		t.blocks[i] = container.Block{}
	}
	t.releaseValues()
	t.existing.Release()
	t.exists.SetView(view.View{})
	clear(t.tables)
	t.held, t.fields, t.tables, t.lists = 0, t.fields[:0], t.tables[:0], t.lists[:0]
}

// Bounds of tables that are counted together: their lists are held, and walked over side by side.
const (
	tableRows  = 64      // of a field
	tablesRows = 256     // of all fields
	tableCells = 1 << 12 // of a table
)

// spreadLen is from how many values on a block of the set is intersected as a bitset.
const spreadLen = 256

// tabulated is Tables of one table; not ok if it has too many cells, or its lists no room.
func tabulated(ctx context.Context, snap reader.Snapshot, by []By, set view.View) (groups []Group, ok bool,
	err error) {
	t := tabulations.Get().(*tabulation)
	defer tabulations.Put(t)
	defer t.release(snap)
	if err := t.count(ctx, snap, [][]By{by}, set); err != nil || len(t.tables) == 0 {
		return nil, false, err
	}
	return t.groups(&t.tables[0], false), true, nil
}
