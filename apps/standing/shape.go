// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// shape says which changes of an index can change the result of a query.
type shape struct {
	fields map[string]bool
	// the result has records for what they have not, so that one that is new may enter
	complement bool
	// a record may enter or leave by what another one has
	remote bool
	// a record may leave when another one is deleted
	related bool
	// the result changes with the time
	timed bool
}

// shapeOf looks at a query in an index with some relations, by their names in both directions.
func shapeOf(e query.Expr, relations map[string]bool) shape {
	s := shape{fields: make(map[string]bool)}
	for field := range query.Fields(e) {
		s.fields[field] = true
		s.related = s.related || relations[field]
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
		case query.Saved:
			s.fields[uproar.SavedField] = true
		case query.Equal:
			now(e.Value)
		case query.Compare:
			now(e.Value)
		case query.Between:
			now(e.From, e.To)
		}
	}
	return s
}

// affected says how much of a query's result a round of changes may have changed.
type affected int

const (
	nothing affected = iota
	touched          // only records that were changed
	whole            // any record
)

// affectedBy says that of some changes.
func (s shape) affectedBy(c *changes) affected {
	if c.loaded || s.timed && c.tick || s.related && len(c.deleted) > 0 {
		return whole
	}
	how := nothing
	if s.complement && c.universe || len(c.deleted) > 0 {
		how = touched
	}
	for field := range s.fields {
		switch {
		case c.emptied[field], s.remote && c.fields[field]:
			return whole
		case c.fields[field]:
			how = touched
		}
	}
	if s.remote && how != nothing {
		return whole
	}
	return how
}
