// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/console"
)

// bothTransports returns the addresses of a server by fasthttp and by net/http.
func (s *site) bothTransports() []string {
	hs := httptest.NewServer(s.server)
	s.t.Cleanup(hs.Close)
	return []string{s.url, hs.URL}
}

// fetch asks for a file as a browser does, without what a test checks of calls.
func (s *site) fetch(method, address string, header ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, address, http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	r, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r, string(body)
}

// The console's files are for everybody, also on a server with tokens, and say what a browser may
// do with them. What they show is not.
func TestConsole(t *testing.T) {
	s := newSite(t, &server.Options{Tokens: tokens(t), Logger: slog.New(slog.DiscardHandler)})
	for _, base := range s.bothTransports() {
		for path, media := range map[string]string{"/": "text/html; charset=utf-8",
			"/console/app.js": "text/javascript; charset=utf-8", "/console/app.css": "text/css; charset=utf-8",
			"/console/vendor/lit-html.js": "text/javascript; charset=utf-8", "/console/icon.svg": "image/svg+xml",
			"/console/vendor/LICENSES.txt": "text/plain; charset=utf-8"} {
			r, body := s.fetch("GET", base+path)
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != media || body == "" {
				t.Errorf("GET %s: got %d, %q and %d bytes, want 200, %q and some", path, r.StatusCode,
					r.Header.Get("Content-Type"), len(body), media)
			}
			for name, want := range map[string]string{"Content-Security-Policy": console.Policy,
				"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache", "Referrer-Policy": "same-origin"} {
				if got := r.Header.Get(name); got != want {
					t.Errorf("GET %s: %s is %q, want %q", path, name, got, want)
				}
			}
			tag := r.Header.Get("ETag")
			again, rest := s.fetch("GET", base+path, "If-None-Match", tag, "Accept-Encoding", "gzip, identity;q=0")
			if tag == "" || again.StatusCode != 304 || rest != "" || again.Header.Get("ETag") != tag ||
				again.Header.Get("Content-Encoding") != "" {
				t.Errorf("GET %s with its ETag %s: got %d, %q and ETag %s, want 304 and no body", path, tag,
					again.StatusCode, rest, again.Header.Get("ETag"))
			}
			if r, _ := s.fetch("GET", base+path, "If-None-Match", `"another"`); r.StatusCode != 200 {
				t.Errorf("GET %s with another ETag: got %d, want 200", path, r.StatusCode)
			}
			if r, body := s.fetch("HEAD", base+path); r.StatusCode != 200 || body != "" {
				t.Errorf("HEAD %s: got %d and %d bytes, want 200 and none", path, r.StatusCode, len(body))
			}
		}
		for path, want := range map[string]int{"/v1/indexes": 401, "/metrics": 401,
			"/console/vendor/": 401, "/console/../app.js": 401, "/healthz": 200} {
			if r, _ := s.fetch("GET", base+path); r.StatusCode != want {
				t.Errorf("GET %s without a token: got %d, want %d", path, r.StatusCode, want)
			}
		}
		for _, path := range []string{"/console", "/console/", "/console/index.html"} { // people guess these
			if r, _ := s.fetch("GET", base+path); r.StatusCode != 308 || r.Header.Get("Location") != "/" {
				t.Errorf("GET %s: got %d and Location %q, want 308 and /", path, r.StatusCode, r.Header.Get("Location"))
			}
		}
		if r, _ := s.fetch("GET", base+"/v1/indexes", "Authorization", "Bearer "+reads); r.StatusCode != 200 {
			t.Errorf("GET /v1/indexes with a token: got %d, want 200", r.StatusCode)
		}
		if r, _ := s.fetch("GET", base+"/?x=1"); r.StatusCode != 200 {
			t.Errorf("GET /?x=1: got %d, want 200: links have parameters for those who count visits", r.StatusCode)
		}
		r, _ := s.fetch("POST", base+"/", "Authorization", "Bearer "+reads)
		if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST /: got %d and Allow %q, want 405 and GET, HEAD", r.StatusCode, r.Header.Get("Allow"))
		}
	}
}

// The policy allows nothing but files and calls of the server itself.
func TestConsolePolicy(t *testing.T) {
	for part := range strings.SplitSeq(console.Policy, "; ") {
		name, sources, _ := strings.Cut(part, " ")
		want := map[string]string{"script-src": "'self'", "style-src": "'self'", "connect-src": "'self'",
			"img-src": "'self' data:"}[name]
		if want == "" {
			want = "'none'"
		}
		if sources != want {
			t.Errorf("%s is %s, want %s", name, sources, want)
		}
	}
	if !strings.HasPrefix(console.Policy, "default-src 'none';") {
		t.Errorf("the policy is %q, want what it does not name forbidden", console.Policy)
	}
}

func TestConsoleCompressed(t *testing.T) {
	s := newSite(t, nil)
	for _, base := range s.bothTransports() {
		_, plain := s.fetch("GET", base+"/console/app.css", "Accept-Encoding", "identity")
		r, packed := s.fetch("GET", base+"/console/app.css", "Accept-Encoding", "gzip")
		if r.Header.Get("Content-Encoding") != "gzip" || len(packed) >= len(plain)/2 {
			t.Fatalf("got coding %q and %d bytes of %d, want gzip and less than half", r.Header.Get("Content-Encoding"),
				len(packed), len(plain))
		}
		z, err := gzip.NewReader(strings.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if unpacked, err := io.ReadAll(z); err != nil || string(unpacked) != plain {
			t.Errorf("unpacked %d bytes, %v, want the file's %d", len(unpacked), err, len(plain))
		}
	}
}
