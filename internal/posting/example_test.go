// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting_test

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	memory, err := memory.New(256 << 20)
	if err != nil {
		panic(err)
	}
	const follows, followers = 4, 8
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 32 << 20,
		Fields: []model.Field{
			{ID: follows, Inverse: followers}, {ID: followers, Inverse: follows, Derived: true}}})
	if err != nil {
		panic(err)
	}
	defer ix.Close()

	var b posting.Batch
	alice, bob := b.Key(model.RecordSpace, "alice"), b.Key(model.RecordSpace, "bob")
	b.Set(follows, alice, bob)
	if _, err := ix.Commit(context.Background(), &b); err != nil {
		panic(err)
	}

	snap := ix.Snapshot()
	defer snap.Close()
	row, _, err := snap.Lookup(model.RecordSpace, "bob")
	if err != nil {
		panic(err)
	}
	var l overlay.List
	if err := snap.List(followers, row, &l); err != nil {
		panic(err)
	}
	var c overlay.Cursor
	c.Reset(&l)
	for ok := c.Seek(0); ok; ok = c.Next() {
		for _, id := range c.Block().AppendTo(nil) {
			key, _, err := snap.AppendKey(nil, model.RecordSpace, id)
			fmt.Println(string(key), err)
		}
	}
	// Output: alice <nil>
}
