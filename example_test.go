// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil) // pebblestore.Open(dir, nil) keeps it on disk
	if err != nil {
		panic(err)
	}
	defer db.Close()
	accounts, err := db.CreateIndex(ctx, "accounts",
		uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers"},
		uproar.Field{Name: "country", Type: uproar.Set})
	if err != nil {
		panic(err)
	}

	var b uproar.Batch
	b.Set("follows", "alice", "bob")
	b.Set("follows", "alice", "carol")
	b.Set("follows", "carol", "bob")
	b.Set("country", "carol", "de")
	if _, err := accounts.Write(ctx, &b); err != nil {
		panic(err)
	}

	snap := accounts.Snapshot()
	defer snap.Close()
	q, err := query.Parse("follows(alice) and followers(bob) and country = de")
	if err != nil {
		panic(err)
	}
	keys, err := snap.Keys(ctx, q, uproar.Page{Limit: 10})
	fmt.Println(keys.Keys, err)
	n, err := snap.Count(ctx, query.Not{Of: q})
	fmt.Println(n, err)
	// Output:
	// [carol] <nil>
	// 2 <nil>
}

func ExampleUnknownError() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "accounts", uproar.Field{Name: "country", Type: uproar.Set})
	if err != nil {
		panic(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	_, err = snap.Count(ctx, query.Equal{Field: "county", Value: "de"})
	fmt.Println(err, errors.Is(err, uproar.ErrUnknownField))
	// Output: uproar: unknown field "county": did you mean "country"? true
}
