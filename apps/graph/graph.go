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

// Where a graph lies in its database.
const (
	IndexName      = "accounts"  // the index of accounts
	FollowsField   = "follows"   // its relation: account to target
	FollowersField = "followers" // the inverse: target to account
)

// Graph is the graph of follows in one database. It has no state of its own
// beside the index, so that any number of them may be open. Safe for concurrent
// use; it must not be used after its database is closed (uproar.ErrClosed).
type Graph struct {
	index *uproar.Index
}

// Open opens the graph of a database, and creates its index if there is none. An
// empty graph is ready at once. An index "accounts" with other fields than the
// graph needs is an error.
func Open(ctx context.Context, db *uproar.DB) (*Graph, error) {
	index, err := db.Index(IndexName)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		index, err = db.CreateIndex(ctx, IndexName,
			uproar.Field{Name: FollowsField, Type: uproar.Relation, Inverse: FollowersField})
		if errors.Is(err, uproar.ErrIndexExists) { // somebody else was faster
			index, err = db.Index(IndexName)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("graph: opening: %w", err)
	}
	fits := slices.ContainsFunc(index.Fields(), func(f uproar.Field) bool {
		return f.Name == FollowsField && f.Type == uproar.Relation && f.Inverse == FollowersField
	})
	if !fits {
		return nil, fmt.Errorf("graph: opening: index %s has fields %v, want relation %s with inverse %s",
			IndexName, index.Fields(), FollowsField, FollowersField)
	}
	return &Graph{index}, nil
}

// Index returns the index of accounts, for questions that are no verb here.
func (g *Graph) Index() *uproar.Index { return g.index }
