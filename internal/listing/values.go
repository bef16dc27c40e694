// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package listing shows records as the lines of a table: which values they have, and in which
// order they stand.
package listing

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/schema"
)

// recordsPerLook is how many records are read between two looks at the context.
const recordsPerLook = 256

// Values tells the values of records in a field, each with the place of the record in records. The
// values of one record come in the order in which they were first written, those of a relation in
// the order of the records that they are. An integer is told as its text.
//
// Cost: for each record a probe of the value column, or the list of a relation. A set field without
// a column has no place that knows the values of a record: then one walk over the whole field tells
// those of all the records. Errors: ctx's, or those of reading and of tell.
func Values(ctx context.Context, lists reader.Snapshot, f *schema.Bound, records []uint64,
	tell func(i int, value string) error) error {
	if f.Type == schema.Integer {
		return each(ctx, records, func(i int, record uint64) error {
			x, ok, err := lists.Int(f.ID, record)
			if err != nil || !ok {
				return err
			}
			return tell(i, f.Text(x))
		})
	}
	rows, err := rowsOf(ctx, lists, f, records)
	if err != nil {
		return err
	}
	keys := binding.RowKeys{Lists: lists, Field: f}
	values := make([]string, len(rows))
	err = keys.Read(len(rows), func(i int) uint64 { return rows[i].row }, func(i int, key string) { values[i] = key })
	for i := 0; i < len(rows) && err == nil; i++ {
		err = tell(rows[i].at, values[i])
	}
	return err
}

// each calls fn with each record, and looks at the context between.
func each(ctx context.Context, records []uint64, fn func(i int, record uint64) error) error {
	for i, record := range records {
		if i%recordsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := fn(i, record); err != nil {
			return err
		}
	}
	return nil
}

// rowOf is a row that the record at a place has.
type rowOf struct {
	at  int
	row uint64
}

// rowsOf returns the rows of records, by their places, and those of one record ascending.
func rowsOf(ctx context.Context, lists reader.Snapshot, f *schema.Bound, records []uint64) (rows []rowOf, err error) {
	var found []uint64
	var l overlay.List
	var c overlay.Cursor
	switch {
	case f.Type == schema.Relation:
		err = each(ctx, records, func(i int, record uint64) error {
			if err := lists.List(f.ID, record, &l); err != nil {
				return err
			}
			found = l.AppendTo(found[:0], &c)
			for _, row := range found {
				rows = append(rows, rowOf{i, row})
			}
			return nil
		})
	case lists.HasColumn(f.ID):
		err = each(ctx, records, func(i int, record uint64) (err error) {
			found, err = lists.AppendRows(found[:0], f.ID, record)
			for _, row := range found {
				rows = append(rows, rowOf{i, row})
			}
			return err
		})
	default:
		rows, err = walk(ctx, lists, f, records)
	}
	return rows, err
}

// fewRecords is up to how many records are looked up one by one in each list.
const fewRecords = 16

// walk finds the rows of records in the lists of a field without a column.
func walk(ctx context.Context, lists reader.Snapshot, f *schema.Bound, records []uint64) (rows []rowOf, err error) {
	if len(records) == 0 {
		return nil, nil
	}
	set, places := new(mutable.Bitmap), make(map[uint64][]int, len(records))
	for i, record := range records {
		set.Add(record)
		places[record] = append(places[record], i)
	}
	var c overlay.Cursor
	put := func(row, record uint64) {
		for _, at := range places[record] {
			rows = append(rows, rowOf{at, row})
		}
	}
	err = lists.Rows(ctx, f.ID, 0, func(row uint64, l *overlay.List) error {
		if len(places) > fewRecords {
			for record := range l.And(set.View(), &c).All() {
				put(row, record)
			}
			return nil
		}
		for record := range places {
			if l.Contains(record) {
				put(row, record)
			}
		}
		return nil
	})
	slices.SortFunc(rows, func(a, b rowOf) int {
		if a.at != b.at {
			return a.at - b.at
		}
		if a.row < b.row {
			return -1
		}
		return 1
	})
	return rows, err
}

// appendKey appends the key of a record, which keys reads.
func appendKey(keys *reader.KeyReader, dst []byte, record uint64) ([]byte, error) {
	dst, ok, err := keys.Append(dst, record)
	if err == nil && !ok {
		err = binding.RecordWithoutKey(record)
	}
	return dst, err
}
