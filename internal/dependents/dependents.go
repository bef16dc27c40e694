// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package dependents knows which applications need a field of an index. The server and the program
// ask it before they drop one, so that no catalog, graph, saved audience or standing query stops
// working unseen.
package dependents

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/apps/standing"
)

// keyspace are the fields of an index with the sets of Redis' clients (package
// server/resp/keyspace).
var keyspace = []uproar.Field{{Name: sets, Type: uproar.Set}, {Name: "type", Type: uproar.Single},
	{Name: "expires", Type: uproar.Integer}, {Name: "timed", Type: uproar.Set}}

// sets is the field of them that others may write.
const sets = "sets"

// ofKeyspace reports whether a field is one of them.
func ofKeyspace(field string) bool {
	return slices.ContainsFunc(keyspace, func(f uproar.Field) bool { return f.Name == field })
}

// isKeyspace reports whether an index has all of them.
func isKeyspace(ix *uproar.Index) bool {
	declared := ix.Fields()
	return !slices.ContainsFunc(keyspace, func(f uproar.Field) bool { return !slices.Contains(declared, f) })
}

// check fails for a field that a catalog, the graph, its likes, a saved audience or a standing
// query cannot do without; the error names which. Cost: it evaluates the saved audiences of the
// index. Errors: uproar.ErrInvalid, uproar.ErrUnknownIndex, or those of reading.
func check(ctx context.Context, db *uproar.DB, index, field string) error {
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	if name := catalog.Needs(db, ix, field); name != "" {
		return needed(field, "catalog %q needs it; replace the catalog with one of another schema instead", name)
	}
	if Application(ix) == "standing" {
		return needed(field, "the standing queries in index %q need it", index)
	}
	if graph.Needs(ix, field) {
		return needed(field, "the graph in index %q needs it", index)
	}
	if likes.Needs(ix, field) {
		return needed(field, "the likes in index %q need it", index)
	}
	if isKeyspace(ix) && ofKeyspace(field) {
		return needed(field, "the sets of Redis' clients in index %q need it; drop the index instead", index)
	}
	name, err := audience.Needs(ctx, db, ix, field)
	if err == nil && name != "" {
		return needed(field, "saved audience %q needs it; forget that one first", name)
	}
	if err != nil {
		return err
	}
	name, err = standing.Needs(ctx, db, ix, field)
	if err == nil && name != "" {
		return needed(field, "standing query %q needs it; drop that one first", name)
	}
	return err
}

// ChangeFields changes the fields of an index, if none that it drops is one that an application
// needs. No query begins to stand meanwhile. Errors: uproar.ErrInvalid for one that is needed, and
// those of uproar.DB.ChangeFields.
func ChangeFields(ctx context.Context, db *uproar.DB, index string, drop []string, add []uproar.Field) error {
	giveBack, err := standing.Hold(ctx, db)
	if err != nil {
		return err
	}
	defer giveBack()
	for _, field := range drop {
		if err := check(ctx, db, index, field); err != nil {
			return err
		}
	}
	_, err = db.ChangeFields(ctx, index, drop, add)
	return err
}

func needed(field, format, name string) error {
	return fmt.Errorf("%w: drop: got field %q: %s", uproar.ErrInvalid, field, fmt.Sprintf(format, name))
}
