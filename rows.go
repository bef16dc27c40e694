// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"iter"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/listing"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/schema"
)

// Row is one value of a field, with the number of records that have it, at least one.
type Row struct {
	Key string
	Len uint64
}

// Rows returns the values of a field that records have, each with its count. They are in the order
// in which they were first written. The values of a relation are the records that have others in
// it. It ends with the first error.
//
// Rows reads pages past the cache, so a walk does not evict what queries need. Its memory does not
// grow with the field. Cost: a read of each page of the field and of its keys.
//
// Errors: ErrUnknownField, ErrInvalid (an Integer field, whose values are no rows), ErrCorrupt,
// ctx's, or the store's.
func (s Snapshot) Rows(ctx context.Context, field string) iter.Seq2[Row, error] {
	return s.RowsFrom(ctx, field, 0)
}

// RowsFrom is Rows from a row on, by the number that RowID.Number returns.
func (s Snapshot) RowsFrom(ctx context.Context, field string, from uint64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		f, err := s.field(field)
		if err == nil && f.Type == schema.Integer {
			err = invalid("%s: got a field of type %q, want a set, a single value or a relation", field, f.Type)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		keys := s.lists.Keys(f.Space())
		var key []byte
		stop := errors.New("uproar: no more rows are wanted")
		err = s.lists.Rows(ctx, f.ID, from, func(row uint64, l *overlay.List) error {
			n := l.Len()
			if n == 0 {
				return nil
			}
			text, ok, err := keys.Append(key[:0], row)
			if key = text; err != nil {
				return err
			}
			if !ok {
				return binding.RowWithoutKey(field, row)
			}
			if !yield(Row{Key: string(key), Len: n}, nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(Row{}, err)
		}
	}
}

// RowID names one value of a Set or Single field by numbers. Queries by it need no look-up of the
// value. It never changes. Once the field is dropped, later snapshots find no record by it.
type RowID struct {
	field uint32
	row   uint64
}

// Number returns the number of the value in its field, which no other gets.
func (id RowID) Number() uint64 { return id.row }

// RowID looks a value of a field up. ok is false when no record ever had it. The value is not kept.
// Errors: ErrUnknownField, ErrInvalid (a field of another type), ErrCorrupt, or the store's.
func (s Snapshot) RowID(field, value string) (id RowID, ok bool, err error) {
	f, err := s.field(field)
	if err != nil {
		return RowID{}, false, err
	}
	if f.Type != schema.Set && f.Type != schema.Single {
		return RowID{}, false, invalid("%s: got a field of type %q, want %q or %q", field, f.Type, schema.Set,
			schema.Single)
	}
	row, ok, err := s.lists.Lookup(model.KeySpace(f.ID), value)
	return RowID{f.ID, row}, ok, err
}

// AppendAnd appends to dst the IDs of the records that have every one of some values. They are
// ascending, at most limit of them (0: all). more reports whether there are more. It is a
// conjunction without a query. It allocates nothing but what dst needs when all pages are in the
// cache. Without values there are no records. Errors as of Count.
func (s Snapshot) AppendAnd(ctx context.Context, dst []uint64, limit int, of ...RowID) (ids []uint64, more bool,
	err error) {
	if limit < 0 {
		return dst, false, invalid("limit: got %d, want 0 or more", limit)
	}
	var room [16]eval.Row
	rows := room[:0]
	for _, id := range of {
		if s.schema.Dropped(id.field) != nil {
			return dst, false, nil
		}
		rows = append(rows, eval.Row{Field: id.field, Row: id.row})
	}
	return eval.AppendAnd(ctx, dst, s.lists, limit, rows...)
}

// IntOf is Int for the ID of a record: it returns its integer in an Integer field.
func (s Snapshot) IntOf(field string, record uint64) (x int64, ok bool, err error) {
	f, err := s.typed(field, schema.Integer)
	if err != nil {
		return 0, false, err
	}
	return s.lists.Int(f.ID, record)
}

// AppendValueOf is Value for the ID of a record: it appends its value in a Single field.
func (s Snapshot) AppendValueOf(dst []byte, field string, record uint64) (value []byte, ok bool, err error) {
	f, err := s.typed(field, schema.Single)
	if err != nil {
		return dst, false, err
	}
	row, ok, err := s.lists.Value(f.ID, record)
	if err != nil || !ok {
		return dst, false, err
	}
	value, ok, err = s.lists.AppendKey(dst, model.KeySpace(f.ID), row)
	if err == nil && !ok {
		err = binding.RowWithoutKey(field, row)
	}
	return value, ok, err
}

// HasRow reports whether a record has a value that was looked up: one probe of one posting list.
// Errors: ErrCorrupt, ErrClosed, or the store's.
func (s Snapshot) HasRow(of RowID, record uint64) (bool, error) {
	if s.schema.Dropped(of.field) != nil {
		return false, nil
	}
	return s.lists.Contains(of.field, of.row, record)
}

// ValuesOf returns the values of a record, given by its ID, as Values tells them.
func (s Snapshot) ValuesOf(field string, record uint64) (values []string, err error) {
	of, err := s.Values(context.Background(), field)
	if err == nil {
		err = of.Texts([]uint64{record}, func(_ int, value string) error {
			values = append(values, value)
			return nil
		})
	}
	return values, err
}

// Values reads the values of records, given by their IDs, some records at a time.
type Values = listing.Values

// Values returns a reader of a field of any type. Cost: a probe for each record; a Set field
// without a Column is walked over for each call, whole. Errors: ErrUnknownField, ErrClosed.
func (s Snapshot) Values(ctx context.Context, field string) (*Values, error) {
	f, err := s.field(field)
	if err != nil {
		return nil, err
	}
	return listing.NewValues(ctx, s.lists, f), nil
}
