// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	memory, err := memory.New(256 << 20)
	if err != nil {
		panic(err)
	}
	const color = 4
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 1 << 20,
		Fields: []model.Field{{ID: color}}})
	if err != nil {
		panic(err)
	}
	defer ix.Close()

	var b posting.Batch
	for id, name := range []string{"red", "blue", "red", "red"} {
		b.Set(model.Exists, model.ID(0), model.ID(uint64(id)))
		b.Set(color, b.Key(model.KeySpace(color), name), model.ID(uint64(id)))
	}
	if _, err := ix.Commit(context.Background(), &b); err != nil {
		panic(err)
	}

	snap := ix.Snapshot()
	defer snap.Close()
	bind := func(leaf query.Expr) (eval.Leaf, error) {
		row, ok, err := snap.Lookup(model.KeySpace(color), leaf.(query.Equal).Value)
		if err != nil || !ok {
			return eval.Leaf{}, err
		}
		return eval.Leaf{Kind: eval.List, Field: color, Row: row}, nil
	}
	e, err := query.Parse("not color = blue")
	if err != nil {
		panic(err)
	}
	ids, _, err := eval.AppendIDs(context.Background(), nil, snap, e, bind, 0, 0)
	fmt.Println(ids, err)
	// Output: [0 2 3] <nil>
}
