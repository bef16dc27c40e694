// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"math"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// bindQuery says what a leaf of a query is in the index. It reads nothing but the names of saved
// sets: keys are looked up together, by eval.
func (s Snapshot) bindQuery(leaf query.Expr) (eval.Leaf, error) {
	switch leaf := leaf.(type) {
	case query.Equal:
		return s.bindEqual(leaf)
	case query.Prefix:
		return s.bindPrefix(leaf)
	case query.Compare:
		return s.bindCompare(leaf)
	case query.Between:
		return s.bindBetween(leaf)
	case query.Any:
		f, err := s.field(leaf.Field)
		if err != nil {
			return eval.Leaf{}, err
		}
		return eval.Leaf{Kind: eval.Any, Field: f.ID}, nil
	case query.Related:
		f, err := s.field(leaf.Field)
		if err != nil {
			return eval.Leaf{}, err
		}
		if f.Type != schema.Relation {
			return eval.Leaf{}, invalid("%s: got a field of type %q, want a relation; try %s", leaf, f.Type,
				query.Equal{Field: leaf.Field, Value: leaf.Key})
		}
		return keyOf(f.ID, model.RecordSpace, leaf.Key), nil
	case query.Through:
		f, err := s.field(leaf.Field)
		if err != nil {
			return eval.Leaf{}, err
		}
		if f.Type != schema.Relation {
			return eval.Leaf{}, invalid("%s: got a field of type %q, want a relation", leaf, f.Type)
		}
		return eval.Leaf{Kind: eval.Rows, Field: f.ID}, nil
	case query.Saved:
		return s.bindSaved(leaf)
	case query.Bitmap:
		v, err := view.Open(leaf.Bytes)
		if err == nil {
			err = v.Validate()
		}
		if err != nil {
			return eval.Leaf{}, invalid("literal bitmap: %v", err)
		}
		return eval.Leaf{Kind: eval.Set, Set: v}, nil
	default:
		return eval.Leaf{}, invalid("query: got a leaf of type %T", leaf)
	}
}

// bindEqual says which records have a value: of a relation, those in the value's list in the
// inverse.
func (s Snapshot) bindEqual(leaf query.Equal) (eval.Leaf, error) {
	f, err := s.field(leaf.Field)
	if err != nil {
		return eval.Leaf{}, err
	}
	switch f.Type {
	case schema.Relation:
		return keyOf(f.InverseID, model.RecordSpace, leaf.Value), nil
	case schema.Integer:
		x, err := f.Parse(leaf.Value)
		return eval.Leaf{Kind: eval.Integers, Field: f.ID, From: x, To: x}, err
	}
	return keyOf(f.ID, model.KeySpace(f.ID), leaf.Value), nil
}

// keyOf returns the leaf of the row that has a key.
func keyOf(field, space uint32, key string) eval.Leaf {
	return eval.Leaf{Kind: eval.Key, Field: field, Space: space, Key: key}
}

// bindPrefix says whose keys the rows with a prefix have: of a relation, records in the inverse.
func (s Snapshot) bindPrefix(leaf query.Prefix) (eval.Leaf, error) {
	f, err := s.field(leaf.Field)
	switch {
	case err != nil:
		return eval.Leaf{}, err
	case f.Type == schema.Integer:
		return eval.Leaf{}, invalid("%s: got a field of type %q, want one whose values are texts", leaf, f.Type)
	case f.Type == schema.Relation:
		return eval.Leaf{Kind: eval.Prefix, Field: f.InverseID, Space: model.RecordSpace}, nil
	default:
		return eval.Leaf{Kind: eval.Prefix, Field: f.ID, Space: model.KeySpace(f.ID)}, nil
	}
}

// integers finds the integer field that an expression names.
func (s Snapshot) integers(name string, of query.Expr) (*schema.Bound, error) {
	f, err := s.field(name)
	if err == nil && f.Type != schema.Integer {
		err = invalid("%s: got a field of type %q, want %q", of, f.Type, schema.Integer)
	}
	return f, err
}

// bindCompare says which range of integers a comparison is.
func (s Snapshot) bindCompare(leaf query.Compare) (eval.Leaf, error) {
	f, err := s.integers(leaf.Field, leaf)
	if err != nil {
		return eval.Leaf{}, err
	}
	x, err := f.Parse(leaf.Value)
	if err != nil {
		return eval.Leaf{}, err
	}
	l := eval.Leaf{Kind: eval.Integers, Field: f.ID, From: schema.LeastNumber, To: schema.GreatestNumber}
	switch {
	case leaf.Order == query.LessEqual:
		l.To = x
	case leaf.Order == query.GreaterEqual:
		l.From = x
	case leaf.Order == query.Less && x > math.MinInt64:
		l.To = x - 1
	case leaf.Order == query.Greater && x < math.MaxInt64:
		l.From = x + 1
	default:
		return eval.Leaf{}, nil
	}
	return l, nil
}

// bindBetween says which range of integers a Between is.
func (s Snapshot) bindBetween(leaf query.Between) (eval.Leaf, error) {
	f, err := s.integers(leaf.Field, leaf)
	if err != nil {
		return eval.Leaf{}, err
	}
	from, err := f.Parse(leaf.From)
	if err != nil {
		return eval.Leaf{}, err
	}
	to, err := f.Parse(leaf.To)
	return eval.Leaf{Kind: eval.Integers, Field: f.ID, From: from, To: to}, err
}
