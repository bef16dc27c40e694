// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
	"github.com/uproar-db/uproar/store"
)

// Source is what all snapshots of an index read from: the store and the cache of pages, the current
// state, and what readers keep for each other. Safe for concurrent use.
type Source struct {
	ID     uint32
	Secret format.Secret
	Store  store.Store
	Cache  *pagecache.Cache
	Memory *memory.Bound
	Fields atomic.Pointer[map[uint32]model.Field] // never changed, only replaced
	State  atomic.Pointer[State]

	Sizes    keptSizes
	debts    overlayDebts
	Unmerged bool // readers merge no lists
	Hits     atomic.Uint64
	Misses   atomic.Uint64

	Closed    atomic.Bool
	Collector chan struct{} // there may be pages that nobody sees any more
}

// Collect has the pages deleted soon that nobody sees any more.
func (src *Source) Collect() {
	select {
	case src.Collector <- struct{}{}:
	default:
	}
}

// NewSource returns the source of an index, without a state yet.
func NewSource(s store.Store, id uint32, secret format.Secret, bound *memory.Bound) *Source {
	src := &Source{ID: id, Secret: secret, Store: s, Cache: bound.Cache, Memory: bound,
		Collector: make(chan struct{}, 1)}
	src.Fields.Store(new(map[uint32]model.Field))
	return src
}

// columnField returns the number of the field that holds the column of a set field; 0: it has none.
func (src *Source) columnField(field uint32) uint32 {
	if src.FieldOf(field).Column == model.NoColumn {
		return 0
	}
	return model.ValueField(field)
}

// Opposite returns the field that holds the other direction of a field's lists, with rows and
// records exchanged: the inverse of a relation, or a column; 0: there is none.
func (src *Source) Opposite(field uint32) uint32 {
	if inverse := src.FieldOf(field).Inverse; inverse != 0 {
		return inverse
	}
	return src.columnField(field)
}

// Concerns reports whether an edit is about a record of a set: the one that has the row, or in a
// relation the row.
func (src *Source) Concerns(e model.Edit, in func(record uint64) bool) bool {
	if src.HasEdgeKeys(e.Field) {
		record, target := model.EdgeOf(e.Row)
		return in(record) || in(target)
	}
	return in(recordOf(e)) || src.FieldOf(e.Field).Inverse != 0 && in(e.Row)
}

// FieldOf returns a field by its number, the zero Field if it is not declared.
func (src *Source) FieldOf(id uint32) model.Field { return (*src.Fields.Load())[id] }

// Inverse returns the inverse of a relation, 0 of other fields.
func (src *Source) Inverse(field uint32) uint32 { return src.FieldOf(field).Inverse }

// IsColumn reports whether edits of a field are those of a column: the row is a record, and the
// record a row.
func IsColumn(field uint32) bool { return format.KindOf(field) == format.Values }

// recordOf returns the record that an edit is about.
func recordOf(e model.Edit) uint64 {
	if IsColumn(e.Field) {
		return e.Row
	}
	return e.Record
}

// Declared reports whether writes may name a field: one that is declared, and not the derived
// direction of a relation.
func (src *Source) Declared(field uint32) bool {
	f := src.FieldOf(field)
	return field == model.Exists || f.ID != 0 && !f.Derived || src.HasEdgeKeys(field)
}

// HasEdgeKeys reports whether a field is the KeyColumn of a relation: see model.EdgeRow.
func (src *Source) HasEdgeKeys(field uint32) bool {
	return IsColumn(field) && src.FieldOf(field-3).Column == model.KeyColumn
}
