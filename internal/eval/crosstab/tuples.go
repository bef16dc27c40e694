// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"errors"
	"sync"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Dense cells are counted in place: those of tuples of few bits, if they are not many more than the
// records.
const (
	denseBits      = 22
	denseAlways    = 12
	densePerRecord = 4
)

// tupleCounter counts the records of a set by the tuples of their values, one pass over the
// records.
type tupleCounter struct {
	ctx     context.Context
	snap    reader.Snapshot
	columns []*groupColumn
	shifts  [MaxFields]int // of the values in a packed tuple

	values [MaxFields][]uint64 // of tuples that are not counted yet: one of each column
	add    func() error        // counts them

	dense  []uint64 // cells by their tuples; nil: cells are sorted
	held   int64
	packed *cells[uint64]
	wide   *cells[wide]
}

// count counts the records of a set by some fields. The caller closes it, also after an error.
func (t *tupleCounter) count(by []By, set view.View) error {
	err := t.countPacked(by, set)
	if errors.Is(err, errManyBits) {
		if err = t.close(); err == nil {
			err = t.countSeparate(by, set)
		}
	}
	for _, c := range t.columns { // which only say from now on what values stand for
		err = closed(err, c.close())
	}
	return err
}

// open opens the columns, and returns how many bits their values need together.
func (t *tupleCounter) open(by []By, set view.View) (width int, err error) {
	t.columns = make([]*groupColumn, len(by))
	errs := make([]error, len(by))
	var group sync.WaitGroup // a field that is read from its lists takes most of the time
	for i := range by[1:] {
		group.Go(func() { t.columns[i+1], errs[i+1] = newGroupColumn(t.ctx, t.snap, by[i+1], set) })
	}
	t.columns[0], errs[0] = newGroupColumn(t.ctx, t.snap, by[0], set)
	group.Wait()
	for _, c := range t.columns {
		width += c.bits
	}
	return width, errors.Join(errs...)
}

// countPacked counts tuples that fit into a word each. Errors: errManyBits, if they do not.
func (t *tupleCounter) countPacked(by []By, set view.View) error {
	width, err := t.open(by, set)
	if err == nil && width > 64 {
		err = errManyBits
	}
	if err != nil {
		return err
	}
	shift := width
	for i, c := range t.columns {
		shift -= c.bits
		t.shifts[i] = shift
	}
	if width <= denseAlways || width <= denseBits && 1<<width <= densePerRecord*set.Len() {
		err := t.snap.Take(8 << width)
		if err == nil {
			t.held, t.dense = 8<<width, make([]uint64, 1<<width)
		} else if err := ignoreMemory(err); err != nil {
			return err
		}
	}
	if t.dense == nil {
		t.packed = newCells[uint64](t.ctx, t.snap, 0, width)
	}
	t.add = t.addPacked
	return t.walkAll(set)
}

// countSeparate counts tuples that have a word for each number.
func (t *tupleCounter) countSeparate(by []By, set view.View) error {
	if _, err := t.open(by, set); err != nil {
		return err
	}
	t.wide = newCells[wide](t.ctx, t.snap, 0, 0)
	t.add = t.addSeparate
	return t.walkAll(set)
}

// readsAtOnce is how many records are read in each column before their tuples are counted.
// mostTuples is how many tuples are counted at once.
const (
	readsAtOnce = 1 << 12
	mostTuples  = 1 << 10
)

// walk reads the values of the records in containers from one on, and before another, and counts
// their tuples.
func (t *tupleCounter) walk(set view.View, from, before uint64) error {
	var decoded container.Scratch
	var lows []uint16
	cursor := set.Cursor(&decoded)
	for ok := cursor.Seek(from); ok && cursor.Key() < before; ok = cursor.Next() {
		lows = cursor.Block().AppendLow(lows[:0])
		for rest := lows; len(rest) > 0; {
			if err := t.ctx.Err(); err != nil {
				return err
			}
			some := rest[:min(len(rest), readsAtOnce)]
			rest = rest[len(some):]
			for _, c := range t.columns {
				if err := c.read(cursor.Key(), some); err != nil {
					return err
				}
			}
			if err := t.join(); err != nil {
				return err
			}
		}
	}
	return t.flush()
}

