// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
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
	for _, e := range New(db, nil).Endpoints() {
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
	for _, o := range Operations {
		described[o.Method+" "+o.Path] = o.Access
	}
	writes := map[string]bool{"POST /v1/audience/save": true, "POST /v1/audience/forget": true,
		"POST /v1/import": true}
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
	const all, report = "index=people&q=all", `{"index":"people","q":"all",`
	list := func(of string, n int) string { return strings.TrimSuffix(strings.Repeat(of+",", n), ",") }
	for _, c := range []struct {
		method, path, query, body string
		want                      string // part of the message
	}{
		{"GET", "size", "index=people", "", `parameter "q" is missing`},
		{"GET", "size", "q=all", "", `parameter "index" is missing`},
		{"GET", "size", all + "&least=1", "", `unknown parameter "least"`},
		{"GET", "words", all, "", `parameter "field" is missing`},
		{"GET", "words", all + "&field=likes&least=0", "", `"least" is "0", want 1 or more`},
		{"GET", "words", all + "&field=likes&least=x", "", `"least" is "x", want 1 or more`},
		{"GET", "values", all + "&field=likes&by=", "", `"by" is "", want count or lift`},
		{"GET", "values", all + "&field=likes&by=size", "", `"by" is "size", want count or lift`},
		{"GET", "demographics", all, "", `"field" and "cross" are both missing`},
		{"GET", "demographics", all + "&cross=likes", "", `a cross-tab has 1 fields, want 2 to `},
		{"GET", "demographics", all + strings.Repeat("&field=age", api.MaxFields+1), "", `want at most `},
		{"GET", "compare", all, "", `parameter "with" is missing`},
		{"GET", "compare", all + "&with=all" + strings.Repeat("&field=age", api.MaxFields+1), "", `want at most `},
		{"GET", "overlap", all, "", `"q" is given 1 times, want 2 to `},
		{"GET", "overlap", all + strings.Repeat("&q=all", api.MaxSets), "",
			fmt.Sprintf(`"q" is given %d times`, api.MaxSets+1)},
		{"POST", "report", "", `{"index":"people"}`, `"q" is missing`},
		{"POST", "report", "", report + `"words":[{}]}`, `"field" is missing or empty`},
		{"POST", "report", "", report + `"words":[` + list(`{"field":"likes"}`, api.MaxFields+1) + `]}`,
			`want at most `},
		{"POST", "report", "", report + `"values":[{"field":"likes","by":"x"}]}`, `"by" is "x", want count or lift`},
		{"POST", "report", "", report + `"values":[{"field":"likes","limit":-1}]}`, `"limit" is -1`},
		{"POST", "report", "", report + `"demographics":{}}`, `are both missing`},
		{"POST", "report", "", report + `"compare":{}}`, `"with" is missing`},
		{"POST", "report", "", report + `"overlap":[` + list(`"all"`, api.MaxSets) + `]}`, `want at most `},
		{"POST", "save", "", `{"index":"people","q":"all"}`, `"name" is missing or empty`},
		{"POST", "save", "", `{"index":"people","name":"x"}`, `"q" is missing`},
		{"POST", "forget", "", `{"index":"people"}`, `"index" or "name" is missing or empty`},
		{"GET", "saved", "", "", `parameter "index" is missing`},
	} {
		reply, err := ask(c.method, "/v1/audience/"+c.path, c.query, c.body)
		if !errors.Is(err, &api.Error{Code: api.CodeInvalidRequest}) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s?%s %s: got %s, %v, want %s", c.method, c.path, c.query, c.body, reply, err, c.want)
		}
	}
}

// TestSizesAndOverlaps: an audience is told its size and its share of all, and what it has in
// common with others.
func TestSizesAndOverlaps(t *testing.T) {
	ask := asker(t)
	for _, c := range []struct{ path, query, want string }{
		{"size", "index=people&q=likes%20%3D%20cake", `{"records":1,"of":3,"share":0.3333333333333333}`},
		{"overlap", "index=people&q=all&q=likes%20%3D%20tea", `{"matrix":[[3,2],[2,2]]}`},
	} {
		if got, err := ask("GET", "/v1/audience/"+c.path, c.query, ""); got != c.want || err != nil {
			t.Errorf("%s?%s: got %s, %v, want %s", c.path, c.query, got, err, c.want)
		}
	}
	if _, err := ask("GET", "/v1/audience/size", "index=pepole&q=all", ""); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("an index that is not there: got %v, want an unknown index", err)
	}
}
