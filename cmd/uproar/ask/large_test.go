// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/ask"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// sources returns an open database as a folder and as a server.
func sources(t *testing.T, fill func(*uproar.Batch)) (folder, served *database.Source) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	index, err := db.CreateIndex(t.Context(), "big", uproar.Field{Name: "value", Type: uproar.Single},
		uproar.Field{Name: "size", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	fill(&b)
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if folder, err = database.Local(db); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	s, err := server.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	c, err := client.New(at.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	return folder, &database.Source{Client: c}
}

// answer asks a query of a source.
func answer(ctx context.Context, q ask.Query, src *database.Source, tables bool) string {
	var out, errOut strings.Builder
	q.Index, q.By, q.Least = "big", cmp.Or(q.By, "count"), 1
	err := q.Answer(ctx, &terminal.Console{Out: &out, Err: &errOut, Tables: tables}, src)
	return fmt.Sprint(out.String(), err)
}

// TestLargeAnswers asks for more entries than a call answers: a folder and a server give all of
// them, once, in the same order.
func TestLargeAnswers(t *testing.T) {
	const records = 2*api.MaxLimit + 500
	folder, served := sources(t, func(b *uproar.Batch) {
		for i := range records {
			key := fmt.Sprint("r", i)
			b.Set("value", key, fmt.Sprint("v", i/2))
			b.SetInt("size", key, int64(i))
		}
	})
	for name, tc := range map[string]struct {
		q     ask.Query
		lines int
	}{
		"records":         {ask.Query{Query: "all"}, records},
		"limited records": {ask.Query{Query: "all", List: ask.Listing{Limit: 5000}}, 5000},
		"IDs":             {ask.Query{Query: "all", IDs: true}, records},
		"top":             {ask.Query{Query: "all", Other: ask.Other{Top: "value"}}, records / 2},
		"limited top": {ask.Query{Query: "all", List: ask.Listing{Limit: 10_200},
			Other: ask.Other{Top: "value"}}, 10_200},
		"over": {ask.Query{Query: "all", Other: ask.Other{Top: "value", By: "lift", Over: "size < 20400"}},
			10_200},
		"groups": {ask.Query{Query: "all", Other: ask.Other{Groups: []string{"size"}}}, records},
		"limited groups": {ask.Query{Query: "all", List: ask.Listing{Limit: 15_000},
			Other: ask.Other{Groups: []string{"size"}}}, 15_000},
	} {
		got := answer(t.Context(), tc.q, folder, false)
		if n := strings.Count(got, "\n"); n != tc.lines || !strings.HasSuffix(got, "\n<nil>") {
			t.Errorf("%s: got %d lines, %.100s ... %s, want %d", name, n, got, got[max(0, len(got)-50):], tc.lines)
		}
		if over := answer(t.Context(), tc.q, served, false); over != got {
			t.Errorf("%s: got %d bytes over HTTP, %d of the folder", name, len(over), len(got))
		}
	}
	q := ask.Query{Query: "all", Other: ask.Other{Sample: api.MaxLimit + 100, Seed: 1}}
	if n := strings.Count(answer(t.Context(), q, folder, false), "\n"); n != q.Sample {
		t.Errorf("sample: got %d lines, want %d", n, q.Sample)
	}
	if got := answer(t.Context(), q, served, false); !strings.Contains(got, "want 1 to 10000") {
		t.Errorf("sample: got %.100q over HTTP, want the limit of the server", got)
	}
}

// TestTables: a terminal gets headers, and numbers flush right; JSON none.
func TestTables(t *testing.T) {
	folder, _ := sources(t, func(b *uproar.Batch) {
		for i := range 12 {
			b.Set("value", fmt.Sprint("r", i), []string{"common", "rare"}[max(0, i-10)])
		}
	})
	for _, tc := range []struct {
		q    ask.Query
		want string
	}{
		{ask.Query{Query: "value = rare"}, "key\nr11\n<nil>"},
		{ask.Query{Query: "value = rare", IDs: true}, "id\n11\n<nil>"},
		{ask.Query{Query: "value = rare", List: ask.Listing{JSON: true}}, `{"id":11,"key":"r11"}` + "\n<nil>"},
		{ask.Query{Query: "all", Other: ask.Other{Top: "value"}},
			"records  of all  score  value\n     11      11     11  common\n      1       1      1  rare\n<nil>"},
		{ask.Query{Query: "nothing"}, "<nil>"},
		{ask.Query{Query: "all", Count: true}, "12\n<nil>"},
		{ask.Query{Query: "vale = rare"},
			"unknown field \"vale\": did you mean \"value\"?\n    vale = rare\n    ^"},
	} {
		if got := answer(t.Context(), tc.q, folder, true); got != tc.want {
			t.Errorf("%+v: got\n%s\nwant\n%s", tc.q, got, tc.want)
		}
	}
}
