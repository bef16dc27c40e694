// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likesapi

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// asker returns a database in memory, and what asks its handlers. The question is a body of JSON
// for POST, and parameters for GET. An error is answered by its code and message.
func asker(t *testing.T) (*uproar.DB, func(method, path, question string) string) {
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
	for _, e := range New(db).Endpoints() {
		handlers[e.Method+" "+e.Path] = e.Handle
	}
	return db, func(method, path, question string) string {
		t.Helper()
		req := call.Request{Method: method, Path: path, Query: question}
		if method == "POST" {
			req.Query, req.ContentType = "", call.ContentJSON
			req.Body, req.Length = []byte(question), int64(len(question))
		}
		reply, err := handlers[method+" "+path](t.Context(), req)
		if err != nil {
			e := call.Failure(err)
			return string(e.Code) + ": " + e.Message
		}
		return string(reply.AppendJSON(nil))
	}
}

// TestEveryCallHasAnOperation: each endpoint is described, and only write needs a token that
// writes.
func TestEveryCallHasAnOperation(t *testing.T) {
	described := map[string]call.Access{}
	for _, o := range Operations {
		described[o.Method+" "+o.Path] = o.Access
	}
	for _, e := range (&Handlers{}).Endpoints() {
		want := call.AccessRead
		if e.Path == writePath {
			want = call.AccessWrite
		}
		if access, ok := described[e.Method+" "+e.Path]; !ok || access != want {
			t.Errorf("%s %s: got access %d, described: %v; want %d", e.Method, e.Path, access, ok, want)
		}
	}
}

// TestCalls: each call answers, and refuses what it cannot read with what was wanted.
func TestCalls(t *testing.T) {
	_, ask := asker(t)
	many := `{"subjects":["s"` + strings.Repeat(`,"s"`, api.MaxSubjects) + `]}`
	for _, c := range []struct{ method, path, question, want string }{
		{"GET", likersPath, "subject=s", "unknown_index: "},
		{"GET", likedPath, "account=a", "unknown_index: "},
		{"POST", lookupPath, `{"subjects":["s"]}`, "unknown_index: "},
		{"POST", writePath, `{}`, `invalid_request: body has neither "changes" nor "stream"`},
		{"POST", writePath, `{"stream":"s"}`, `invalid_request: body has one of "stream" and "position"`},
		{"POST", writePath, `{"changes":[{"account":"a","key":"3m6i4wtqkuf2l","subject":"s"}],"stream":"t","position":3}`,
			`{"sequence":`},
		{"POST", writePath, `{"changes":[{"account":"a","key":"k","subject":"\u0001"}]}`, "invalid_request: subject"},
		{"POST", writePath, `{"changes":[{"account":"a","key":""}]}`, "invalid_request: invalid change: key"},
		{"POST", writePath, `{"changes":[{"account":"","key":"k"}]}`, "invalid_account: account"},
		{"POST", lookupPath, `{"subjects":[]}`, `invalid_request: member "subjects" has 0, want 1 to 100`},
		{"POST", lookupPath, many, `invalid_request: member "subjects" has 101`},
		{"POST", lookupPath, `{"subjects":["s"],"limit":-1}`, `invalid_request: member "limit"`},
		{"POST", lookupPath, `{"subjects":["s"],"viewer":"\n"}`, "invalid_account: "},
		{"POST", lookupPath, `{"subjects":["s","none"],"account":"b","viewer":"a"}`, `{"subjects":[{"accounts":1,"key":"",` +
			`"known":{"count":0,"accounts":[]}},{"accounts":0,"key":"","known":{"count":0,"accounts":[]}}]}`},
		{"GET", likersPath, "", `invalid_request: parameter "subject" is missing`},
		{"GET", likersPath, "subject=s&cursor=1__1", "invalid_cursor: "},
		{"GET", likersPath, "subject=s&hidden=maybe", `invalid_request: parameter "hidden"`},
		{"GET", likersPath, "subject=s", `{"likes":[{"account":"a","key":"3m6i4wtqkuf2l"}]}`},
		{"GET", likersPath, "subject=none", `{"likes":[]}`},
		{"GET", likedPath, "account=a&cursor=x", "invalid_cursor: "},
		{"GET", likedPath, "account=nobody", "unknown_account: "},
		{"GET", likedPath, "account=a", `{"subjects":["s"]}`},
	} {
		if got := ask(c.method, c.path, c.question); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s %s: got %s, want %s", c.method, c.path, c.question, got, c.want)
		}
	}
}

// TestMadeAgain: the likes of a graph that was dropped and made again are new. A graph that is made
// for likes keeps keys.
func TestMadeAgain(t *testing.T) {
	db, ask := asker(t)
	for range 2 {
		if got := ask("POST", writePath, `{"changes":[{"account":"a","key":"k","subject":"s"}]}`); !strings.HasPrefix(got,
			`{"sequence":`) {
			t.Fatal(got)
		}
		if got := ask("GET", likersPath, "subject=s"); got != `{"likes":[{"account":"a","key":"k"}]}` {
			t.Fatal(got)
		}
		g, err := graph.Open(t.Context(), db)
		if err != nil || !g.Keyed(graph.Follows) {
			t.Fatalf("got a graph without keys, %v", err)
		}
		if err := db.DropIndex(t.Context(), graph.IndexName); err != nil {
			t.Fatal(err)
		}
	}
	if got := ask("GET", likersPath, "subject=s"); !strings.HasPrefix(got, "unknown_index: ") {
		t.Errorf("of a graph that was dropped: got %s", got)
	}
}
