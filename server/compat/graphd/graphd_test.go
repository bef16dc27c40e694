// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// asker returns what asks the handlers of a graph in memory, without a server, and is answered as a
// client is: what is sent, and the status.
func asker(t *testing.T, health func() error) func(method, path, query, body string) (string, int) {
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
	for _, e := range New(db, health).Endpoints() {
		handlers[e.Method+" "+e.Path] = e.Handle
	}
	return func(method, path, query, body string) (string, int) {
		t.Helper()
		handle := handlers[method+" "+path]
		if handle == nil {
			t.Fatalf("%s %s: got no handler", method, path)
		}
		reply, err := handle(t.Context(), call.Request{Method: method, Path: path, Query: query,
			ContentType: call.ContentJSON, Length: int64(len(body)), Body: []byte(body)})
		var text []byte
		if source, ok := reply.(call.Source); ok && err == nil {
			text, err = source.Append(nil)
		} else if err == nil {
			text = reply.AppendJSON(nil)
		}
		if err != nil {
			failed, status := fail(nil, &api.Error{Code: api.CodeInternal, Message: err.Error()}, err)
			return string(failed), status
		}
		return string(text), 200
	}
}

// TestWritesAndLists: follows are seen by each side in GraphD's form, and undoing those of who is
// not there is nothing.
func TestWritesAndLists(t *testing.T) {
	ask := asker(t, nil)
	for _, c := range []struct {
		method, path, query, body string
		want                      string
		status                    int
	}{
		{"POST", "/follow", "", `{"actor_did":"did:plc:a","target_did":"did:plc:b"}`, `"ok"`, 200},
		{"POST", "/follows", "", `{"follows":[{"actor_did":"did:plc:b","target_did":"did:plc:a"},` +
			`{"actor_did":"did:plc:c","target_did":"did:plc:b"}]}`, `"ok"`, 200},
		{"GET", "/followers", "did=did:plc:b", "", `["did:plc:a","did:plc:c"]`, 200},
		{"GET", "/following", "did=did:plc:c", "", `["did:plc:b"]`, 200},
		{"GET", "/moots", "did=did:plc:a", "", `["did:plc:b"]`, 200},
		{"GET", "/followers_not_following", "did=did:plc:b", "", `{"dids":["did:plc:c"]}`, 200},
		{"GET", "/does_follow", "actor_did=did:plc:c&target_did=did:plc:b", "", `true`, 200},
		{"GET", "/are_moots", "actor_did=did:plc:c&target_did=did:plc:b", "", `false`, 200},
		{"GET", "/follows_following", "actor_did=did:plc:c&target_did=did:plc:a", "", `["did:plc:b"]`, 200},
		{"GET", "/intersect_following", "did=did:plc:a&did=did:plc:c", "", `["did:plc:b"]`, 200},
		{"GET", "/does_follow", "actor_did=did:plc:x&target_did=did:plc:b", "", `"actor uid not found"`, 404},
		{"GET", "/does_follow", "actor_did=did:plc:a&target_did=did:plc:x", "", `"target uid not found"`, 404},
		{"GET", "/does_follow", "actor_did=did:plc:a", "", `"actor_did and target_did query params are required"`, 400},
		{"GET", "/intersect_followers", "", "", `"did query param is required"`, 400},
		{"GET", "/intersect_followers", "did=did:plc:a&did=did:plc:x", "", `"uid not found for did did:plc:x"`, 404},
		{"GET", "/followers", "did=did:plc:x", "", `"uid not found"`, 404},
		{"POST", "/unfollow", "", `{"actor_did":"did:plc:x","target_did":"did:plc:y"}`, `"ok"`, 200},
		{"GET", "/followers", "did=did:plc:y", "", `"uid not found"`, 404},
		{"POST", "/unfollows", "", `{"unfollows":[{"actor_did":"did:plc:a","target_did":"did:plc:b"}]}`, `"ok"`, 200},
		{"GET", "/followers", "did=did:plc:b", "", `["did:plc:c"]`, 200},
	} {
		if got, status := ask(c.method, c.path, c.query, c.body); got != c.want || status != c.status {
			t.Errorf("%s %s?%s %s: got %d %s, want %d %s", c.method, c.path, c.query, c.body, status, got, c.status,
				c.want)
		}
	}
}

