// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// TestQueryForms: a body takes a query as text and as an object, and answers both alike. Pages of
// one form go on in the other.
func TestQueryForms(t *testing.T) {
	s := newSite(t, nil)
	ix, err := s.db.CreateIndex(t.Context(), "people",
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "knownBy"},
		uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i := range 100 {
		b.Set("knows", fmt.Sprint("k", i), "k0")
		b.SetInt("age", fmt.Sprint("k", i), int64(i))
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for i := range 40_000 {
		keys = append(keys, fmt.Sprint("k", i))
	}
	many, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ q, rest, want string }{
		{`"age < 3"`, `,"answer":"count"`, `{"count":3}`},
		{`{"field":"age","<":"3"}`, `,"answer":"count"`, `{"count":3}`},
		{`{"not":{"field":"age",">=":1}}`, ``, `{"keys":["k0"]}`},
		{`{"field":"age","<=":5}`, `,"answer":"ids","limit":2`, `{"ids":[0,1],"cursor":`},
		{`{"field":"age","<=":5}`, `,"answer":"explain"`, `{"plan":{`},
		{`{"field":"knows","in":["k0","zoe"]}`, `,"answer":"count"`, `{"count":100,"unknown":["knows = zoe"]}`},
		{`{"field":"knows","in":` + string(many) + `}`, `,"answer":"count"`, `{"count":100,"unknown":["knows = k100",`},
		{`""`, ``, `{"error":{"code":"invalid_request","message":"\"q\" is missing or empty"}}`},
		{`null`, ``, `{"error":{"code":"invalid_request","message":"\"q\" is missing or empty"}}`},
		{`7`, ``, `{"error":{"code":"invalid_query","message":"1:1: got the number \"7\"`},
		{`["age < 3"]`, ``, `{"error":{"code":"invalid_query","message":"1:1: got \"[\", want an object`},
		{`{"field":"age","is":3}`, ``, `{"error":{"code":"invalid_request","message":"body at byte 37: unknown`},
		{`{"field":"age","<":3,"<":4}`, ``, `{"error":{"code":"invalid_request","message":"body at byte 43: member`},
	} {
		_, got := s.do("POST", "/v1/query", `{"index":"people","q":`+c.q+c.rest+`}`)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%.60s: got %.200s, want %.200s", c.q, got, c.want)
		}
	}
	_, got := s.do("POST", "/v1/query", `{"index":"people","q":{"field":"age","<":5},"limit":3}`)
	var page api.KeysReply
	if err := json.Unmarshal([]byte(got), &page); err != nil || len(page.Keys) != 3 {
		t.Fatalf("got %s, %v, want three keys", got, err)
	}
	_, got = s.do("POST", "/v1/query", `{"index":"people","q":"age < 5","limit":3,"cursor":"`+page.Cursor+`"}`)
	if strings.TrimSpace(got) != `{"keys":["k3","k4"]}` {
		t.Errorf("got %s, want the page behind that of the object", got)
	}
}
