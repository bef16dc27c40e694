// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// Count returns how many of the records another query fits. Cost: that of the query within them.
// Errors as of Snapshot.Count.
func (n *Selection) Count(ctx context.Context, q query.Expr) (uint64, error) {
	return eval.Count(ctx, n.s.lists, query.And{Of: []query.Expr{query.Bitmap{Bytes: n.set.Bytes()}, q}}, n.s.bindQuery)
}

// CountOf counts the records that have each of some values of a field. The counts are in the order
// of the values; an unknown value has 0. The values of a relation are records.
//
// Cost: for each value, a look-up and an intersection that is only counted. Errors:
// ErrUnknownField, ErrInvalid (an Integer field), ErrCorrupt, ctx's, or the store's.
func (n *Selection) CountOf(ctx context.Context, field string, values ...string) ([]uint64, error) {
	f, err := n.withRows(field)
	if err != nil {
		return nil, err
	}
	counts := make([]uint64, len(values))
	var l overlay.List
	for i, value := range values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, ok, err := n.row(f, value)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if err := n.s.lists.List(f.ID, row, &l); err != nil {
			return nil, err
		}
		counts[i] = l.AndLen(n.set.View())
	}
	return counts, nil
}

// row finds the row of a value.
func (n *Selection) row(f *schema.Bound, value string) (row uint64, ok bool, err error) {
	if f.Type != schema.Relation {
		return n.s.lists.Lookup(f.Space(), value)
	}
	row, err = n.s.ID(value)
	if errors.Is(err, ErrUnknownRecord) {
		return 0, false, nil
	}
	return row, err == nil, err
}
