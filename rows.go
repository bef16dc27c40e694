// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"iter"

	"github.com/uproar-db/uproar/internal/binding"
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
	return func(yield func(Row, error) bool) {
		f, err := s.field(field)
		if err == nil && f.Type == schema.Integer {
			err = invalid("%s: got a field of type %q, want one that has rows", field, f.Type)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		keys := s.lists.Keys(f.Space())
		var key []byte
		stop := errors.New("uproar: no more rows are wanted")
		err = s.lists.Rows(ctx, f.ID, 0, func(row uint64, l *overlay.List) error {
			n := l.Len()
			if n == 0 {
				return nil
			}
			var ok bool
			var err error
			if key, ok, err = keys.Append(key[:0], row); err != nil {
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
