// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/spelling"
)

// Index is one universe of records with its fields. Safe for concurrent use.
type Index struct {
	name   string
	lists  *posting.Index
	memory int64 // Options.MemoryBytes
	schema atomic.Pointer[schema]
	note   atomic.Pointer[[]byte]
}

// schema is the fields of an index. It never changes; another takes its place.
type schema struct {
	version uint64
	fields  []*boundField // in the order of their numbers
	byName  map[string]*boundField

	dropped map[uint32]*boundField // those that were dropped, by number: the log and pages may still have them
}

// boundField is a field as the index keeps it.
type boundField struct {
	Field
	id      uint32
	inverse uint32 // 0: not a relation
	derived bool
}

// space returns the key space of the field's rows.
func (f *boundField) space() uint32 {
	if f.Type == Relation {
		return model.RecordSpace
	}
	return model.KeySpace(f.id)
}

func newIndex(c *catalogIndex, lists *posting.Index, memory int64) *Index {
	ix := &Index{name: c.Name, lists: lists, memory: memory}
	ix.note.Store(&c.Note)
	ix.schema.Store(newSchema(c.Fields))
	return ix
}

// schemas counts the schemas of all indexes.
var schemas atomic.Uint64

func newSchema(fields []catalogField) *schema {
	s := &schema{version: schemas.Add(1), byName: make(map[string]*boundField), dropped: make(map[uint32]*boundField)}
	names := map[uint32]string{}
	for _, f := range fields {
		names[f.ID] = f.Name
	}
	for _, f := range fields {
		b := &boundField{Field: Field{Name: f.Name, Type: f.Type, Inverse: names[f.Inverse], Format: f.Format,
			Scale: f.Scale, Column: f.Column}, id: f.ID, inverse: f.Inverse, derived: f.Derived}
		if f.Dropped {
			s.dropped[f.ID] = b
			continue
		}
		s.fields = append(s.fields, b)
		s.byName[f.Name] = b
	}
	s.byName[SavedField] = &boundField{Field: Field{Name: SavedField, Type: Set}, id: savedField}
	return s
}

// Name returns the name of the index.
func (ix *Index) Name() string { return ix.name }

// Fields returns the fields in the order of their declaration, each relation followed by its
// inverse.
func (ix *Index) Fields() []Field {
	s := ix.schema.Load()
	fields := make([]Field, len(s.fields))
	for i, f := range s.fields {
		fields[i] = f.Field
	}
	return fields
}

// field finds a field by name.
func (ix *Index) field(name string) (*boundField, error) {
	s := ix.schema.Load()
	if f, ok := s.byName[name]; ok {
		return f, nil
	}
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.Name
	}
	return nil, &UnknownError{What: "field", Name: name, Suggestion: spelling.Suggest(name, names)}
}

// numbered returns the field with a number, nil if there is none.
func (ix *Index) numbered(id uint32) *boundField {
	s := ix.schema.Load()
	i, ok := slices.BinarySearchFunc(s.fields, id, func(f *boundField, id uint32) int { return cmp.Compare(f.id, id) })
	if !ok {
		if id == savedField {
			return s.byName[SavedField]
		}
		return nil
	}
	return s.fields[i]
}
