// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store/memstore"
)

// asker returns what asks the handlers of a database in memory with an index of three people,
// without a server. A body is JSON.
func asker(t *testing.T) func(method, path, query, body string) (string, error) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("likes", "ann", "tea")
	b.Set("likes", "bob", "tea")
	b.Set("likes", "cid", "cake")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	handlers := map[string]call.Handler{}
	for _, e := range New(db, streaming.New(2), nothingUnfinished).Endpoints() {
		handlers[e.Method+" "+e.Path] = e.Handle
	}
	return func(method, path, query, body string) (string, error) {
		t.Helper()
		handle := handlers[method+" "+path]
		if handle == nil {
			t.Fatalf("%s %s: got no handler", method, path)
		}
		reply, err := handle(t.Context(), call.Request{Method: method, Path: path, Query: query,
			ContentType: call.ContentJSON, Length: int64(len(body)), Body: []byte(body)})
		if err != nil {
			return "", err
		}
		if source, ok := reply.(call.Source); ok {
			text, err := source.Append(nil)
			return string(text), err
		}
		return string(reply.AppendJSON(nil)), nil
	}
}

// TestEveryCallHasAnOperation: each endpoint is described, and only calls that change nothing may
// be asked with a token that only reads.
func TestEveryCallHasAnOperation(t *testing.T) {
	described := map[string]call.Access{}
	for _, o := range slices.Concat(Operations, FieldOperations, IndexOperations) {
		described[o.Method+" "+o.Path] = o.Access
	}
	writes := map[string]bool{"POST /v1/save": true, "POST " + fieldsPath: true,
		"POST /v1/indexes/create": true, "POST /v1/indexes/drop": true, "POST /v1/indexes/alias": true}
	for _, e := range (&Handlers{}).Endpoints() {
		want := call.AccessRead
		if writes[e.Method+" "+e.Path] {
			want = call.AccessWrite
		}
		if access, ok := described[e.Method+" "+e.Path]; !ok || access != want {
			t.Errorf("%s %s: got access %d, described: %v; want %d", e.Method, e.Path, access, ok, want)
		}
	}
}

