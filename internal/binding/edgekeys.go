// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// EdgeKeys reads the records of the edges of a relation that keeps their keys. Safe for concurrent
// use, and valid as long as its snapshot is open.
type EdgeKeys struct {
	lists reader.Snapshot
	field *schema.Bound
}

// NewEdgeKeys returns a reader. Errors: ErrInvalid, for a field without keys.
func NewEdgeKeys(lists reader.Snapshot, f *schema.Bound) (EdgeKeys, error) {
	if f.Derived || !f.HasKeys() {
		return EdgeKeys{}, invalid("%s: got a field of type %q, want a relation with column %q", f.Name, f.Type,
			schema.KeyColumn)
	}
	return EdgeKeys{lists, f}, nil
}

// Append appends the records of a record's edges, ascending by key: of those below a key the last
// ones, up to most. Cost: a page for 1 024 of them. Errors: model.ErrCorrupt, model.ErrClosed, or
// the store's.
func (e EdgeKeys) Append(dst []model.EdgeKey, record, below uint64, most int) ([]model.EdgeKey, error) {
	keys, err := reader.EdgeKeys(e.lists, e.field.ID, record)
	if err != nil {
		return dst, err
	}
	return keys.Last(dst, below, most)
}

// AppendFrom is Append of the first records from a key on.
func (e EdgeKeys) AppendFrom(dst []model.EdgeKey, record, from uint64, most int) ([]model.EdgeKey, error) {
	keys, err := reader.EdgeKeys(e.lists, e.field.ID, record)
	if err != nil {
		return dst, err
	}
	return keys.From(dst, from, most)
}

// Find returns the target of the record of a record's edges that has a key; ok is false if none has
// it. Errors as of Append.
func (e EdgeKeys) Find(record, key uint64) (target uint64, ok bool, err error) {
	return reader.FindEdgeKey(e.lists, e.field.ID, record, key)
}

// Number returns the number of a key. ok is false if no edge has ever had it. Errors as of Append.
func (e EdgeKeys) Number(key string) (number uint64, ok bool, err error) {
	if number, ok = model.ParseTID(key); ok {
		return number, true, nil
	}
	return e.lists.Lookup(model.KeySpace(e.field.ID), key)
}

// AppendText appends the text of a key by its number. Errors: as of Append, and model.ErrCorrupt
// for a number that has none.
func (e EdgeKeys) AppendText(dst []byte, number uint64) ([]byte, error) {
	if number >= model.FirstTID {
		return model.AppendTID(dst, number), nil
	}
	dst, ok, err := e.lists.AppendKey(dst, model.KeySpace(e.field.ID), number)
	if err == nil && !ok {
		err = model.Corrupt("field "+e.field.Name, "key %d of an edge has no text", number)
	}
	return dst, err
}
