// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"context"
	"slices"

	"github.com/uproar-db/uproar"
)

// Order says by what records are sorted.
type Order struct {
	Attribute  string // one that is no rule; "": the order in which records were first written
	Descending bool
}

// Sorted returns the IDs of the records that fit conditions, in an order, and how many fit. It
// starts at position from and returns at most limit (0: all). Records of equal values are in the
// order in which they were first written. Records without a value come last. Cost: with an
// attribute, a look-up of the value of every record that fits, and sorting them. Errors:
// ErrUnknownAttribute, ErrCondition, or those of reading.
func (s Snapshot) Sorted(ctx context.Context, by Order, from, limit int, conditions ...Condition) (ids []uint64,
	records int, err error) {
	q, err := s.layout.fits(conditions)
	if err != nil {
		return nil, 0, err
	}
	found, err := s.snap.IDs(ctx, q, uproar.Page{})
	if err != nil {
		return nil, 0, err
	}
	if ids = found.IDs; by.Attribute != "" {
		if ids, err = s.sort(ctx, ids, by); err != nil {
			return nil, 0, err
		}
	} else if by.Descending {
		slices.Reverse(ids)
	}
	records, from = len(ids), min(max(from, 0), len(ids))
	if ids = ids[from:]; limit > 0 && limit < len(ids) {
		ids = ids[:limit]
	}
	return ids, records, nil
}

// sortable is a record with its value.
type sortable struct {
	id     uint64
	number int64
	text   string
	has    bool
}

// sort returns records in the order of an attribute.
func (s Snapshot) sort(ctx context.Context, ids []uint64, by Order) ([]uint64, error) {
	at, ok := s.layout.byName[by.Attribute]
	if !ok {
		return nil, s.layout.schema.Unknown(by.Attribute)
	}
	a := &s.layout.schema.Attributes[at]
	if a.Rule {
		return nil, badCondition(&Condition{Attribute: a.Name},
			"got a rule to sort by, want an attribute that is a value")
	}
	list := make([]sortable, len(ids))
	var text []byte
	for i, id := range ids {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var err error
		if list[i].id = id; a.Type == Text {
			text, list[i].has, err = s.snap.AppendValueOf(text[:0], a.Field, id)
			list[i].text = string(text)
		} else {
			list[i].number, list[i].has, err = s.snap.IntOf(a.Field, id)
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(x, y sortable) int {
		if x.has != y.has {
			if x.has {
				return -1
			}
			return 1
		}
		c := cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(x.text, y.text))
		if by.Descending {
			return -c
		}
		return c
	})
	for i := range list {
		ids[i] = list[i].id
	}
	return ids, nil
}
