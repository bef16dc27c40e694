// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// fields are those of an index.
type fields struct {
	named   map[string]uproar.Field // relations by both names
	inverse map[string]string       // the other name of a relation
}

func fieldsOf(ix *uproar.Index) *fields {
	f := &fields{named: map[string]uproar.Field{uproar.SavedField: {Name: uproar.SavedField, Type: uproar.Set}},
		inverse: make(map[string]string)}
	for _, field := range ix.Fields() {
		if f.named[field.Name] = field; field.Type == uproar.Relation {
			f.named[field.Inverse] = field
			f.inverse[field.Name], f.inverse[field.Inverse] = field.Inverse, field.Name
		}
	}
	return f
}

// shape says which changes of an index can change the result of a query.
type shape struct {
	// by what a record has in them it is in the result, or not: which values count; nil: any
	fields map[string]map[string]bool
	key    string // equal where the names of fields are, and complement
	// the result has records for what they have not, so that one that is new may enter
	complement bool
	// a record may enter or leave by what another one has
	remote bool
	// a record may leave when another one is deleted
	related bool
	// the result changes with the time
	timed bool
}

// shapeOf looks at a query.
func shapeOf(e query.Expr, f *fields) shape {
	s := shape{fields: make(map[string]map[string]bool)}
	anything := func(field string) { s.fields[field] = nil }
	value := func(field, value string) {
		if of, ok := s.fields[field]; !ok {
			s.fields[field] = map[string]bool{value: true}
		} else if of != nil {
			of[value] = true
		}
	}
	now := func(values ...string) {
		for _, v := range values {
			s.timed = s.timed || strings.HasPrefix(v, "now")
		}
	}
	for e := range query.Walk(e) {
		switch e := e.(type) {
		case query.Not, query.All:
			s.complement = true
		case query.And:
			s.complement = s.complement || len(e.Of) == 0
		case query.AtLeast:
			s.complement = s.complement || e.N <= 0
		case query.Through:
			s.remote = true
			anything(e.Field)
			anything(f.inverse[e.Field])
		case query.Saved:
			value(uproar.SavedField, e.Name)
		case query.Equal:
			value(e.Field, e.Value)
			now(e.Value)
		case query.Related:
			value(f.inverse[e.Field], e.Key)
		case query.Prefix:
			anything(e.Field)
		case query.Any:
			anything(e.Field)
		case query.Compare:
			anything(e.Field)
			now(e.Value)
		case query.Between:
			anything(e.Field)
			now(e.From, e.To)
		}
	}
	for field := range s.fields {
		s.related = s.related || f.inverse[field] != ""
	}
	s.key = fmt.Sprint(s.complement, slices.Sorted(maps.Keys(s.fields)))
	return s
}

// concerns reports whether a change of a record may change whether it is in the result.
func (s *shape) concerns(e edit) bool {
	if _, ok := s.fields[e.field]; ok && e.field != "" {
		return true
	}
	return e.kind == uproar.ChangeDeleteRecord || s.complement && (e.kind == uproar.ChangeSet ||
		e.kind == uproar.ChangeAddRecord)
}

// affected says how much of a query's result a round of changes may have changed.
type affected int

const (
	nothing affected = iota
	touched          // only records that were changed
	whole            // any record
)

// affectedBy says that of some changes, for a query that has found some records.
func (s *shape) affectedBy(c *changes, found *bitmap.Bitmap) affected {
	how := nothing
	switch {
	case c.loaded, s.timed && c.tick, (s.remote || c.history == nil) && s.related && len(c.deleted) > 0:
		return whole
	case s.complement && c.universe, s.related && len(c.deleted) > 0,
		len(c.deleted) > 0 && bitmap.AndLen(found.View(), c.gone.View()) > 0:
		how = touched
	}
	for field, values := range s.fields {
		t := c.fields[field]
		switch {
		case t == nil:
		case s.remote, t.emptied && c.history == nil:
			return whole
		case values == nil, t.all, meet(values, t.values):
			how = touched
		}
	}
	if s.remote && how != nothing {
		return whole
	}
	return how
}

// meet reports whether two sets have a value in common.
func meet(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}
