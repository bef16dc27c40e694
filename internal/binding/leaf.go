// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"math"
	"time"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// FieldOf returns the name of the field that a leaf of a query is about. ok is false for one that
// is about none.
func FieldOf(leaf query.Expr) (name string, ok bool) {
	switch leaf := leaf.(type) {
	case query.Equal:
		return leaf.Field, true
	case query.Prefix:
		return leaf.Field, true
	case query.Compare:
		return leaf.Field, true
	case query.Between:
		return leaf.Field, true
	case query.Any:
		return leaf.Field, true
	case query.Related:
		return leaf.Field, true
	case query.Through:
		return leaf.Field, true
	}
	return "", false
}

// Leaf says what a leaf of a query is in a field, which FieldOf names. Errors: ErrInvalid.
func Leaf(f *schema.Bound, leaf query.Expr) (eval.Leaf, error) {
	switch leaf := leaf.(type) {
	case query.Equal:
		return bindEqual(f, leaf)
	case query.Prefix:
		return bindPrefix(f, leaf)
	case query.Compare:
		return bindCompare(f, leaf)
	case query.Between:
		return bindBetween(f, leaf)
	case query.Any:
		return eval.Leaf{Kind: eval.Any, Field: f.ID}, nil
	case query.Related:
		if err := CheckRelated(f, leaf); err != nil {
			return eval.Leaf{}, err
		}
		return keyOf(f.ID, model.RecordSpace, leaf.Key), nil
	case query.Through:
		if f.Type != schema.Relation {
			return eval.Leaf{}, invalid("%s: got a field of type %q, want a relation", leaf, f.Type)
		}
		return eval.Leaf{Kind: eval.Rows, Field: f.ID}, nil
	}
	return eval.Leaf{}, invalid("query: got a leaf of type %T", leaf)
}

// Literal says what a bitmap in a query is, once it has been validated. Errors: ErrInvalid.
func Literal(leaf query.Bitmap) (eval.Leaf, error) {
	v, err := view.Open(leaf.Bytes)
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		return eval.Leaf{}, invalid("literal bitmap: %v", err)
	}
	return eval.Leaf{Kind: eval.Set, Set: v}, nil
}

// CheckRelated fails for a leaf about relations in a field that is none. Errors: ErrInvalid.
func CheckRelated(f *schema.Bound, leaf query.Related) error {
	if f.Type != schema.Relation {
		return invalid("%s: got a field of type %q, want a relation; try %s", leaf, f.Type,
			query.Equal{Field: leaf.Field, Value: leaf.Key})
	}
	return nil
}

// bindEqual says which records have a value: of a relation, those in the value's list in the
// inverse.
func bindEqual(f *schema.Bound, leaf query.Equal) (eval.Leaf, error) {
	switch f.Type {
	case schema.Relation:
		return keyOf(f.InverseID, model.RecordSpace, leaf.Value), nil
	case schema.Integer:
		x, err := f.ParseQuery(leaf.Value, time.Now())
		return eval.Leaf{Kind: eval.Integers, Field: f.ID, From: x, To: x}, err
	}
	return keyOf(f.ID, model.KeySpace(f.ID), leaf.Value), nil
}

// keyOf returns the leaf of the row that has a key.
func keyOf(field, space uint32, key string) eval.Leaf {
	return eval.Leaf{Kind: eval.Key, Field: field, Space: space, Key: key}
}

// bindPrefix says whose keys the rows with a prefix have: of a relation, records in the inverse.
func bindPrefix(f *schema.Bound, leaf query.Prefix) (eval.Leaf, error) {
	switch {
	case f.Type == schema.Integer:
		return eval.Leaf{}, invalid("%s: got a field of type %q, want one whose values are texts", leaf, f.Type)
	case f.Type == schema.Relation:
		return eval.Leaf{Kind: eval.Prefix, Field: f.InverseID, Space: model.RecordSpace}, nil
	default:
		return eval.Leaf{Kind: eval.Prefix, Field: f.ID, Space: model.KeySpace(f.ID)}, nil
	}
}

// checkIntegers fails for a leaf about integers of a field that has none.
func checkIntegers(f *schema.Bound, of query.Expr) error {
	if f.Type != schema.Integer {
		return invalid("%s: got a field of type %q, want %q", of, f.Type, schema.Integer)
	}
	return nil
}

// bindCompare says which range of integers a comparison is.
func bindCompare(f *schema.Bound, leaf query.Compare) (eval.Leaf, error) {
	if err := checkIntegers(f, leaf); err != nil {
		return eval.Leaf{}, err
	}
	x, err := f.ParseQuery(leaf.Value, time.Now())
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
func bindBetween(f *schema.Bound, leaf query.Between) (eval.Leaf, error) {
	if err := checkIntegers(f, leaf); err != nil {
		return eval.Leaf{}, err
	}
	now := time.Now()
	from, err := f.ParseQuery(leaf.From, now)
	if err != nil {
		return eval.Leaf{}, err
	}
	to, err := f.ParseQuery(leaf.To, now)
	return eval.Leaf{Kind: eval.Integers, Field: f.ID, From: from, To: to}, err
}
