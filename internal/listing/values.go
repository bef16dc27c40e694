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

// Values reads the values of records in a field, some records at a time. Texts that it has read it
// keeps for the next records. Not for concurrent use; the snapshot must stay open.
type Values struct {
	ctx   context.Context
	lists reader.Snapshot
	field *schema.Bound
	keys  binding.RowKeys
	words []uint64 // of some records
	rows  []rowOf
	texts []string // of rows
}

// NewValues returns a reader of a field of any type.
func NewValues(ctx context.Context, lists reader.Snapshot, f *schema.Bound) *Values {
	return &Values{ctx: ctx, lists: lists, field: f, keys: binding.RowKeys{Lists: lists, Field: f}}
}

// Texts tells the values of records, each with the place of its record in records. The records come
// in their order; the values of one in that in which they were first written, those of a relation
// in the order of the records that they are. An integer is told as its text.
//
// Cost: for each record a probe of the value column, or the list of a relation; least if the
// records ascend. A set field without a column has no place that knows the values of a record: then
// one walk over the whole field tells those of all the records. Errors: ctx's, or those of reading
// and of tell.
func (v *Values) Texts(records []uint64, tell func(i int, value string) error) error {
	if v.field.Type == schema.Integer {
		return v.Integers(records, func(i int, x int64) error { return tell(i, v.field.Text(x)) })
	}
	err := v.readRows(records, func() error { return v.tell(tell) })
	v.keys.Keep = true // who asks again reads many
	return err
}

// tell tells the texts of the rows that were read, and lets go of them.
func (v *Values) tell(tell func(i int, value string) error) error {
	v.texts = append(v.texts[:0], make([]string, len(v.rows))...)
	err := v.keys.Read(len(v.rows), func(i int) uint64 { return v.rows[i].row },
		func(i int, key string) { v.texts[i] = key })
	for i := 0; i < len(v.rows) && err == nil; i++ {
		err = tell(v.rows[i].at, v.texts[i])
	}
	v.rows = v.rows[:0]
	return err
}

// Integers is Texts of an integer field. Errors: also model.ErrInvalid, for a field without words.
func (v *Values) Integers(records []uint64, tell func(i int, x int64) error) error {
	return v.eachWord(records, func(i int, word uint64) error {
		x, err := reader.IntegerOf(v.lists, v.field.ID, records[i], word)
		if err != nil {
			return err
		}
		return tell(i, x)
	})
}

// eachWord calls fn with the word of each record that has one.
func (v *Values) eachWord(records []uint64, fn func(i int, word uint64) error) (err error) {
	for at := 0; at < len(records); at += recordsPerLook {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		some := records[at:min(at+recordsPerLook, len(records))]
		if v.words, err = v.lists.AppendWords(v.words[:0], v.field.ID, some); err != nil {
			return err
		}
		for i, word := range v.words {
			if word == 0 {
				continue
			}
			if err := fn(at+i, word); err != nil {
				return err
			}
		}
	}
	return nil
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

// rowsAtOnce is how many rows are read before they are told of, about.
const rowsAtOnce = 1 << 16

// readRows reads the rows of records, by their places, and those of one record ascending. It calls
// tell when there are many, and at the end.
func (v *Values) readRows(records []uint64, tell func() error) (err error) {
	var found []uint64
	var l overlay.List
	var c overlay.Cursor
	v.rows = v.rows[:0]
	add := func(i int, rows ...uint64) error {
		for _, row := range rows {
			if v.rows = append(v.rows, rowOf{i, row}); len(v.rows) < rowsAtOnce {
				continue
			}
			if err := tell(); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case v.field.Type == schema.Relation:
		err = each(v.ctx, records, func(i int, record uint64) error {
			if err := v.lists.List(v.field.ID, record, &l); err != nil {
				return err
			}
			found = l.AppendTo(found[:0], &c)
			return add(i, found...)
		})
	case v.field.Type == schema.Single:
		err = v.eachWord(records, func(i int, word uint64) error { return add(i, reader.RowOf(word)) })
	case v.lists.HasColumn(v.field.ID):
		err = each(v.ctx, records, func(i int, record uint64) (err error) {
			if found, err = v.lists.AppendRows(found[:0], v.field.ID, record); err != nil {
				return err
			}
			return add(i, found...)
		})
	default:
		v.rows, err = walk(v.ctx, v.lists, v.field, records)
	}
	if err != nil {
		return err
	}
	return tell()
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
