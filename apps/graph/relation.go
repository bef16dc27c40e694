// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"fmt"

	"github.com/uproar-db/uproar/query"
)

// Relation is one of the relations between accounts.
type Relation string

// The relations. Each can be asked in both directions.
const (
	Follows Relation = FollowsField // an account follows another
	Blocks  Relation = BlocksField  // it blocks another
	Mutes   Relation = MutesField   // it mutes another
	Members Relation = MembersField // a list, which is named like an account, has a member
)

// inverses has the other direction of each relation.
var inverses = map[Relation]string{Follows: FollowersField, Blocks: BlockersField, Mutes: MutersField,
	Members: ListsField}

// RelationError names a relation that there is not.
type RelationError struct{ Relation Relation }

// Error names it, and the relations that there are.
func (e *RelationError) Error() string {
	return fmt.Sprintf("graph: relation %s, want %q, %q, %q or %q", shown(string(e.Relation)), Follows, Blocks, Mutes,
		Members)
}

// Targets asks for the targets that an account has in a relation: whom it follows, blocks or mutes,
// or the members of a list.
func (g *Graph) Targets(r Relation, account string) Accounts {
	if inverses[r] == "" {
		return Accounts{err: &RelationError{r}}
	}
	return g.common(related(string(r), account))
}

// Sources asks for the accounts that have a target in a relation: who follows, blocks or mutes it,
// or the lists that it is on.
func (g *Graph) Sources(r Relation, target string) Accounts {
	inverse := inverses[r]
	if inverse == "" {
		return Accounts{err: &RelationError{r}}
	}
	return g.common(related(inverse, target))
}

// hidden is whom an account is not shown: accounts that it blocks or mutes, or that block it.
func hidden(viewer string) query.Expr {
	return query.Or{Of: []query.Expr{related(BlocksField, viewer), related(BlockersField, viewer),
		related(MutesField, viewer)}}
}

// For returns the set as a viewer is shown it: without accounts that the viewer blocks or mutes, or
// that block the viewer.
func (a Accounts) For(viewer string) Accounts {
	if a.err != nil {
		return a
	}
	return a.graph.ask(query.And{Of: []query.Expr{a.query(), query.Not{Of: hidden(viewer)}}},
		append(a.names(), viewer)...)
}

// Shown returns the set without hidden accounts.
func (a Accounts) Shown() Accounts {
	if a.err != nil || len(a.graph.keyed) == 0 {
		return a
	}
	s := a.graph.index.Snapshot()
	defer s.Close()
	if _, anybody, err := s.RowID(HiddenField, HiddenRow); err == nil && !anybody {
		return a
	}
	hidden := query.Equal{Field: HiddenField, Value: HiddenRow}
	return a.graph.ask(query.And{Of: []query.Expr{a.query(), query.Not{Of: hidden}}}, a.names()...)
}

// Without returns the set without another one.
func (a Accounts) Without(other Accounts) Accounts {
	switch {
	case a.err != nil:
		return a
	case other.err != nil:
		return other
	}
	return a.graph.ask(query.And{Of: []query.Expr{a.query(), query.Not{Of: other.query()}}},
		append(a.names(), other.names()...)...)
}
