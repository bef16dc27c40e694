// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// BenchmarkBulkPrices answers 10 000 searches of eight conditions each, over 487 200 prices, in one request: under the paths
// of catalogs, and of bitmap-usage.
func BenchmarkBulkPrices(b *testing.B) {
	const searches = 10_000
	list := pricelist.Make(pricelist.Offerings, false, 1)
	s := serveList(b, list)
	own, dialect := strings.Builder{}, strings.Builder{}
	own.WriteString(`{"catalog":"prices","searches":[`)
	dialect.WriteString("[")
	for i := range searches {
		p := &list[uint64(i)*2654435761%uint64(len(list))]
		fmt.Fprintf(&own, `%.*s{`, min(i, 1), ",")
		for a, value := range p.Values {
			fmt.Fprintf(&own, `%.*s%q:%q`, min(a, 1), ",", pricelist.Attributes[a], value)
		}
		own.WriteString("}")
		fmt.Fprintf(&dialect, `%.*s{"id":%d,"offeringId":%q,"groupId":%q,"priceSpecId":%q,"charValues":[`, min(i, 1), ",", i, p.Values[0], p.Values[1], p.Values[2])
		for a, value := range p.Values[3:] {
			fmt.Fprintf(&dialect, `%.*s{"char":%q,"value":%q}`, min(a, 1), ",", pricelist.Attributes[3+a], value)
		}
		dialect.WriteString("]}")
	}
	own.WriteString(`],"show":["value"]}`)
	dialect.WriteString("]")
	for _, c := range []struct{ name, path, body string }{
		{"catalog", "/v1/catalog/search", own.String()},
		{"dialect", "/v4/search/bitmap/bulk/prices", dialect.String()},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := &sink{header: make(http.Header)}
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), "POST", "http://localhost"+c.path, strings.NewReader(c.body))
				r.Header.Set("Content-Type", "application/json")
				if s.ServeHTTP(w, r); w.status != 200 {
					b.Fatalf("got status %d", w.status)
				}
			}
		})
	}
}

// serveList returns a server of a price list.
func serveList(b *testing.B, list []pricelist.Price) *server.Server {
	db, err := uproar.Open(b.Context(), memstore.New(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	r, err := catalog.Replace(b.Context(), db, "prices", pricelist.Schema(), catalog.ReplaceOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Abort()
	for i := range list {
		if err := r.Add(list[i].Record()); err != nil {
			b.Fatal(err)
		}
	}
	if err := r.Commit(b.Context()); err != nil {
		b.Fatal(err)
	}
	g, err := graph.Open(b.Context(), db)
	if err != nil {
		b.Fatal(err)
	}
	s, err := server.New(g, db, &server.Options{Prices: "prices"})
	if err != nil {
		b.Fatal(err)
	}
	return s
}
