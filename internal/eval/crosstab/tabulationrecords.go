// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// recordsLen is the most records a block, on average, whose values are read one by one. Lists have
// a bit for each record: that is more memory then.
const recordsLen = 1024

// isThin reports whether a set has few enough records a block to read their values one by one.
func isThin(set view.View) bool {
	first, ok := set.Min()
	last, _ := set.Max()
	return ok && set.Len()/(last>>16-first>>16+1) <= recordsLen
}

// values is the values of a field, read record by record.
type values struct {
	from  reader.Values
	sizes *reader.RowSizes
	codes []uint16 // of the records of a block
}

// byRecords counts the tables whose fields are all single-valued, in the value columns of these:
// no list is touched.
func (t *tabulation) byRecords(ctx context.Context, snap reader.Snapshot, set view.View) error {
	for i := range t.fields {
		f := &t.fields[i]
		from, ok, err := snap.Values(ctx, f.id, f.rows)
		if !ok || err != nil {
			return err
		}
		sizes, err := snap.RowSizes(ctx, f.id)
		switch {
		case errors.Is(err, model.ErrMemory): // there are ways to count that take none of it
			return nil
		case err != nil:
			return err
		}
		t.values = slices.Grow(t.values, 1)[:i+1] // with the room for codes that was there before
		t.values[i].from, t.values[i].sizes = from, sizes
	}
	cursor := set.Cursor(&t.decoded)
	for ok := cursor.Next(); ok; ok = cursor.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.lows = cursor.Block().AppendLow(t.lows[:0])
		for i := range t.values {
			v := &t.values[i]
			var err error
			if v.codes, err = v.from.Append(v.codes[:0], cursor.Key(), t.lows); err != nil {
				return err
			}
		}
		for i := range t.tables {
			t.tables[i].records(t)
		}
	}
	t.sparse = true
	return nil
}

// records counts the records whose values were read.
func (x *table) records(t *tabulation) {
	switch first := t.values[x.fields[0]].codes; len(x.fields) {
	case 1:
		x.single(first)
	case 2:
		rows := t.fields[x.fields[1]].rows
		for i, c := range t.values[x.fields[1]].codes {
			if first[i] > 0 && c > 0 {
				x.counts[(int(first[i])-1)*rows+int(c)-1]++
			}
		}
	default:
		x.cells(t, first)
	}
}

// single counts the codes of one field in four tables by turns: of few values the next record often
// has that of the one before, and waits for its counter.
func (x *table) single(codes []uint16) {
	const mask = 2*tableRows - 1
	var counts [4][mask + 1]uint32
	for ; len(codes) >= 4; codes = codes[4:] {
		four := (*[4]uint16)(codes)
		counts[0][four[0]&mask]++
		counts[1][four[1]&mask]++
		counts[2][four[2]&mask]++
		counts[3][four[3]&mask]++
	}
	for _, c := range codes {
		counts[0][c&mask]++
	}
	for row := range x.counts {
		c := (row + 1) & mask
		x.counts[row] += uint64(counts[0][c]) + uint64(counts[1][c]) + uint64(counts[2][c]) + uint64(counts[3][c])
	}
}

// cells counts combinations of the codes of any number of fields.
func (x *table) cells(t *tabulation, first []uint16) {
	for i, c := range first {
		cell := int(c) - 1
		for _, f := range x.fields[1:] {
			c := t.values[f].codes[i]
			if c == 0 {
				cell = -1
			}
			if cell < 0 {
				break
			}
			cell = cell*t.fields[f].rows + int(c) - 1
		}
		if cell >= 0 {
			x.counts[cell]++
		}
	}
}

// releaseValues lets go of what the values were read from, and keeps the memory.
func (t *tabulation) releaseValues() {
	for i := range t.values {
		v := &t.values[i]
		v.from = reader.Values{}
		v.sizes.Close()
		v.sizes = nil
	}
	t.values, t.sparse = t.values[:0], false
}
