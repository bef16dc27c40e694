// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server"
)

// TestSameErrors checks that errors.Is finds the same in errors of the embedded database and of the
// client.
func TestSameErrors(t *testing.T) {
	s, ctx := newSite(t, nil), t.Context()
	if _, err := s.graph.Follow(ctx, api.Follow{Account: "alice", Target: "bob"}); err != nil {
		t.Fatal(err)
	}
	sentinels := []error{
		uproar.ErrUnknownIndex, uproar.ErrUnknownField, uproar.ErrUnknownRecord, uproar.ErrUnknownSet,
		uproar.ErrInvalid, uproar.ErrTooLarge, uproar.ErrLimit,
		uproar.ErrClosed, uproar.ErrLoading, uproar.ErrMemory, uproar.ErrFull, uproar.ErrReadOnly,
		uproar.ErrSequenceTrimmed, uproar.ErrBackupBase,
		query.ErrSyntax, query.ErrInvalid, context.DeadlineExceeded, context.Canceled,
	}
	index, err := s.db.Index("accounts")
	if err != nil {
		t.Fatal(err)
	}
	embedded := func(q string) error {
		e, err := query.Parse(q)
		if err != nil {
			return err
		}
		snap := index.Snapshot()
		defer snap.Close()
		_, err = snap.Count(ctx, e)
		return err
	}
	compare := func(what string, theirs, ours error) {
		t.Helper()
		for _, sentinel := range sentinels {
			if errors.Is(theirs, sentinel) != errors.Is(ours, sentinel) {
				t.Errorf("%s: errors.Is %q: the client's %q says %t, the database's %q %t", what, sentinel, theirs,
					errors.Is(theirs, sentinel), ours, errors.Is(ours, sentinel))
			}
		}
	}
	wide := strings.TrimSuffix(strings.Repeat("follows(alice) or follows(bob) or ", 40), " or ")
	for _, q := range []string{"all", "follows(zoe)", "color = red", "saved(none)", "follows(alice) and",
		"at least 9 of (all, all)", wide, "follows(\x00)"} {
		_, theirs := s.Count(ctx, "accounts", q)
		if strings.Contains(q, "\x00") {
			continue // refused on the way, as a key that cannot be
		}
		compare(q, theirs, embedded(q))
	}
	_, theirs := s.Count(ctx, "none", "all")
	_, ours := s.db.Index("none")
	compare("an index", theirs, ours)
	_, err = s.Count(ctx, "accounts", "follows(alice) and")
	if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != 400 || e.Code != api.CodeInvalidQuery ||
		e.Offset == nil || *e.Offset != 18 || e.Message == "" {
		t.Errorf("a syntax error: got %+v, want its code and place", err)
	}
	if !errors.Is(err, &api.Error{Code: api.CodeInvalidQuery}) {
		t.Error("errors.Is does not find the code")
	}
	for _, err := range s.Changes(ctx, "accounts", 1<<40) {
		if !errors.Is(err, client.ErrInvalid) {
			t.Errorf("changes after one that is yet to come: got %v", err)
		}
	}
	for _, err := range s.AllKeys(ctx, "accounts", "follows(zoe)") {
		if !errors.Is(err, client.ErrUnknownRecord) {
			t.Errorf("all keys of an unknown account: got %v", err)
		}
	}
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	_, theirs = s.graph.Follow(ctx, api.Follow{Account: "a", Target: "b"})
	var b uproar.Batch
	b.Set("follows", "a", "b")
	_, ours = index.Write(ctx, &b)
	compare("a closed database", theirs, ours)
	over, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	if _, err := s.Count(over, "accounts", "all"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a context that is over: got %v", err)
	}
}

