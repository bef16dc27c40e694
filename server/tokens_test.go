// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/server"
)

const (
	reads  = "reader-reader-reader"
	writes = "writer-writer-writer"
)

// lockedText is a log that is read while it is written.
type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// tokens returns the two tokens of the tests, the second as its hash.
func tokens(t *testing.T) *server.Tokens {
	t.Helper()
	list := new(server.Tokens)
	if err := list.Read(strings.NewReader(fmt.Sprintf("# who may ask\n\nread  dashboard %s\nwrite ingest sha256:%x\n",
		reads, sha256.Sum256([]byte(writes))))); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTokens(t *testing.T) {
	log := new(lockedText)
	list := tokens(t)
	s := newSite(t, &server.Options{Tokens: list, Paths: server.Paths{GraphD: true},
		Requests: server.RequestLog{Every: 1},
		Logger:   slog.New(slog.NewTextHandler(log, nil))})
	s.follow("alice>bob")
	const body = `{"account":"alice","target":"bob"}`
	const did = `{"actor_did":"did:plc:a","target_did":"did:plc:b"}`
	for _, c := range []struct {
		method, path, body string
		none, read, write  int // statuses
	}{
		{"GET", "/healthz", "", 200, 200, 200},
		{"GET", "/v1/openapi.json", "", 200, 200, 200},
		{"GET", "/_health", "", 200, 200, 200},
		{"GET", "/metrics", "", 401, 200, 200},
		{"GET", "/v1/graph/followers?account=bob", "", 401, 200, 200},
		{"HEAD", "/v1/graph/followers?account=bob", "", 401, 200, 200},
		{"GET", "/v1/query?index=accounts&q=all", "", 401, 200, 200},
		{"POST", "/v1/query", `{"index":"accounts","q":"all"}`, 401, 200, 200},
		{"POST", "/v1/batch", `{"calls":["/v1/graph/followers?account=bob"]}`, 401, 200, 200},
		{"POST", "/v1/graph/follow", body, 401, 403, 200},
		{"POST", "/v1/save", `{"index":"accounts","name":"x","q":"all"}`, 401, 403, 200},
		{"GET", "/v1/backup", "", 401, 403, 200},
		{"GET", "/followers?did=bob", "", 401, 200, 200},
		{"POST", "/follow", did, 401, 403, 200},
		{"GET", "/nowhere", "", 401, 404, 404},
		{"DELETE", "/v1/query", "", 401, 405, 405},
	} {
		for header, status := range map[string]int{
			"": c.none, "Basic " + reads: c.none, "Bearer": c.none, "Bearer " + reads + "x": c.none, "Bearer  ": c.none,
			reads:             c.none,
			"Bearer " + reads: c.read, "bearer " + writes: c.write,
		} {
			var headers []string
			if header != "" {
				headers = []string{"Authorization", header}
			}
			resp, text := s.do(c.method, c.path, c.body, headers...)
			if resp.StatusCode != status || status == 401 && !strings.HasPrefix(resp.Header.Get("WWW-Authenticate"),
				"Bearer") {
				t.Errorf("%s %s with %q: got %d %s, want %d", c.method, c.path, header, resp.StatusCode, text, status)
			}
		}
	}
	if text := log.String(); strings.Contains(text, reads) || strings.Contains(text, writes) ||
		!strings.Contains(text, "token=dashboard") || !strings.Contains(text, "token=ingest") {
		t.Errorf("the log must name tokens, and not have them: %s", text)
	}
	// Other tokens take the place of the first at once; a bad file changes nothing.
	const next = "another-token-now"
	if err := list.Read(strings.NewReader("read dashboard " + next)); err != nil {
		t.Fatal(err)
	}
	if err := list.Read(strings.NewReader("read dashboard short")); err == nil {
		t.Error("a short token: got no error")
	}
	for token, status := range map[string]int{reads: 401, next: 200} {
		if resp, _ := s.do("GET", "/v1/graph/followers?account=bob", "", "Authorization",
			"Bearer "+token); resp.StatusCode != status {
			t.Errorf("token %s after the change: got %d, want %d", token, resp.StatusCode, status)
		}
	}
	// Without a list of tokens nobody is let in.
	empty := newSite(t, &server.Options{Tokens: new(server.Tokens), Logger: slog.New(slog.DiscardHandler)})
	if resp, _ := empty.do("GET", "/v1/query?index=accounts&q=all", "", "Authorization",
		"Bearer "+reads); resp.StatusCode != 401 {
		t.Errorf("no tokens were read: got %d, want 401", resp.StatusCode)
	}
}

func TestTokenFiles(t *testing.T) {
	const secret = "a-token-that-is-secret"
	for text, want := range map[string]string{
		"":                           "has none",
		"# only a comment\n":         "has none",
		"read a\n":                   "line 1 of the tokens: got 2 words",
		"read a " + secret + " more": "got 4 words",
		"\nadmin a " + secret:        "line 2 of the tokens: the first word is neither",
		"read a " + secret + "\nwrite a " + secret: "a second token with the name \"a\"",
		"read a short":               "has 5 characters, want at least 16",
		"read a " + secret + "\"":    "character 23 of the token",
		"read a sha256:abcd":         "not 64 hexadecimal digits",
		strings.Repeat("x", 100_000): "reading tokens",
	} {
		err := new(server.Tokens).Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got error %v, want one with %q", text, err, want)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%.60q: the error has the token: %v", text, err)
		}
	}
}
