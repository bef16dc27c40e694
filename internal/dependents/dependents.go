// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package dependents knows which applications need a field of an index. The server and the program
// ask it before they drop one, so that no catalog, graph, saved audience or standing query stops
// working unseen.
package dependents

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/standing"
)

// Check fails for a field that a catalog, the graph, a saved audience or a standing query cannot do
// without; the error names which. Cost: it evaluates the saved audiences of the index. Errors:
// uproar.ErrInvalid, uproar.ErrUnknownIndex, or those of reading.
func Check(ctx context.Context, db *uproar.DB, index, field string) error {
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

func needed(field, format, name string) error {
	return fmt.Errorf("%w: drop: got field %q: %s", uproar.ErrInvalid, field, fmt.Sprintf(format, name))
}