// join makes the tuples of the records read that have a value in each column.
func (t *tupleCounter) join() error {
	var from, to [MaxFields]int // the values of a record in each column
	first := t.columns[0]
	for to[0] < len(first.at) {
		spot, tuples := first.at[to[0]], 1
		for k, c := range t.columns {
			at := to[k]
			for at < len(c.at) && c.at[at] < spot {
				at++
			}
			from[k] = at
			for at < len(c.at) && c.at[at] == spot {
				at++
			}
			to[k] = at
			tuples *= min(at-from[k], 2)
		}
		switch tuples {
		case 0:
			continue
		case 1:
			for k, c := range t.columns {
				t.values[k] = append(t.values[k], c.values[from[k]])
			}
		default:
			if err := t.multiply(from, to); err != nil {
				return err
			}
		}
		if len(t.values[0]) >= mostTuples {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// multiply makes the tuples of a record that has several values.
func (t *tupleCounter) multiply(from, to [MaxFields]int) error {
	for at := from; ; {
		for k, c := range t.columns {
			t.values[k] = append(t.values[k], c.values[at[k]])
		}
		if len(t.values[0]) >= mostTuples {
			if err := t.flush(); err != nil {
				return err
			}
		}
		k := len(t.columns) - 1
		for at[k]++; at[k] == to[k]; at[k]++ {
			if at[k] = from[k]; k == 0 {
				return nil
			}
			k--
		}
	}
}

// flush counts the tuples that were made.
func (t *tupleCounter) flush() error {
	if len(t.values[0]) == 0 {
		return nil
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	err := t.add()
	for k := range t.values {
		t.values[k] = t.values[k][:0]
	}
	return err
}

// addPacked counts tuples, each in one word.
func (t *tupleCounter) addPacked() error {
	keys, over := t.values[0], uint64(0)
	for k, c := range t.columns {
		shift, values := t.shifts[k], t.values[k][:len(keys)]
		all := uint64(0)
		for i, v := range values {
			all |= v
			if k == 0 {
				keys[i] = v << shift
			} else {
				keys[i] |= v << shift
			}
		}
		over |= all >> c.bits
	}
	if over > 0 {
		return errManyBits
	}
	if t.dense != nil {
		for _, key := range keys {
			t.dense[key]++
		}
		return nil
	}
	if err := t.packed.reserve(len(keys)); err != nil {
		return err
	}
	t.packed.keys = append(t.packed.keys, keys...)
	return nil
}

// addSeparate counts tuples, each in as many words as it has numbers.
func (t *tupleCounter) addSeparate() error {
	if err := t.wide.reserve(len(t.values[0])); err != nil {
		return err
	}
	for i := range t.values[0] {
		var key wide
		for k := range t.columns {
			key[k] = t.values[k][i]
		}
		t.wide.keys = append(t.wide.keys, key)
	}
	return nil
}

// each calls fn with every cell whose tuple is packed, in ascending order.
func (t *tupleCounter) each(fn func(*cell[uint64]) error) error {
	if t.dense == nil {
		return t.packed.each(fn)
	}
	var x cell[uint64]
	for key, n := range t.dense {
		if n == 0 {
			continue
		}
		x.key, x.n = uint64(key), n
		if err := fn(&x); err != nil {
			return err
		}
	}
	return nil
}

// unpack returns the values of a packed tuple.
func (t *tupleCounter) unpack(key uint64) (values wide) {
	for k, c := range t.columns {
		values[k] = key >> t.shifts[k] & (1<<c.bits - 1)
	}
	return values
}

// group returns the group of a tuple.
func (t *tupleCounter) group(values wide, n uint64) (g Group) {
	g.Count = n
	for k, c := range t.columns {
		g.Rows[k] = c.row(values[k])
	}
	return g
}

// close lets go of memory and files.
func (t *tupleCounter) close() (err error) {
	t.snap.Give(t.held)
	if t.packed != nil {
		err = errors.Join(err, t.packed.close())
	}
	if t.wide != nil {
		err = errors.Join(err, t.wide.close())
	}
	for _, c := range t.columns {
		err = errors.Join(err, c.close())
	}
	*t = tupleCounter{ctx: t.ctx, snap: t.snap}
	return err
}
