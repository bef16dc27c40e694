// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

func ExampleDB_Backup() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	accounts, err := db.CreateIndex(ctx, "accounts", uproar.Field{Name: "country", Type: uproar.Set})
	if err != nil {
		fmt.Println(err)
		return
	}
	var full, increment bytes.Buffer // or files
	monday, err := db.Backup(ctx, &full, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var b uproar.Batch
	b.Set("country", "alice", "de")
	if _, err = accounts.Write(ctx, &b); err != nil {
		fmt.Println(err)
		return
	}
	if _, err = db.Backup(ctx, &increment, &uproar.BackupOptions{Since: monday}); err != nil {
		fmt.Println(err)
		return
	}

	s := memstore.New() // or any other store that is empty
	defer s.Close()
	last, err := uproar.Restore(ctx, s, &full, &increment)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(last.Indexes[0].Name, "up to commit", last.Indexes[0].Sequence)
	// Output: accounts up to commit 1
}
