// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/spelling"
)

// Schema is the fields of an index. It never changes; another takes its place.
type Schema struct {
	version uint64
	fields  []*Bound // in the order of their numbers
	byName  map[string]*Bound

	dropped map[uint32]*Bound // dropped ones, by number: the log and pages may still have them
}

// Bound is a field as the index keeps it.
type Bound struct {
	Field
	ID        uint32
	InverseID uint32 // 0: not a relation
	Derived   bool
	keys      bool
}

// HasKeys reports whether the edges of a relation have records with keys, of either direction.
func (f *Bound) HasKeys() bool { return f.keys }

// Space returns the key space of the field's rows.
func (f *Bound) Space() uint32 {
	if f.Type == Relation {
		return model.RecordSpace
	}
	return model.KeySpace(f.ID)
}

// versions counts the schemas of all indexes.
var versions atomic.Uint64

// New returns the schema of the fields of an index.
func New(fields []StoredField) *Schema {
	s := &Schema{version: versions.Add(1), byName: make(map[string]*Bound), dropped: make(map[uint32]*Bound)}
	names, keys := map[uint32]string{}, map[uint32]bool{}
	for _, f := range fields {
		names[f.ID] = f.Name
		keys[f.ID] = f.Column == KeyColumn
	}
	for _, f := range fields {
		b := &Bound{Field: Field{Name: f.Name, Type: f.Type, Inverse: names[f.Inverse], Format: f.Format,
			Scale: f.Scale, Column: f.Column}, ID: f.ID, InverseID: f.Inverse, Derived: f.Derived,
			keys: keys[f.ID] || keys[f.Inverse]}
		if f.Dropped {
			s.dropped[f.ID] = b
			continue
		}
		s.fields = append(s.fields, b)
		s.byName[f.Name] = b
	}
	s.byName[SavedName] = &Bound{Field: Field{Name: SavedName, Type: Set}, ID: SavedID}
	return s
}

// Version returns the number of the schema. No other in the process has it, and a later one has a
// greater number.
func (s *Schema) Version() uint64 { return s.version }

// Fields returns the fields in the order of their numbers, without the saved sets, borrowed.
func (s *Schema) Fields() []*Bound { return s.fields }

// Named returns the field of a name, the saved sets among them; nil if there is none.
func (s *Schema) Named(name string) *Bound { return s.byName[name] }

// Numbered returns the field of a number, the saved sets among them; nil if there is none.
func (s *Schema) Numbered(id uint32) *Bound {
	i, ok := slices.BinarySearchFunc(s.fields, id, func(f *Bound, id uint32) int { return cmp.Compare(f.ID, id) })
	switch {
	case ok:
		return s.fields[i]
	case id == SavedID:
		return s.byName[SavedName]
	}
	return nil
}

// Dropped returns the dropped field of a number; nil if there is none.
func (s *Schema) Dropped(id uint32) *Bound { return s.dropped[id] }

// Suggest returns the name of a field that a misspelt name may stand for, or "".
func (s *Schema) Suggest(name string) string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.Name
	}
	return spelling.Suggest(name, names)
}