// TestCallsRefuseWhatTheyCannotRead: a request that lacks something, or has more than its limit, is
// refused with what was wanted.
func TestCallsRefuseWhatTheyCannotRead(t *testing.T) {
	ask := asker(t)
	question := func(text string) string { return `{"index":"people","q":"all","answers":[` + text + `]}` }
	many := strings.TrimSuffix(strings.Repeat(`"x",`, api.MaxFieldChanges+1), ",")
	for _, c := range []struct {
		method, path, query, body string
		want                      string // part of the message
	}{
		{"GET", "/v1/query", "q=all", "", `parameter "index" is missing`},
		{"GET", "/v1/query", "index=people", "", `parameter "q" is missing`},
		{"GET", "/v1/query", "index=people&q=all&limit=0", "", `"limit" is "0"`},
		{"GET", "/v1/query", "index=people&q=all&answer=all", "", `"answer" is "all", want keys, ids, records, count or explain`},
		{"GET", "/v1/query", "index=people&q=all&answer=count&limit=3", "", `a count has no pages`},
		{"POST", "/v1/query", "", `{"q":"all"}`, `"index" is missing or empty`},
		{"POST", "/v1/query", "", `{"index":"people","q":""}`, `"q" is missing or empty`},
		{"POST", "/v1/query", "", `{"index":"people","q":null}`, `"q" is missing or empty`},
		{"POST", "/v1/query", "", `{"index":"people","q":"all","limit":0}`, `"limit" is 0, want 1 or more`},
		{"POST", "/v1/query", "", fmt.Sprintf(`{"index":"people","q":"all","limit":%d}`, api.MaxLimit+1), `want 1 to `},
		{"POST", "/v1/answers", "", `{"index":"people","q":"all"}`, `"answers" has 0 questions`},
		{"POST", "/v1/answers", "", question(`{"answer":"count"}`), `"name" of question 1 is ""`},
		{"POST", "/v1/answers", "", question(`{"name":"a","answer":"count"},{"name":"a","answer":"count"}`),
			`"name" of question 2 is "a", want one that no other has`},
		{"POST", "/v1/answers", "", question(`{"name":"a","answer":"sum"}`), `"answer" is "sum", want count, top`},
		{"POST", "/v1/answers", "", question(`{"name":"a","answer":"count","field":"age"}`), `which has none`},
		{"POST", "/v1/answers", "", question(`{"name":"a","answer":"top"}`), `"field" is missing or empty`},
		{"POST", "/v1/answers", "", question(`{"name":"a","answer":"sample","limit":-1}`), `"limit" is -1`},
		{"GET", "/v1/changes", "index=people", "", `parameter "after" is missing`},
		{"GET", "/v1/changes", "index=people&after=-1", "", `"after" is "-1", want a sequence number`},
		{"GET", "/v1/changes", "index=people&after=0&wait=2m", "", `"wait" is "2m", want a time from 0s to 1m0s`},
		{"GET", "/v1/changes", "index=people&after=0&wait=-1s", "", `"wait" is "-1s"`},
		{"GET", fieldsPath, "", "", `parameter "index" is missing`},
		{"POST", fieldsPath, "", `{"drop":["age"]}`, `"index" is missing or empty`},
		{"POST", fieldsPath, "", `{"index":"people"}`, `got nothing to drop or to add`},
		{"POST", fieldsPath, "", `{"index":"people","drop":["age","age"]}`, `got "age" twice`},
		{"POST", fieldsPath, "", `{"index":"people","drop":[` + many + `]}`, `want at most `},
		{"GET", indexesPath, "index=", "", `"index" is empty`},
		{"POST", indexesPath + "/create", "", `{"fields":[]}`, `"index" is missing or empty`},
		{"POST", indexesPath + "/drop", "", `{}`, `"index" is missing or empty`},
		{"POST", indexesPath + "/alias", "", `{"index":"people"}`, `"alias" is missing or empty`},
	} {
		reply, err := ask(c.method, c.path, c.query, c.body)
		if !errors.Is(err, &api.Error{Code: api.CodeInvalidRequest}) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s?%s %s: got %s, %v, want %s", c.method, c.path, c.query, c.body, reply, err, c.want)
		}
	}
	if _, err := ask("POST", "/v1/query", "", `{"index":"people","q":"all","cursor":""}`); !errors.Is(err,
		&api.Error{Code: api.CodeInvalidCursor}) {
		t.Errorf("an empty cursor: got %v, want an invalid cursor", err)
	}
	if _, err := ask("GET", fieldsPath, "index=pepole", ""); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("an index that is not there: got %v, want an unknown index", err)
	}
}

// TestQueriesOfEitherForm: a query after the question mark is answered as the same one in a body.
func TestQueriesOfEitherForm(t *testing.T) {
	ask := asker(t)
	for answer, want := range map[string]string{"": `{"keys":["ann","bob"]}`, "keys": `{"keys":["ann","bob"]}`,
		"ids": `{"ids":[0,1]}`, "count": `{"count":2}`} {
		query, body := "index=people&q=likes%20%3D%20tea", `{"index":"people","q":"likes = tea"`
		if answer != "" {
			query, body = query+"&answer="+answer, body+`,"answer":"`+answer+`"`
		}
		if got, err := ask("GET", "/v1/query", query, ""); got != want || err != nil {
			t.Errorf("GET %q: got %s, %v, want %s", answer, got, err, want)
		}
		if got, err := ask("POST", "/v1/query", "", body+"}"); got != want || err != nil {
			t.Errorf("POST %q: got %s, %v, want %s", answer, got, err, want)
		}
	}
}

// TestFieldThatIsGone: a field that is dropped while it is asked about is an error.
func TestFieldThatIsGone(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	a := queryHandler{index: ix}
	if f, err := a.field("age"); f.Type != uproar.Integer || err != nil {
		t.Errorf("got %v, %v, want the age", f, err)
	}
	if err := db.DropField(t.Context(), "people", "age"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.field("age"); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("got %v, want an unknown field", err)
	}
}

// nothingUnfinished is a database without a load.
func nothingUnfinished(context.Context, *uproar.DB, string) (int64, error) { return 0, nil }
