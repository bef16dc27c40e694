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
	im, err := audience.Begin(ctx, db, "people", schema, audience.Options{})
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

	as, err := audience.Of(db, "people")
	if err != nil {
		panic(err)
	}
	view, err := as.View(ctx)
	if err != nil {
		panic(err)
	}
	defer view.Close()
	q, err := query.Parse("city = Oslo")
	if err != nil {
		panic(err)
	}
	oslo, err := view.Find(ctx, q)
	if err != nil {
		panic(err)
	}
	size := oslo.Size()
	fmt.Printf("%d of %d, %.0f %%\n", size.Records, size.Of, 100*size.Share)
	cloud, err := oslo.Words(ctx, "likes", audience.WordOptions{})
	if err != nil {
		panic(err)
	}
	for _, w := range cloud.Typical {
		fmt.Printf("%s: %d of them, lift %.2f\n", w.Key, w.Count, w.Lift)
	}
	// Output:
	// 3 of 4, 75 %
	// cake: 3 of them, lift 1.33
}
