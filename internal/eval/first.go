// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// First is the records of a set that have the least integers in a field, or the greatest ones.
type First struct {
	All    *mutable.Bitmap // those that have an integer
	Before *mutable.Bitmap // fewer than n of them, that stand first
	Same   *mutable.Bitmap // those that have the next integer, with which they are n or more; nil: there are fewer
	Next   int64           // that integer
}

// firsts finds records by the bits of their integers, the highest bit first: where the half that
// stands first has as many as are wanted, the other half is looked at no more.
type firsts struct {
	ctx   context.Context
	lists reader.Snapshot
	field uint32
	left  uint64 // how many are wanted
	found First
	list  overlay.List
	at    overlay.Cursor
}

// FirstOf returns the first n records of a set by their integers. Cost: an intersection of the set
// with the highest bit of the field, and with each bit below it one of about half the size, where
// half of the records have it; so a set costs little more than its records in a bitmap. Errors:
// those of reading lists, or ctx's.
func FirstOf(ctx context.Context, lists reader.Snapshot, field uint32, set view.View, n uint64,
	descending bool) (*First, error) {
	f := &firsts{ctx: ctx, lists: lists, field: field, left: n}
	var err error
	if f.found.All, err = f.within(model.IntegerAny, set); err != nil {
		return nil, err
	}
	below, err := f.within(model.IntegerNegative, f.found.All.View())
	if err != nil {
		return nil, err
	}
	above := f.found.All
	if !below.IsEmpty() {
		above = pair.AndNot(above.View(), below.View())
	}
	f.found.Before = new(mutable.Bitmap)
	for _, negative := range [...]bool{!descending, descending} {
		side := above
		if negative {
			side = below
		}
		if size := side.Len(); size < f.left {
			roaring.OrWith(f.found.Before, side.View())
			f.left -= size
			continue
		}
		return &f.found, f.walk(side, negative, negative != descending)
	}
	return &f.found, nil
}

// within returns the records of a set that are in a row of the field.
func (f *firsts) within(row uint64, set view.View) (*mutable.Bitmap, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	if err := f.lists.List(f.field, row, &f.list); err != nil {
		return nil, err
	}
	return f.list.And(set, &f.at), nil
}

// walk finds the first records of a side of zero, which has enough of them. great says that great
// absolute values come first.
func (f *firsts) walk(side *mutable.Bitmap, negative, great bool) error {
	absolute := uint64(0)
	for bit := 63; bit >= 0; bit-- {
		with, err := f.within(model.IntegerRow(bit), side.View())
		if err != nil {
			return err
		}
		if with.IsEmpty() {
			continue
		}
		head, tail := with, (*mutable.Bitmap)(nil)
		if size := with.Len(); !great || size < f.left {
			head, tail = pair.AndNot(side.View(), with.View()), with
			if great {
				head, tail = tail, head
			}
		}
		side = head
		size := head.Len()
		isHead := size >= f.left // has who is wanted last
		if !isHead {
			roaring.OrWith(f.found.Before, head.View())
			f.left -= size
			side = tail
		}
		if isHead == great {
			absolute |= 1 << bit
		}
	}
	f.found.Same, f.found.Next = side, int64(absolute)
	if negative {
		f.found.Next = -int64(absolute)
	}
	return nil
}