// Tokens are sent, and their lack is told.
func TestToken(t *testing.T) {
	tokens := new(server.Tokens)
	if err := tokens.Read(strings.NewReader("read me reader-reader-reader")); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, &server.Options{Tokens: tokens, Logger: slog.New(slog.DiscardHandler)})
	if _, err := s.Count(t.Context(), "accounts", "all"); !errors.Is(err, &api.Error{Code: api.CodeUnauthorized}) {
		t.Errorf("without a token: got %v", err)
	}
	c, err := client.New(s.url, &client.Options{Token: "reader-reader-reader"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n, err := c.Count(t.Context(), "accounts", "all")
	check(t, "Count with a token", n, err, 0)
	if _, err := c.Graph().Follow(t.Context(), api.Follow{Account: "a", Target: "b"}); !errors.Is(err,
		&api.Error{Code: api.CodeForbidden}) {
		t.Errorf("a write with a token that may read: got %v", err)
	}
	if _, err := c.Catalog("none").Write(t.Context(), api.CatalogWriteRequest{Delete: []string{"a"}}); !errors.Is(err,
		&api.Error{Code: api.CodeForbidden}) {
		t.Errorf("a write to a catalog with a token that may read: got %v", err)
	}
	if _, err := c.Catalog("none").Find(t.Context(), api.Conditions{}); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("a search with a token that may read: got %v", err)
	}
}

// Reads are sent again, writes only when nothing can have been done.
func TestRetries(t *testing.T) {
	const overloaded, unavailable = `{"error":{"code":"overloaded","message":"x"}}`,
		`{"error":{"code":"unavailable","message":"x","reason":"memory"}}`
	for _, c := range []struct {
		status      int
		body        string
		read, write int64 // how often they are sent, with one answer after two failures
	}{
		{503, overloaded, 3, 3},
		{503, unavailable, 3, 1},
		{408, `{"error":{"code":"request_timeout","message":"x"}}`, 3, 3},
		{408, "<html>of a proxy</html>", 1, 1},
		{503, `{"error":{"code":"deadline_exceeded","message":"x"}}`, 1, 1},
		{500, `{"error":{"code":"internal","message":"x","request_id":"y-1"}}`, 1, 1},
		{404, `{"error":{"code":"unknown_index","message":"x"}}`, 1, 1},
		{502, "<html>bad gateway</html>", 3, 1},
		{0, "", 3, 1}, // the connection breaks off
	} {
		var sent atomic.Int64
		hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if sent.Add(1) > 2 {
				fmt.Fprint(w, `{"count":5,"sequence":5}`)
				return
			}
			if c.status == 0 {
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		cl, err := client.New(hs.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := cl.Count(t.Context(), "accounts", "all")
		if got := sent.Swap(0); got != c.read || (err == nil) != (got == 3) || err == nil && n != 5 {
			t.Errorf("%d %s: a read was sent %d times, want %d; got %d, %v", c.status, c.body, got, c.read, n, err)
		}
		_, err = cl.Graph().Follow(t.Context(), api.Follow{Account: "a", Target: "b"})
		if got := sent.Load(); got != c.write || (err == nil) != (got == 3) {
			t.Errorf("%d %s: a write was sent %d times, want %d; got %v", c.status, c.body, got, c.write, err)
		}
		cl.Close()
		hs.Close()
	}
}

// An address where nobody listens is an error of the connection; and what is no address one of New.
func TestNobody(t *testing.T) {
	hs := httptest.NewServer(nil)
	hs.Close()
	c, err := client.New(hs.URL, &client.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Health(t.Context()); err == nil || !strings.Contains(err.Error(), hs.URL) {
		t.Errorf("nobody listens: got %v", err)
	}
	for _, address := range []string{"", "localhost:7070", "ftp://x", "http://", "http://x/path", "http://x?q=1",
		"http://x#y", "http://%zz"} {
		if _, err := client.New(address, nil); err == nil {
			t.Errorf("New(%q): got no error", address)
		}
	}
}

// A reply that is longer than allowed, or is none, is an error.
func TestBadReplies(t *testing.T) {
	for body, want := range map[string]string{strings.Repeat("x", 101): "more than 100 bytes",
		"[": "not what it should be", `{"count":-1}`: "not what it should be"} {
		hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		c, err := client.New(hs.URL, &client.Options{MaxReply: 100})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Count(t.Context(), "accounts", "all"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the reply %.20q: got error %v, want %s", body, err, want)
		}
		c.Close()
		hs.Close()
	}
}
