// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rsky

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

func ignored(time.Duration) {}

// TestParameters: forms have nothing that is malformed.
func TestParameters(t *testing.T) {
	for _, c := range []struct {
		query, name, want string
		ok                bool
	}{
		{"viewer=a", "viewer", "a", true},
		{"x=y&viewer=a%2Cb&viewer=c", "viewer", "a,b", true},
		{"view%65r=a+b", "viewer", "a b", true},
		{"viewer", "viewer", "", true},
		{"viewer=", "viewer", "", true},
		{"viewer=a=b", "viewer", "a=b", true},
		{"viewer=%zz%4", "viewer", "%zz%4", true},
		{"viewer=%4A%4a%", "viewer", "JJ%", true},
		{"viewer=%ffa\xff", "viewer", "\ufffda\ufffd", true},
		{"&&", "", "", false},
		{"=a", "", "a", true},
		{"a;viewer=b", "viewer", "", false},
		{"", "viewer", "", false},
	} {
		if got, ok := first(c.query, c.name); got != c.want || ok != c.ok {
			t.Errorf("%q, %q: got %q, %t, want %q, %t", c.query, c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestErrors: an error is an object with its text; those of the contract have their words.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		e      *api.Error
		err    error
		want   string
		status int
	}{
		{&api.Error{Code: api.CodeUnknownPath, Message: "unknown path /x"}, nil, `{"error":"not found"}`, 404},
		{&api.Error{Code: api.CodeInternal, Message: "internal", RequestID: "7"}, nil, `{"error":"internal: 7"}`, 500},
		{&api.Error{Code: api.CodeUnavailable, Message: `"x"`}, nil, `{"error":"\"x\""}`, 503},
		{&api.Error{Code: api.CodeInvalidRequest}, failure(503, "viewer not yet loaded"),
			`{"error":"viewer not yet loaded"}`, 503},
	} {
		if got, status := fail([]byte("x"), c.e, c.err); string(got) != "x"+c.want || status != c.status {
			t.Errorf("%v, %v: got %d %s, want %d %s", c.e, c.err, status, got, c.status, c.want)
		}
	}
}

// TestWhoMayAsk: the calls read, by whatever method, and all may ask how the server is.
func TestWhoMayAsk(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		if need, always := accessOf(call.Endpoint{Method: method, Path: "/v1/is-following"}); need != call.AccessRead ||
			always {
			t.Errorf("%s: got access %d, always: %t", method, need, always)
		}
		if need, always := accessOf(call.Endpoint{Method: method, Path: "/_health"}); need != call.AccessPublic ||
			!always {
			t.Errorf("%s health: got access %d, always: %t", method, need, always)
		}
	}
}

// TestEnds: an answer ends with its context, with the memory that it may take, and with the
// database; a server that is ill says so.
func TestEnds(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Follow(t.Context(), graph.Follow{Account: "v", Target: "m"}, graph.Follow{Account: "m",
		Target: "t"}); err != nil {
		t.Fatal(err)
	}
	var ill error
	h := New(db, Options{Health: func() error { return ill }, Importing: func() bool { return false },
		Answered: ignored})
	question := call.Request{Query: "viewer=v&targets=" + strings.Repeat("t,", 1000)}
	asked := func(ctx context.Context) error {
		reply, err := h.followsFollowing(ctx, question)
		if err != nil {
			return err
		}
		_, err = reply.(call.Source).Append(nil)
		return err
	}
	if err := asked(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := asked(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: got %v", err)
	}
	full := errors.New("no memory")
	if err := asked(uproar.WithGrow(t.Context(), func(bytes int) error {
		if bytes > 10_000 {
			return full
		}
		return nil
	})); !errors.Is(err, full) {
		t.Errorf("without memory: got %v", err)
	}
	if reply, err := h.answerHealth(t.Context(), call.Request{}); err != nil || string(reply.AppendJSON(nil)) !=
		`{"status":"ok"}` {
		t.Errorf("health: got %v, %v", reply, err)
	}
	ill = errors.New("the disk is full")
	if _, err := h.answerHealth(t.Context(), call.Request{}); !errors.Is(err, ill) {
		t.Errorf("ill: got %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := asked(t.Context()); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("closed: got %v, want %v", err, uproar.ErrClosed)
	}
}
