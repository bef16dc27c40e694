// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/listing"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// Selection is the records that a query fits in a snapshot. The query runs once, and any number of
// questions may follow. Answers are exact. A Selection is valid as long as the snapshot is open,
// and safe for concurrent use.
type Selection struct {
	s   Snapshot
	set *mutable.Bitmap
}

// Select finds the records that a query fits. Cost: the query, and a bitmap of its records in
// memory. Errors as of Count.
func (s Snapshot) Select(ctx context.Context, q query.Expr) (*Selection, error) {
	set, err := recordsOf(ctx, s, q)
	if err != nil {
		return nil, err
	}
	return &Selection{s: s, set: set}, nil
}

// Len returns the number of records.
func (n *Selection) Len() uint64 { return n.set.Len() }

// View returns the IDs of the records as a serialized bitmap, borrowed; its bytes may stand in a
// query.Bitmap.
func (n *Selection) View() bitmap.View { return bitmap.View(n.set.View()) }

// IDs returns a page of record IDs. Errors: ErrInvalid.
func (n *Selection) IDs(p Page) (IDs, error) {
	if p.Limit < 0 {
		return IDs{}, invalid("limit: got %d, want 0 or more", p.Limit)
	}
	var out IDs
	for id := range n.set.View().From(p.From) {
		if p.Limit > 0 && len(out.IDs) == p.Limit {
			out.More, out.Next = true, out.IDs[p.Limit-1]+1
			break
		}
		out.IDs = append(out.IDs, id)
	}
	return out, nil
}

// Order says by what records are sorted: an Integer or Single field, or, without one, their keys.
type Order struct {
	Field      string
	Descending bool
}

// Place is the place of a record in an order, also in later snapshots.
type Place = listing.Place

// Sorted returns the first of the records in an order, at most limit of them; after is the last
// place of the page before, or nil. Records without a value come last, equal ones by their IDs.
//
// Cost: by an Integer field an intersection for each of its bits, and sorting what is returned. By
// a Single field or the key, a look at each record. Errors: ErrUnknownField, ErrInvalid,
// ErrCorrupt, ctx's, or the store's.
func (n *Selection) Sorted(ctx context.Context, by []Order, after *Place, limit int) ([]Place, error) {
	orders, err := n.orders(by, after, limit)
	if err != nil {
		return nil, err
	}
	return listing.Sorted(ctx, n.s.lists, n.set.View(), orders, after, limit)
}

// Sorting goes through records in an order, the first one first. Close it at the end.
type Sorting = listing.Sorting

// Sort is Sorted of any number of records, which Sorting.Next reads one after the other; a limit of
// 0: all. They are sorted once, in temporary files where they have no room in memory: the cost of
// one does not grow with their number. Errors as of Sorted; those of reading come later.
func (n *Selection) Sort(ctx context.Context, by []Order, after *Place, limit int) (*Sorting, error) {
	orders, err := n.orders(by, after, limit)
	if err != nil {
		return nil, err
	}
	return listing.Sort(ctx, n.s.lists, n.set.View(), orders, after, limit), nil
}

// orders finds the fields of an order.
func (n *Selection) orders(by []Order, after *Place, limit int) ([]listing.Order, error) {
	orders := make([]listing.Order, len(by))
	for i, o := range by {
		if orders[i].Descending = o.Descending; o.Field == "" {
			continue
		}
		f, err := n.s.field(o.Field)
		if err == nil && f.Type != schema.Integer && f.Type != schema.Single {
			err = invalid("sort: %s: got a field of type %q, want %q or %q", o.Field, f.Type, schema.Integer,
				schema.Single)
		}
		if err != nil {
			return nil, err
		}
		orders[i].Field = f
	}
	if limit < 0 || after != nil && len(after.By) != len(by) {
		return nil, invalid("sort: got a limit of %d and a place of another order", limit)
	}
	return orders, nil
}

// Keys returns the keys of records, such as those of IDs or Sample. Errors: ErrMemory, ErrCorrupt,
// or the store's.
func (n *Selection) Keys(ids []uint64) ([]string, error) { return n.s.KeysOf(ids) }

// Sample returns the IDs of that many of the records, ascending, or of all if there are no more.
// Every choice is as likely as any other; the same seed makes the same one.
func (n *Selection) Sample(records int, seed uint64) []uint64 {
	return eval.Sample(n.set.View(), records, seed)
}

// Overlap returns how many records each two of several selections have in common: the number of
// those of i and k stands at [i][k], and the size of i at [i][i]. Errors: ctx's.
func Overlap(ctx context.Context, of ...*Selection) ([][]uint64, error) {
	matrix := make([][]uint64, len(of))
	for i := range of {
		matrix[i] = make([]uint64, len(of))
		for k := range i {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			matrix[i][k] = pair.AndLen(of[i].set.View(), of[k].set.View())
			matrix[k][i] = matrix[i][k]
		}
		matrix[i][i] = of[i].Len()
	}
	return matrix, nil
}

// withRows finds a field that has rows.
func (n *Selection) withRows(name string) (*schema.Bound, error) {
	f, err := n.s.field(name)
	if err == nil && f.Type == schema.Integer {
		err = invalid("%s: got a field of type %q, want a set, a single value or a relation", name, f.Type)
	}
	return f, err
}

// Distinct returns how many values of a field the records have. Cost: a walk over the field.
// Errors: ErrUnknownField, ErrInvalid (an Integer field), ErrCorrupt, ctx's, or the store's.
func (n *Selection) Distinct(ctx context.Context, field string) (uint64, error) {
	f, err := n.withRows(field)
	if err != nil {
		return 0, err
	}
	return ranking.Distinct(ctx, n.s.lists, f.ID, n.set.View())
}

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
