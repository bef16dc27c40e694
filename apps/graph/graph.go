// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
)

// IndexName is the index of accounts.
const IndexName = "accounts"

// Relations of accounts, each with its inverse. A list is a record like an account, whose members
// are accounts.
const (
	FollowsField   = "follows" // account to target
	FollowersField = "followers"
	BlocksField    = "blocks" // account to whom it blocks
	BlockersField  = "blockers"
	MutesField     = "mutes" // account to whom it mutes
	MutersField    = "muters"
	MembersField   = "members" // list to account
	ListsField     = "lists"
)

// PositionField has the position of a stream of events, see Changes.Position.
const PositionField = "position"

// fields are the fields that a graph needs.
var fields = []uproar.Field{
	{Name: FollowsField, Type: uproar.Relation, Inverse: FollowersField},
	{Name: BlocksField, Type: uproar.Relation, Inverse: BlockersField},
	{Name: MutesField, Type: uproar.Relation, Inverse: MutersField},
	{Name: MembersField, Type: uproar.Relation, Inverse: ListsField},
	{Name: PositionField, Type: uproar.Integer},
}

// Graph is the graph of follows in one database. It has no state of its own
// beside the index, so that any number of them may be open. Safe for concurrent
// use; it must not be used after its database is closed (uproar.ErrClosed).
type Graph struct {
	index *uproar.Index
	keyed []Relation // whose edges have records with keys
}

// Open opens the graph of a database, and creates its index if there is none. An
// empty graph is ready at once. A graph of follows alone, as earlier versions made
// it, gets the other relations, before which nobody else may have its index (see
// uproar.DB.AddFields); one that is only to be read goes without them. An index
// "accounts" with other fields than the graph needs is an error.
func Open(ctx context.Context, db *uproar.DB) (*Graph, error) { return open(ctx, db, nil) }

// open opens the graph, with keys in some relations if it has to be made.
func open(ctx context.Context, db *uproar.DB, keyed []Relation) (*Graph, error) {
	index, err := db.Index(IndexName)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		index, err = db.CreateIndex(ctx, IndexName, fieldsFor(nil, keyed)...)
		if errors.Is(err, uproar.ErrIndexExists) { // somebody else was faster
			index, err = db.Index(IndexName)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("graph: opening: %w", err)
	}
	wanted := fieldsFor(index, keyed)
	if !slices.Contains(index.Fields(), wanted[0]) {
		return nil,
			fmt.Errorf(
				"graph: opening: index %q has fields %v, want %s; the graph needs an index of that name for itself",
				IndexName, index.Fields(), fields[0])
	}
	if err := notesRepeated(index); err != nil {
		return nil, fmt.Errorf("graph: opening: %w", err)
	}
	more, err := db.AddFields(ctx, IndexName, wanted...)
	switch {
	case errors.Is(err, uproar.ErrReadOnly):
	case err != nil:
		return nil, fmt.Errorf("graph: opening: %w", err)
	default:
		index = more
	}
	return &Graph{index: index, keyed: keyedOf(index)}, nil
}

// Index returns the index of accounts, for questions that are no verb here.
func (g *Graph) Index() *uproar.Index { return g.index }
