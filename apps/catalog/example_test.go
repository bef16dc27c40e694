// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()

	schema, err := catalog.ParseSchema(
		[]byte(`{"key": "id", "attributes": [{"name": "article"}, {"name": "customer", "rule": true}, {"name": "quantity", "type": "number", "rule": true}]}`))
	if err != nil {
		panic(err)
	}
	r, err := catalog.Replace(ctx, db, "discounts", schema, catalog.ReplaceOptions{})
	if err != nil {
		panic(err)
	}
	defer r.Abort()
	table := "id,article,customer,quantity\nlist,tea,,\ntrade,tea,trade|staff,\nbulk,tea,,100..\n"
	if _, _, err := r.Read(ctx, catalog.Table{}, strings.NewReader(table)); err != nil {
		panic(err)
	}
	if err := r.Commit(ctx); err != nil {
		panic(err)
	}

	c, err := catalog.Open(db, "discounts")
	if err != nil {
		panic(err)
	}
	s, err := c.Snapshot()
	if err != nil {
		panic(err)
	}
	defer s.Close()
	var a catalog.Answer
	for _, search := range [][]catalog.Condition{
		{{Attribute: "article", Value: "tea"}, {Attribute: "customer", Value: "retail"},
			{Attribute: "quantity", Value: "1"}},
		{{Attribute: "article", Value: "tea"}, {Attribute: "customer", Value: "staff"},
			{Attribute: "quantity", Value: "500"}},
		{{Attribute: "article", Value: "coffee"}},
	} {
		if err := s.Search(ctx, &a, 10, search...); err != nil {
			panic(err)
		}
		keys, err := s.Keys(a.IDs)
		if err != nil {
			panic(err)
		}
		fmt.Println(a.Kind, keys)
	}
	// Output:
	// one [list]
	// several [trade bulk]
	// nothing []
}