// TestBadFollowsWriteNothing: the first identifier that is none is named, and of a list with one
// nothing is written.
func TestBadFollowsWriteNothing(t *testing.T) {
	ask := asker(t, nil)
	for _, c := range []struct{ path, body, want string }{
		{"/follow", `{}`, `"invalid actor did \"\": expected DID, got empty string"`},
		{"/follow", `{"actor_did":"did:plc:a","target_did":"b"}`,
			`"invalid target did \"b\": DID syntax didn't validate via regex"`},
		{"/unfollow", `{"actor_did":"a"}`, `"invalid actor did: DID syntax didn't validate via regex"`},
		{"/follows", `{"follows":[{"actor_did":"did:plc:a","target_did":"did:plc:b"},{"actor_did":"did:plc:a"}]}`,
			`"invalid target did[1]: expected DID, got empty string"`},
		{"/unfollows", `{"unfollows":[{}]}`, `"invalid actor did[0]: expected DID, got empty string"`},
	} {
		if got, status := ask("POST", c.path, "", c.body); got != c.want || status != 400 {
			t.Errorf("%s %s: got %d %s, want 400 %s", c.path, c.body, status, got, c.want)
		}
	}
	if got, status := ask("POST", "/follow", "", `{"actor_did"`); !strings.HasPrefix(got, `"invalid body: code=400`) ||
		status != 400 {
		t.Errorf("a body that is cut: got %d %s", status, got)
	}
	if got, status := ask("GET", "/following", "did=did:plc:a", ""); status != 404 {
		t.Errorf("after what was refused: got %d %s, want no account", status, got)
	}
}

// TestDIDs: identifiers are those of the AT Protocol.
func TestDIDs(t *testing.T) {
	for did, want := range map[string]bool{
		"did:plc:a": true, "did:web:example.com%3A8080": true, "did:x:a:b": true, "did:plc:A_b-9.": true,
		"": false, "did": false, "did:": false, "did:plc:": false, "did::a": false, "did:Plc:a": false,
		"did:plc:a:": false, "did:plc:a%": false, "did:plc:a/b": false, "dip:plc:a": false, "did:plc:é": false,
		"did:plc:" + strings.Repeat("a", graph.MaxAccount): false,
	} {
		if got := checkDID(did); (got == "") != want {
			t.Errorf("%.40q: got %q, well: %v", did, got, want)
		}
	}
}

// TestParametersAreReadLeniently: what is malformed is passed over, and of several values the first
// one counts.
func TestParametersAreReadLeniently(t *testing.T) {
	l := lenient("did=a&did=%zz&&x;y=1&did=b%20c&other")
	if got := l.all("did"); !slices.Equal(got, []string{"a", "b c"}) || l.first("did") != "a" {
		t.Errorf("got %q, and %q first, want a before \"b c\"", got, l.first("did"))
	}
	if !l.has("other") || l.has("x;y") || l.has("none") || l.first("none") != "" {
		t.Errorf("got %v", l)
	}
}

// TestErrorsAreBareStrings: errors are strings, but for what is no call.
func TestErrorsAreBareStrings(t *testing.T) {
	for _, c := range []struct {
		e      *api.Error
		err    error
		want   string
		status int
	}{
		{&api.Error{Code: api.CodeUnknownPath}, nil, `{"message":"Not Found"}`, 404},
		{&api.Error{Code: api.CodeMethodNotAllowed}, nil, `{"message":"Method Not Allowed"}`, 405},
		{&api.Error{Code: api.CodeInternal, Message: "internal", RequestID: "7"}, nil, `"internal: 7"`, 500},
		{&api.Error{Code: api.CodeInvalidRequest, Message: "a<b"}, nil, `"a\u003cb"`, 400},
		{&api.Error{Code: api.CodeInternal}, failure(404, "no %s", "uid"), `"no uid"`, 404},
	} {
		if got, status := fail([]byte("x"), c.e, c.err); string(got) != "x"+c.want || status != c.status {
			t.Errorf("%v, %v: got %d %s, want %d %s", c.e, c.err, status, got, c.status, c.want)
		}
	}
}

// TestWhoMayAsk: posts need a token that writes, and all may ask how the server is, which is told
// even when it has much to do.
func TestWhoMayAsk(t *testing.T) {
	for method, want := range map[string]call.Access{"GET": call.AccessRead, "POST": call.AccessWrite} {
		if got, always := accessOf(call.Endpoint{Method: method, Path: "/x"}); got != want || always {
			t.Errorf("%s: got access %d, always: %v, want %d", method, got, always, want)
		}
	}
	if got, always := accessOf(call.Endpoint{Method: "GET", Path: "/_health"}); got != call.AccessPublic || !always {
		t.Errorf("health: got access %d, always: %v, want %d, always", got, always, call.AccessPublic)
	}
	var ill error
	ask := asker(t, func() error { return ill })
	if got, status := ask("GET", "/_health", "", ""); got != `{"status":"ok","version":"0.0.1"}` || status != 200 {
		t.Errorf("well: got %d %s", status, got)
	}
	ill = errors.New("the disk is full")
	if got, status := ask("GET", "/_health", "", ""); status != 500 || !strings.Contains(got, "the disk is full") {
		t.Errorf("ill: got %d %s, want 500 and why", status, got)
	}
}
