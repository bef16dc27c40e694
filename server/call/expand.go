// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"encoding/json"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
)

// ParseAsked reads the query that an index is asked, as Expand does with it.
func ParseAsked(ctx context.Context, db *uproar.DB, index string, raw json.RawMessage) (query.Expr, error) {
	expr, err := ParseQuery(raw)
	if err != nil {
		return nil, err
	}
	return Expand(ctx, db, index, expr)
}

// Expand puts the queries of saved audiences that follow the data in the place of their names, as
// they are now. A query that names no saved set stays as it is, and no index is looked up.
func Expand(ctx context.Context, db *uproar.DB, index string, expr query.Expr) (query.Expr, error) {
	for x := range query.Walk(expr) {
		if _, ok := x.(query.Saved); !ok {
			continue
		}
		audiences, err := audience.Of(db, index)
		if err != nil {
			return nil, err
		}
		return audiences.Expand(ctx, expr)
	}
	return expr, nil
}

// Save stores the records of a query under a name, also in place of a saved audience that follows
// the data, and returns how many they are.
func Save(ctx context.Context, db *uproar.DB, index, name string, expr query.Expr) (uint64, error) {
	audiences, err := audience.Of(db, index)
	if err != nil {
		return 0, err
	}
	return audiences.Freeze(ctx, name, expr)
}
