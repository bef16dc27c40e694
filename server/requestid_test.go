// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server"
)

// TestRequestID: an answer has the ID that its request brought, if that may stand in a log, else a
// new one; a failure of the server and the log have the same.
func TestRequestID(t *testing.T) {
	log := new(lockedBuffer)
	s := newSite(t, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil)),
		Requests: server.RequestLog{Every: 1}})
	ask := func(path, id string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if id != "" {
			r.Header.Set("X-Request-Id", id)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.Header.Get("X-Request-Id")
	}
	seen := make(map[string]bool)
	for _, id := range []string{"a", "01HZX-9_z.~:/+=@", strings.Repeat("x", 128)} {
		if got := ask("/v1/graph/follows?account=a&target=b", id); got != id {
			t.Errorf("got %q, want %q", got, id)
		}
		if !strings.Contains(log.String(), id) {
			t.Errorf("the log has no %q:\n%s", id, log.String())
		}
	}
	for _, id := range []string{"", strings.Repeat("x", 129), "a b", `a"b`, "a,b", "a\tb", "\xff", "ä"} {
		got := ask("/no/such/path", id)
		if got == "" || got == id || seen[got] {
			t.Errorf("of %q: got %q, want a new one", id, got)
		}
		seen[got] = true
	}
}
