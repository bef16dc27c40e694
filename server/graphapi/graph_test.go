// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// asker returns what asks the handlers of a database in memory, without a server. A body is JSON. A
// reply is returned as it is sent.
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
	handlers := map[string]call.Handler{}
	for _, e := range New(db, nil).Endpoints() {
		handlers[e.Method+" "+e.Path] = e.Handle
	}
	return func(method, path, query, body string) (string, error) {
		t.Helper()
		handle := handlers[method+" /v1/graph/"+path]
		if handle == nil {
			t.Fatalf("%s %s: got no handler", method, path)
		}
		reply, err := handle(t.Context(), call.Request{Method: method, Path: "/v1/graph/" + path, Query: query,
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

// TestEveryCallHasAnOperation: each endpoint is described once, and only calls that change nothing
// may be asked with a token that only reads.
func TestEveryCallHasAnOperation(t *testing.T) {
	described := map[string]call.Access{}
	for _, o := range Operations {
		if _, twice := described[o.Method+" "+o.Path]; twice {
			t.Errorf("%s %s is described twice", o.Method, o.Path)
		}
		described[o.Method+" "+o.Path] = o.Access
	}
	writes := map[string]bool{"/v1/graph/follow": true, "/v1/graph/unfollow": true, "/v1/graph/write": true,
		importPath: true}
	endpoints := (&Handlers{}).Endpoints()
	for _, e := range endpoints {
		want := call.AccessRead
		if writes[e.Path] {
			want = call.AccessWrite
		}
		if access, ok := described[e.Method+" "+e.Path]; !ok || access != want {
			t.Errorf("%s %s: got access %d, described: %v; want %d", e.Method, e.Path, access, ok, want)
		}
	}
	if len(described) != len(endpoints) {
		t.Errorf("got %d operations of %d endpoints", len(described), len(endpoints))
	}
}

// TestCallsRefuseWhatTheyCannotRead: a request that lacks something, has too much of it or says two
// things at once is refused, with what was wanted, before anything is asked or written.
func TestCallsRefuseWhatTheyCannotRead(t *testing.T) {
	ask := asker(t)
	for _, c := range []struct {
		method, path, query, body string
		want                      string // part of the message
	}{
		{"GET", "followers", "", "", `parameter "account" is missing`},
		{"GET", "followers", "account=a&acount=b", "", `unknown parameter "acount"`},
		{"GET", "followers", "account=a&limit=0", "", `parameter "limit" is "0"`},
		{"GET", "followers", "account=a&count=yes", "", `parameter "count" is "yes"`},
		{"GET", "blocks", "", "", `parameter "account" is missing`},
		{"GET", "follows", "account=a", "", `parameter "target" is missing`},
		{"GET", "follows-following", "target=a", "", `parameter "account" is missing`},
		{"GET", "intersect-followers", "", "", `want it once for each account`},
		{"GET", "suggestions", "account=a&limit=0", "", `parameter "limit" is "0", want 1 to `},
		{"GET", "suggestions", "account=a&limit=x", "", `parameter "limit" is "x", want 1 to `},
		{"GET", "suggestions", "account=a&limit=5&count=true", "", `a count has no entries`},
		{"GET", "suggestions", "account=a&by=count", "", `unknown parameter "by"`},
		{"GET", "similar", "account=a&by=distance", "", `"by" is "distance", want jaccard, cosine or count`},
		{"GET", "similar", "account=a&by=", "", `"by" is "", want jaccard, cosine or count`},
		{"GET", "position", "", "", `parameter "stream" is missing`},
		{"POST", "follow", "", `{}`, `has neither "follows" nor "account" and "target"`},
		{"POST", "follow", "", `{"account":"a"}`, `"target" is missing or empty`},
		{"POST", "follow", "", `{"target":"a"}`, `"account" is missing or empty`},
		{"POST", "unfollow", "", `{"account":"a","target":"b","follows":[]}`, `both "follows" and a single follow`},
		{"POST", "unfollow", "", `{"follow":[]}`, `unknown member "follow"`},
		{"POST", "write", "", `{}`, `neither "changes" nor "stream"`},
		{"POST", "write", "", `{"stream":"s"}`, `one of "stream" and "position", want both`},
		{"POST", "write", "", `{"changes":[],"position":7}`, `one of "stream" and "position", want both`},
		{"POST", "lookup", "", `{}`, `both or neither of "accounts" and "ids"`},
		{"POST", "lookup", "", `{"accounts":[],"ids":[]}`, `both or neither of "accounts" and "ids"`},
	} {
		reply, err := ask(c.method, c.path, c.query, c.body)
		if !errors.Is(err, &api.Error{Code: api.CodeInvalidRequest}) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s?%s %s: got %s, %v, want %s", c.method, c.path, c.query, c.body, reply, err, c.want)
		}
	}
	if got, err := ask("POST", "lookup", "", `{"accounts":["a"]}`); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("after what was refused: got %s, %v, want no graph", got, err)
	}
}

// TestCallsAnswerWhatWasWritten: follows of either form are seen by each side, and are gone when
// they are undone.
func TestCallsAnswerWhatWasWritten(t *testing.T) {
	ask := asker(t)
	for _, c := range []struct{ method, path, query, body, want string }{
		{"POST", "follow", "", `{"account":"a","target":"b"}`, ``},
		{"POST", "follow", "", `{"follows":[{"account":"b","target":"a"},{"account":"c","target":"b"}]}`, ``},
		{"GET", "followers", "account=b", "", `{"accounts":["a","c"]}`},
		{"GET", "followers", "account=b&count=true", "", `{"count":2}`},
		{"GET", "following", "account=c", "", `{"accounts":["b"]}`},
		{"GET", "mutuals", "account=a", "", `{"accounts":["b"]}`},
		{"GET", "follows", "account=c&target=b", "", `{"follows":true}`},
		{"GET", "intersect-following", "account=a&account=c", "", `{"accounts":["b"]}`},
		{"GET", "reach", "account=c&count=true", "", `{"count":2}`},
		{"POST", "unfollow", "", `{"account":"a","target":"b"}`, ``},
		{"GET", "followers", "account=b", "", `{"accounts":["c"]}`},
		{"GET", "follows", "account=a&target=b", "", `{"follows":false}`},
		{"POST", "write", "", `{"changes":[],"stream":"s","position":7}`, ``},
		{"GET", "position", "stream=s", "", `{"position":7}`},
	} {
		got, err := ask(c.method, c.path, c.query, c.body)
		if err != nil || c.want == "" && !strings.HasPrefix(got, `{"sequence":`) || c.want != "" && got != c.want {
			t.Errorf("%s %s?%s %s: got %s, %v, want %s", c.method, c.path, c.query, c.body, got, err, c.want)
		}
	}
	if _, err := ask("GET", "followers", "account=nobody", ""); !errors.Is(err, uproar.ErrUnknownRecord) {
		t.Errorf("followers of nobody: got %v, want an unknown account", err)
	}
	if _, err := ask("GET", "followers", "account=b&cursor=x", ""); !errors.Is(err,
		&api.Error{Code: api.CodeInvalidCursor}) {
		t.Errorf("a cursor that is none: got %v, want an invalid cursor", err)
	}
}

// TestFirstWriteMakesTheGraph: a database without a graph says so to questions, knows no position,
// and has a graph once something is written.
func TestFirstWriteMakesTheGraph(t *testing.T) {
	ask := asker(t)
	for range 2 { // a question makes none
		_, err := ask("GET", "followers", "account=b", "")
		if !errors.Is(err, uproar.ErrUnknownIndex) || !strings.Contains(err.Error(), "no graph yet") {
			t.Errorf("before the first write: got %v, want %v", err, uproar.ErrUnknownIndex)
		}
		if got, err := ask("GET", "position", "stream=s", ""); err != nil || got != `{"position":null}` {
			t.Errorf("position before the first write: got %s, %v, want null", got, err)
		}
	}
	if _, err := ask("POST", "follow", "", `{"account":"a","target":"b"}`); err != nil {
		t.Fatal(err)
	}
	if got, err := ask("GET", "followers", "account=b", ""); err != nil || got != `{"accounts":["a"]}` {
		t.Errorf("after the first write: got %s, %v, want a", got, err)
	}
}
