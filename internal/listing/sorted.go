// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"cmp"
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/schema"
)

// Order is what records are sorted by: an integer or single-valued field, or their keys.
type Order struct {
	Field      *schema.Bound // nil: the key
	Descending bool
}

// Value is what a record is sorted by. Records without a value stand behind those with one,
// whichever way they are sorted.
type Value struct {
	None bool   `json:"none,omitempty"`
	Int  int64  `json:"int,omitempty"`  // of an integer field
	Text string `json:"text,omitempty"` // of another one, or the key
}

// Place is a record's place in an order. It is good in later snapshots, too.
type Place struct {
	By     []Value `json:"by"`
	Record uint64  `json:"record"` // among those that are equal, records stand in the order of their IDs
}

// sorter lists the records of a set in an order.
type sorter struct {
	ctx    context.Context
	lists  reader.Snapshot
	by     []Order
	limit  int
	prefix []Value   // what all records in question have in the orders before
	values []*Values // readers of the fields; nil: none is read yet
	out    []Place
}

// Sorted returns the first records of a set in an order, at most limit of them, behind a place if
// there is one.
//
// Cost: by an integer field an intersection for each of its bits, and what the records that are
// returned take to be read and sorted; the others are not looked at. By a single-valued field or
// the key, the value of each record is read, and no more than a few times limit are kept. Errors:
// ctx's, or those of reading.
func Sorted(ctx context.Context, lists reader.Snapshot, set view.View, by []Order, after *Place, limit int) ([]Place,
	error) {
	s := sorter{ctx: ctx, lists: lists, by: by, limit: limit, prefix: make([]Value, 0, len(by))}
	err := s.page(set, after)
	return s.out, err
}

// left returns how many records are still wanted.
func (s *sorter) left() int { return s.limit - len(s.out) }

// page lists records that do not differ in the orders before, behind a place.
func (s *sorter) page(set view.View, after *Place) error {
	switch depth := len(s.prefix); {
	case s.left() == 0 || set.IsEmpty():
		return nil
	case depth == len(s.by):
		from := uint64(0)
		if after != nil {
			from = after.Record + 1
		}
		for record := range set.From(from) {
			s.out = append(s.out, Place{slices.Clone(s.prefix), record})
			if s.left() == 0 {
				break
			}
		}
		return nil
	case s.by[depth].Field != nil && s.by[depth].Field.Type == schema.Integer:
		return s.integers(set, after)
	}
	return s.pick(set, after)
}

// equal lists records that have a value in the next order.
func (s *sorter) equal(set view.View, value Value, after *Place) error {
	s.prefix = append(s.prefix, value)
	err := s.page(set, after)
	s.prefix = s.prefix[:len(s.prefix)-1]
	return err
}

// integers lists records by their integers, which the bits of the field tell apart, all at once.
func (s *sorter) integers(set view.View, after *Place) error {
	depth := len(s.prefix)
	order := s.by[depth]
	if after == nil {
		return s.first(set, order)
	}
	numbers, err := eval.NumbersOf(s.ctx, s.lists, order.Field.ID, set)
	if err != nil {
		return err
	}
	all := numbers.Records()
	without := pair.AndNot(set, all.View())
	if after.By[depth].None {
		return s.equal(without.View(), Value{None: true}, after)
	}
	rest, same := numbers.Split(after.By[depth].Int)
	if err := s.equal(same.View(), after.By[depth], after); err != nil {
		return err
	}
	if !order.Descending {
		rest = pair.AndNot(pair.AndNot(all.View(), rest.View()).View(), same.View())
	}
	if err := s.first(rest.View(), order); err != nil {
		return err
	}
	return s.equal(without.View(), Value{None: true}, nil)
}

// first lists the first records by their integers.
func (s *sorter) first(set view.View, order Order) error {
	if s.left() == 0 {
		return nil
	}
	f, err := eval.FirstOf(s.ctx, s.lists, order.Field.ID, set, uint64(s.left()), order.Descending)
	if err == nil {
		err = s.sort(f.Before.View())
	}
	if err == nil && f.Same != nil {
		err = s.equal(f.Same.View(), Value{Int: f.Next}, nil)
	}
	if err != nil || s.left() == 0 {
		return err
	}
	return s.equal(pair.AndNot(set, f.All.View()).View(), Value{None: true}, nil) // without an integer
}

// sort lists few records, all of them.
func (s *sorter) sort(set view.View) error {
	places, err := s.places(set.AppendTo(nil))
	slices.SortFunc(places, s.compare)
	s.out = append(s.out, places...)
	return err
}

// pick lists the first of many records by what is read of each.
func (s *sorter) pick(set view.View, after *Place) error {
	var kept []Place
	n, ids := s.left(), make([]uint64, 0, recordsPerLook)
	read := func() error {
		places, err := s.places(ids)
		for _, p := range places {
			if after == nil || s.compare(p, *after) > 0 {
				kept = append(kept, p)
			}
		}
		if ids = ids[:0]; len(kept) > 2*n+recordsPerLook {
			slices.SortFunc(kept, s.compare)
			kept = slices.Delete(kept, n, len(kept))
		}
		return err
	}
	for record := range set.All() {
		if ids = append(ids, record); len(ids) == cap(ids) {
			if err := read(); err != nil {
				return err
			}
		}
	}
	if err := read(); err != nil {
		return err
	}
	slices.SortFunc(kept, s.compare)
	s.out = append(s.out, kept[:min(n, len(kept))]...)
	return nil
}

// places reads by what records are sorted.
func (s *sorter) places(ids []uint64) ([]Place, error) {
	places := make([]Place, len(ids))
	values := make([]Value, len(ids)*len(s.by))
	for i := range places {
		by := values[i*len(s.by) : (i+1)*len(s.by) : (i+1)*len(s.by)]
		copy(by, s.prefix)
		places[i] = Place{by, ids[i]}
	}
	for depth := len(s.prefix); depth < len(s.by); depth++ {
		if err := s.read(places, ids, depth); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// read reads one of the values by which records are sorted.
func (s *sorter) read(places []Place, ids []uint64, depth int) error {
	f := s.by[depth].Field
	if f == nil {
		var key []byte
		keys := s.lists.Keys(model.RecordSpace)
		return each(s.ctx, ids, func(i int, record uint64) (err error) {
			key, err = appendKey(&keys, key[:0], record)
			places[i].By[depth].Text = string(key)
			return err
		})
	}
	for i := range places {
		places[i].By[depth].None = true
	}
	if s.values == nil {
		s.values = make([]*Values, len(s.by))
	}
	if s.values[depth] == nil {
		s.values[depth] = NewValues(s.ctx, s.lists, f)
	}
	values := s.values[depth]
	if f.Type == schema.Integer {
		return values.Integers(ids, func(i int, x int64) error {
			places[i].By[depth] = Value{Int: x}
			return nil
		})
	}
	return values.Texts(ids, func(i int, value string) error {
		places[i].By[depth] = Value{Text: value}
		return nil
	})
}

// compare compares two places in the order.
func (s *sorter) compare(a, b Place) int {
	for i, o := range s.by {
		x, y := a.By[i], b.By[i]
		if x.None != y.None {
			if x.None {
				return 1
			}
			return -1
		}
		c := cmp.Or(cmp.Compare(x.Int, y.Int), cmp.Compare(x.Text, y.Text))
		if o.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(a.Record, b.Record)
}
