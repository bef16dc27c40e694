// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()

	schema := audience.Schema{Key: "id"}
	for _, text := range []string{"likes:set:split=|:column=fast", "city:single"} {
		column, err := audience.ParseColumn(text)
		if err != nil {
			panic(err)
		}
		schema.Columns = append(schema.Columns, column)
	}
	index, err := schema.Open(ctx, db, "people")
	if err != nil {
		panic(err)
	}
	im, err := audience.Begin(ctx, index, schema, audience.Options{})
	if err != nil {
		panic(err)
	}
	defer im.Abort()
	table := "id,likes,city\nann,tea|cake,Oslo\nbob,tea|coffee,Rome\neve,cake,Oslo\ndan,tea|cake,Oslo\n"
	if _, err := im.Read(strings.NewReader(table), audience.CSV); err != nil {
		panic(err)
	}
	if err := im.Commit(); err != nil {
		panic(err)
	}

	snap := index.Snapshot()
	defer snap.Close()
	e, err := query.Parse("city = Oslo")
	if err != nil {
		panic(err)
	}
	oslo, err := snap.Select(ctx, e)
	if err != nil {
		panic(err)
	}
	words, err := oslo.Top(ctx, "likes", uproar.TopOptions{By: uproar.ByLift, Limit: 2})
	if err != nil {
		panic(err)
	}
	for _, w := range words {
		fmt.Printf("%s: %d of %d, lift %.2f\n", w.Key, w.Count, oslo.Len(), w.Score)
	}
	// Output:
	// cake: 3 of 3, lift 1.33
	// tea: 2 of 3, lift 0.89
}
