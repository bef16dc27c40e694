// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkBulkSearches answers 10 000 searches of eight conditions each, over 20 000 records, in
// one request: decoding, searching and encoding, shared by the processors.
func BenchmarkBulkSearches(b *testing.B) {
	const attributes, records, searches = 8, 20_000, 10_000
	s := newSite(b, nil)
	var schema, table, body strings.Builder
	value := func(record, attribute int) int { return record * (attribute + 3) % (50 << attribute) }
	schema.WriteString(`{"key":"id","attributes":[`)
	table.WriteString("id")
	for a := range attributes {
		fmt.Fprintf(&schema, `%.*s{"name":"a%d"}`, min(a, 1), ",", a)
		fmt.Fprintf(&table, ",a%d", a)
	}
	schema.WriteString("]}")
	for r := range records {
		fmt.Fprintf(&table, "\nr%d", r)
		for a := range attributes {
			fmt.Fprintf(&table, ",v%d", value(r, a))
		}
	}
	parts, media := parted(b, "application/json", schema.String(), "text/csv", table.String())
	if resp, got := s.do("POST", catalogImportPath+"?catalog=c", parts, "Content-Type", media); resp.StatusCode != 200 {
		b.Fatalf("got %d %s", resp.StatusCode, got)
	}
	body.WriteString(`{"catalog":"c","brief":true,"searches":[`)
	for i := range searches {
		fmt.Fprintf(&body, `%.*s{`, min(i, 1), ",")
		for a := range attributes {
			fmt.Fprintf(&body, `%.*s"a%d":"v%d"`, min(a, 1), ",", a, value(i*7, a))
		}
		body.WriteString("}")
	}
	body.WriteString("]}")
	w := &sink{header: make(http.Header)}
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), "POST", "http://localhost/v1/catalog/search",
			strings.NewReader(body.String()))
		r.Header.Set("Content-Type", "application/json")
		if s.server.ServeHTTP(w, r); w.status != 200 {
			b.Fatalf("got status %d", w.status)
		}
	}
}
