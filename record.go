// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// Has reports whether the record has the value in the field: one probe of one posting list. Errors:
// ErrUnknownField, ErrUnknownRecord (the record, or in a relation the value), ErrCorrupt, or the
// store's.
func (s Snapshot) Has(field, record, value string) (bool, error) {
	f, err := s.field(field)
	if err != nil {
		return false, err
	}
	if f.Type == schema.Relation {
		keys := [...]reader.Lookup{{Key: record, Near: f.ID}, {Key: value}}
		if err := s.lookUp(keys[:]); err != nil {
			return false, err
		}
		return s.lists.Contains(f.ID, keys[0].ID, keys[1].ID)
	}
	id, err := s.ID(record)
	if err != nil {
		return false, err
	}
	if f.Type == schema.Integer {
		want, err := f.Parse(value)
		if err != nil {
			return false, err
		}
		x, ok, err := s.lists.Int(f.ID, id)
		return ok && x == want, err
	}
	row, ok, err := s.lists.Lookup(model.KeySpace(f.ID), value)
	if err != nil || !ok {
		return false, err
	}
	return s.lists.Contains(f.ID, row, id)
}

// Value returns the value of the record in a Single field; ok is false when it has none. Cost: one
// probe of the value column. Errors: ErrUnknownField, ErrUnknownRecord, ErrInvalid (a field of
// another type), ErrCorrupt, or the store's.
func (s Snapshot) Value(field, record string) (value string, ok bool, err error) {
	_, id, err := s.valueField(field, record, schema.Single)
	if err != nil {
		return "", false, err
	}
	text, ok, err := s.AppendValueOf(nil, field, id)
	return string(text), ok, err
}

// Int returns the integer of the record in an Integer field; ok is false when it has none. Cost and
// errors as of Value.
func (s Snapshot) Int(field, record string) (x int64, ok bool, err error) {
	f, id, err := s.valueField(field, record, schema.Integer)
	if err != nil {
		return 0, false, err
	}
	return s.lists.Int(f.ID, id)
}

// valueField finds a field of a type, and a record.
func (s Snapshot) valueField(field, record string, want schema.Type) (*schema.Bound, uint64, error) {
	f, err := s.typed(field, want)
	if err != nil {
		return nil, 0, err
	}
	id, err := s.ID(record)
	return f, id, err
}

// typed finds a field of a type.
func (s Snapshot) typed(field string, want schema.Type) (*schema.Bound, error) {
	f, err := s.field(field)
	if err == nil && f.Type != want {
		err = invalid("%s: got a field of type %q, want %q", field, f.Type, want)
	}
	return f, err
}

// ID returns the ID of a record. Errors: ErrUnknownRecord, ErrCorrupt, or the store's.
func (s Snapshot) ID(record string) (uint64, error) {
	id, ok, err := s.lists.Lookup(model.RecordSpace, record)
	if ok && err == nil {
		ok, err = s.lists.Contains(model.Exists, 0, id)
	}
	if err == nil && !ok {
		err = &UnknownError{What: "record", Name: record}
	}
	return id, err
}

// LookUp tells the ID of each record that exists, with the place of its key, all at a time. Errors:
// ErrCorrupt, ctx's, or the store's.
func (s Snapshot) LookUp(ctx context.Context, keys []string, tell func(i int, id uint64)) error {
	lookups := make([]reader.Lookup, len(keys))
	for i, key := range keys {
		lookups[i] = reader.Lookup{Space: model.RecordSpace, Key: key, Exists: true}
	}
	err := s.Under(ctx).lists.MultiGet(lookups)
	for i := 0; i < len(lookups) && err == nil; i++ {
		if lookups[i].OK {
			tell(i, lookups[i].ID)
		}
	}
	return err
}

// Key returns the key of a record. Errors: ErrUnknownRecord, ErrCorrupt, or the store's.
func (s Snapshot) Key(id uint64) (string, error) {
	exists, err := s.lists.Contains(model.Exists, 0, id)
	if err == nil && !exists {
		err = &UnknownError{What: "record", Name: "#" + formatID(id)}
	}
	if err != nil {
		return "", err
	}
	key, err := s.AppendKey(nil, id)
	return string(key), err
}

// Exist looks up records by their keys, all together. Errors: ErrUnknownRecord, for the first that
// does not exist; ErrCorrupt, ctx's, or the store's.
func (s Snapshot) Exist(ctx context.Context, keys ...string) error {
	s = s.Under(ctx)
	var room [relatedMost]reader.Lookup
	lookups := room[:0]
	for _, key := range keys {
		lookups = append(lookups, reader.Lookup{Key: key})
	}
	return s.lookUp(lookups)
}

// Unknown returns the leaves of a query that name a record which does not exist: the first of them
// in the order of the text, each once, at most limit. They are empty; a name that was misspelt is
// found so. Cost: a look-up for each record that the query names. Errors as of Count.
func (s Snapshot) Unknown(ctx context.Context, q query.Expr, limit int) (unknown []query.Expr, err error) {
	return binding.Unknown(s.Under(ctx).lists, q, limit, s.bindQuery)
}
