// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/schema"
)

// Index is one universe of records with its fields. Safe for concurrent use.
type Index struct {
	name   string
	lists  *posting.Index
	memory int64 // Options.MemoryBytes
	schema atomic.Pointer[schema.Schema]
	note   atomic.Pointer[[]byte]
}

func newIndex(c *schema.Index, lists *posting.Index, memory int64) *Index {
	ix := &Index{name: c.Name, lists: lists, memory: memory}
	ix.note.Store(&c.Note)
	ix.schema.Store(schema.New(c.Fields))
	return ix
}

// Name returns the name of the index.
func (ix *Index) Name() string { return ix.name }

// Fields returns the fields in the order of their declaration, each relation followed by its
// inverse.
func (ix *Index) Fields() []Field {
	kept := ix.schema.Load().Fields()
	fields := make([]Field, len(kept))
	for i, f := range kept {
		fields[i] = fieldOf(f.Field)
	}
	return fields
}

// field finds a field by name.
func (ix *Index) field(name string) (*schema.Bound, error) {
	s := ix.schema.Load()
	if f := s.Named(name); f != nil {
		return f, nil
	}
	return nil, unknownField(s, name)
}

// unknownField returns the error of a field that there is not.
func unknownField(s *schema.Schema, name string) error {
	return &UnknownError{What: "field", Name: name, Suggestion: s.Suggest(name)}
}
