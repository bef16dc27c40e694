// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	own "github.com/uproar-db/uproar/server"
)

// BenchmarkBulk answers 10 000 searches of eight conditions each, over 487 200 prices, in one
// request without a network: under the path of catalogs, and of bitmap-usage.
func BenchmarkBulk(b *testing.B) {
	list, dir := pricelist.Make(pricelist.Offerings, false, 1), b.TempDir()
	if _, err := load(dir, list); err != nil {
		b.Fatal(err)
	}
	db, err := open(b.Context(), dir, 512<<20)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	s, err := own.New(db, &own.Options{Paths: own.Paths{Prices: catalogName}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, path, body string }{
		{"catalog", "/v1/catalog/search", catalogBulk(list)},
		{"dialect", pathBulk, newRequests(list).bulk},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), "POST", "http://localhost"+c.path,
					strings.NewReader(c.body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				if s.ServeHTTP(w, r); w.Code != 200 {
					b.Fatalf("got %d %.200s", w.Code, w.Body)
				}
			}
		})
	}
}

// catalogBulk is perBulk searches as catalogs are asked, which tell of the value.
func catalogBulk(list []pricelist.Price) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"catalog":%q,"show":["value"],"searches":[`, catalogName)
	for i := range perBulk {
		fmt.Fprintf(&b, "%.*s{", min(i, 1), ",")
		for a, value := range list[uint64(i)*2654435761%uint64(len(list))].Values {
			fmt.Fprintf(&b, "%.*s%q:%q", min(a, 1), ",", pricelist.Attributes[a], value)
		}
		b.WriteByte('}')
	}
	b.WriteString("]}")
	return b.String()
}
