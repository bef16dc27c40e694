// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server"
)

// raw sends a request as it is written, and returns the status and the whole answer.
func raw(t *testing.T, url, request string) (int, http.Header, string) {
	t.Helper()
	addr, secure := strings.CutPrefix(url, "https://")
	addr = strings.TrimPrefix(addr, "http://")
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(body)
}

// bothTransports calls fn with the URL of a server of some options over each transport that there
// is.
func bothTransports(t *testing.T, opts server.Options, fn func(t *testing.T, url string)) {
	opts.Logger = slog.New(slog.DiscardHandler)
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	secure := opts
	secure.TLS = &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
	s := newSite(t, &opts)
	handler := httptest.NewServer(s.server)
	t.Cleanup(handler.Close)
	for name, url := range map[string]string{"serve": s.url, "tls": newSite(t, &secure).url, "net/http": handler.URL} {
		t.Run(name, func(t *testing.T) { fn(t, url) })
	}
}

var hosts = []struct {
	host string
	ok   bool
}{
	{"127.0.0.1", true}, {"127.0.0.1:7070", true}, {"10.1.2.3:1", true}, {"[::1]", true}, {"[::1]:7070", true},
	{"[2001:DB8::1]", true},
	{"localhost", true}, {"LOCALHOST:7070", true}, {"localhost.", true}, {"localhost.:80", true},
	{"app.localhost:7070", true}, {"localhost:", true},
	{"db.example.com", true}, {"DB.Example.com:443", true}, {"db.example.com.", true}, {"a.wide.example", true},
	{"a.b.wide.example", true},
	{"evil.example", false}, {"evil.example:7070", false}, {"wide.example", false}, {"awide.example", false},
	{"db.example.com.evil.example", false},
	{"xdb.example.com", false}, {"localhost.evil.example", false}, {"127.0.0.1.evil.example", false},
	{"xlocalhost", false},
	{"127.0.0.1@evil.example", false}, {"evil.example@127.0.0.1", false}, {"localhost@evil.example:80", false},
	{"127.1", false}, {"0x7f.1", false}, {"2130706433", false},
	{"localhost:80:80", false}, {"localhost:x", false}, {"localhost..", false}, {"::1", false}, {"[::1", false},
	{"[::1]x", false}, {"[127.0.0.1]", false}, {"[localhost]", false},
	{"localhost,evil.example", false}, {"localhost evil.example", false}, {"localhost/evil.example", false},
	{"localhost#", false}, {"*.wide.example", false},
	{"lоcalhost", false}, // with a Cyrillic o
}

// TestHosts: a server without tokens answers to names that it was given only, on every path; one
// with tokens to all.
func TestHosts(t *testing.T) {
	paths := []string{"/v1/query?index=accounts&q=all", "/metrics", "/healthz", "/readyz", "/v1/openapi.json",
		"/debug/pprof/heap", "/_health", "/followers?did=a", "/info", "/v1/backup", "/no/such/path"}
	bothTransports(t, server.Options{Hosts: []string{"DB.example.com", "*.wide.example"},
		Paths: server.Paths{GraphD: true}, Profiles: true},
		func(t *testing.T, url string) {
			for _, c := range hosts {
				status, _, body := raw(t, url, "GET /healthz HTTP/1.1\r\nHost: "+c.host+"\r\nConnection: close\r\n\r\n")
				refused := status == 403 && strings.Contains(body, "--host") || status == 400 // which is no host at all
				if c.ok && status != 200 || !c.ok && !refused {
					t.Errorf("Host %q: got %d %s", c.host, status, body)
				}
			}
			for _, path := range paths {
				for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "DELETE"} {
					status, _, body := raw(t, url,
						method+" "+path+" HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: "+
							"close\r\n\r\n")
					if status != 403 {
						t.Errorf("%s %s: got %d %s, want 403", method, path, status, body)
					}
				}
			}
			// The target's own host goes before the field.
			for target, want := range map[string]int{"http://127.0.0.1/healthz": 200,
				"http://evil.example/healthz":           403,
				"http://localhost@evil.example/healthz": 403, "http://evil.example@localhost/healthz": 403} {
				for _, host := range []string{"127.0.0.1", "evil.example"} {
					status, _, body := raw(t, url,
						"GET "+target+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
					if status != want && (want != 403 || status != 400) && (host == "127.0.0.1" || status == 200) {
						t.Errorf("%s, Host %s: got %d %s, want %d", target, host, status, body, want)
					}
				}
			}
		})
	tokens := new(server.Tokens)
	if err := tokens.Read(
		strings.NewReader("write w aaaaaaaaaaaaaaaaaaaa\nread r bbbbbbbbbbbbbbbbbbbb\n")); err != nil {
		t.Fatal(err)
	}
	bothTransports(t, server.Options{Tokens: tokens}, func(t *testing.T, url string) {
		for host, want := range map[string]int{"evil.example": 200, "localhost": 200} {
			status, _, body := raw(t, url,
				"GET /v1/query?index=accounts&q=all HTTP/1.1\r\nHost: "+host+"\r\nAuthorization: Bearer "+
					"bbbbbbbbbbbbbbbbbbbb\r\nConnection: close\r\n\r\n")
			if status != want {
				t.Errorf("with a token, Host %q: got %d %s, want %d", host, status, body, want)
			}
		}
	})
}

// TestForeignPages: a page of another site cannot write to a server without tokens, nor ask it
// anything by POST.
func TestForeignPages(t *testing.T) {
	const body = `{"account":"a","target":"b"}`
	bothTransports(t, server.Options{Paths: server.Paths{GraphD: true}, Origins: []string{"https://app.example"}},
		func(t *testing.T, url string) {
			for _, c := range []struct {
				header string
				want   int
			}{
				{"", 200},
				{"Origin: https://evil.example\r\n", 403},
				{"Origin: null\r\n", 403},
				{"Origin: http://localhost:1\r\n", 403},
				{"Origin: https://app.example.evil.example\r\n", 403},
				{"Origin: https://app.example\r\n", 200},
				{"Origin: https://app.example\r\nSec-Fetch-Site: cross-site\r\n", 200},
				{"Origin: http://localhost\r\n", 200},
				{"Origin: http://127.0.0.1:9\r\nSec-Fetch-Site: same-site\r\n", 403},
				{"Sec-Fetch-Site: cross-site\r\n", 403},
				{"Sec-Fetch-Site: same-origin\r\nOrigin: https://behind.proxy.example\r\n", 200},
				{"Sec-Fetch-Site: none\r\n", 200},
			} {
				for path, media := range map[string]string{"/v1/graph/follow": "application/json",
					"/follow": "application/json", "/v1/query": "application/json", "/v1/graph/import": "text/plain"} {
					send := body
					if path == "/v1/query" {
						send = `{"index":"accounts","q":"all"}`
					}
					status, _, got := raw(t, url, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: "+
						"%s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", path, c.header, media, len(send),
						send))
					if (status == 403) != (c.want == 403) || status == 500 {
						t.Errorf("POST %s with %q: got %d %s, want %d", path, c.header, status, got, c.want)
					}
				}
				// What only reads is answered; the browser keeps it from the page.
				status, h, got := raw(t, url,
					"GET /v1/query?index=accounts&q=all HTTP/1.1\r\nHost: localhost\r\n"+c.header+"Connection: "+
						"close\r\n\r\n")
				allowed := h.Get("Access-Control-Allow-Origin")
				if app := strings.Contains(c.header, "https://app.example\r"); status != 200 ||
					(allowed == "https://app.example") != app || !app && allowed != "" {
					t.Errorf("GET with %q: got %d %s, allowed to %q", c.header, status, got, allowed)
				}
			}
		})
}

// TestLocalOnly: what only programs on this machine may ask is refused as soon as a field says that
// somebody passed the request on.
func TestLocalOnly(t *testing.T) {
	bothTransports(t, server.Options{Profiles: true, Hosts: []string{"db.example"}}, func(t *testing.T, url string) {
		for _, path := range []string{"GET /v1/backup", "POST /v1/backup", "GET /debug/pprof/heap?debug=1",
			"GET /debug/pprof/goroutine", "HEAD /v1/backup"} {
			ask := func(header string) (int, string) {
				status, _, body := raw(t, url,
					path+" HTTP/1.1\r\n"+header+"Connection: close\r\nContent-Length: 0\r\n\r\n")
				return status, body
			}
			for _, header := range []string{ // of curl, of clients in Java
				"User-Agent: curl\r\nAccept: */*\r\nAccept-Encoding: identity\r\n",
				"User-Agent: Java-http-client\r\nUpgrade: h2c\r\nHTTP2-Settings: " +
					"AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA\r\n",
			} {
				if status, body := ask("Host: localhost\r\n" + header); status == 403 || status >= 500 {
					t.Errorf("%s with %q: got %d %.200s", path, header, status, body)
				}
			}
			for _, header := range []string{
				"X-Forwarded-For: \r\nX-Forwarded-For: 203.0.113.7\r\n", "X-Forwarded-For:\r\n",
				"X-Forwarded-For: 127.0.0.1\r\n", "x-forwarded-for: 1.2.3.4\r\n", "X_Forwarded_For: 1.2.3.4\r\n",
				"X-Forwarded-Host: a\r\n", "X-Forwarded-Proto: https\r\n", "X-Forwarded-Server: a\r\n",
				"X-Forwarded-Anything: a\r\n", "X-Forwarded: a\r\n", "Forwarded:\r\n", "Forwarded: for=1.2.3.4\r\n",
				"X-Real-IP:\r\n", "X-Real-Ip: 1.2.3.4\r\n", "Via: 1.1 proxy\r\n", "Via:\r\n", "Origin:\r\n",
				"Origin: http://localhost\r\n", "Referer: http://localhost/\r\n", "Sec-Fetch-Site: none\r\n",
				"CF-Connecting-IP: 1.2.3.4\r\n", "CF-Ray: 1\r\n", "True-Client-IP: 1.2.3.4\r\n",
				"X-Client-IP: 1.2.3.4\r\n", "Fastly-Client-IP: 1.2.3.4\r\n", "X-Azure-ClientIP: 1\r\n",
				"Fly-Client-IP: 1\r\n", "X-Amz-Cf-Id: 1\r\n", "X-Amzn-Trace-Id: 1\r\n", "CDN-Loop: x\r\n",
				"X-Envoy-External-Address: 1\r\n", "X-Original-Forwarded-For: 1\r\n", "X-Cluster-Client-IP: 1\r\n",
				"X-Forward-For: 1\r\n", "X-Request-Id: 1\r\n", "Traceparent: 00-1\r\n", "X-ARR-LOG-ID: 1\r\n",
				"Incap-Client-IP: 1\r\n", "Remote-User: a\r\n", "X-SSL-Client-Cert: 1\r\n",
				"Surrogate-Capability: a\r\n", "Early-Data: 1\r\n", "Tailscale-User-Login: a\r\n",
				"X-B3-TraceId: 1\r\n", "Cookie: a=b\r\n", "Sec-CH-UA: a\r\n", "Upgrade-Insecure-Requests: 1\r\n",
			} {
				if status, body := ask("Host: localhost\r\n" + header); status != 403 {
					t.Errorf("%s with %q: got %d %.200s, want 403", path, header, status, body)
				}
			}
			for _, host := range []string{"10.0.0.1", "db.example", "sub.localhost", "0.0.0.0"} {
				if status, body := ask("Host: " + host + "\r\n"); status != 403 {
					t.Errorf("%s of host %s: got %d %.200s, want 403", path, host, status, body)
				}
			}
		}
	})
}

// TestCallerOptions: hosts and origins that cannot be are refused.
func TestCallerOptions(t *testing.T) {
	s := newSite(t, nil)
	tokens := new(server.Tokens)
	for _, host := range []string{"", "*", "a:80", "http://a", "*.", "a.*", "[::1]", "a b", "*.*.a", "..a", "@a",
		"a/"} {
		if _, err := server.New(s.db, &server.Options{Hosts: []string{host}}); err == nil {
			t.Errorf("host %q: got no error", host)
		}
	}
	for _, origin := range []string{"", "null", "app.example", "https://", "https://a/path", "https://u@a",
		"https://*.a", "https://a?b"} {
		if _, err := server.New(s.db, &server.Options{Origins: []string{origin}}); err == nil {
			t.Errorf("origin %q: got no error", origin)
		}
	}
	if _, err := server.New(s.db, &server.Options{Origins: []string{"*"}}); err == nil {
		t.Error("every origin without tokens: got no error")
	}
	if _, err := server.New(s.db, &server.Options{Origins: []string{"*"}, Tokens: tokens}); err != nil {
		t.Error(err)
	}
}

// TestCORS: pages of the sites that are named may ask and read, and no others; what a browser asks
// before needs no token.
func TestCORS(t *testing.T) {
	tokens := new(server.Tokens)
	if err := tokens.Read(strings.NewReader("write w aaaaaaaaaaaaaaaaaaaa\n")); err != nil {
		t.Fatal(err)
	}
	ask := func(t *testing.T, url, method, path, header string) (int, http.Header) {
		status, h, _ := raw(t, url,
			method+" "+path+" HTTP/1.1\r\nHost: localhost\r\n"+header+"Content-Length: 0\r\nConnection: close\r\n\r\n")
		return status, h
	}
	const preflight = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: " +
		"authorization,content-type\r\n"
	bothTransports(t, server.Options{Tokens: tokens, Origins: []string{"https://App.example:443",
		"http://localhost:3000"}}, func(t *testing.T, url string) {
		for _, origin := range []string{"https://app.example", "http://localhost:3000"} {
			status, h := ask(t, url, "OPTIONS", "/v1/graph/follow", "Origin: "+origin+"\r\n"+preflight)
			if status != 204 || h.Get("Access-Control-Allow-Origin") != origin ||
				h.Get("Access-Control-Allow-Methods") != "POST" ||
				!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") ||
				!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Content-Type") ||
				!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Uproar-At-Least") ||
				h.Get("Access-Control-Max-Age") == "" || !strings.Contains(h.Get("Vary"), "Origin") {
				t.Errorf("%s: got %d %v", origin, status, h)
			}
			if status, h := ask(t, url, "GET", "/v1/query?index=accounts&q=all",
				"Origin: "+origin+"\r\n"); status != 401 || h.Get("Access-Control-Allow-Origin") != origin {
				t.Errorf("%s without a token: got %d %v, want 401 that the page may read", origin, status, h)
			}
		}
		for _, origin := range []string{"https://evil.example", "null", "https://app.example.evil.example",
			"https://app.example:444", "http://app.example", "http://localhost"} {
			status, h := ask(t, url, "OPTIONS", "/v1/graph/follow", "Origin: "+origin+"\r\n"+preflight)
			if status < 400 || h.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: got %d %v, want an error", origin, status, h)
			}
			status, h = ask(t, url, "GET", "/healthz", "Origin: "+origin+"\r\n")
			if status != 200 || h.Get("Access-Control-Allow-Origin") != "" || h.Get("Vary") != "Origin" {
				t.Errorf("%s: got %d %v, want an answer that no page may read", origin, status, h)
			}
		}
		if status, _ := ask(t, url, "OPTIONS", "/v1/graph/follow", ""); status != 405 && status != 401 {
			t.Errorf("OPTIONS that is no preflight: got %d, want 405", status)
		}
		if status, _ := ask(t, url, "OPTIONS", "/nowhere", "Origin: https://app.example\r\n"+preflight); status != 401 {
			t.Errorf("preflight of no path: got %d, want 401", status)
		}
	})
	bothTransports(t, server.Options{Tokens: tokens, Origins: []string{"*"}}, func(t *testing.T, url string) {
		defer func() {
			if _, _, text := raw(t, url, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+
				"aaaaaaaaaaaaaaaaaaaa\r\nConnection: close\r\n\r\n"); !strings.Contains(text, `status="204"`) ||
				strings.Contains(text, `code=""`) {
				t.Errorf("metrics count a preflight as an error: %q", grep(text, `code=""`))
			}
		}()
		if status, h := ask(t, url, "OPTIONS", "/v1/graph/follow",
			"Origin: https://any.example\r\n"+preflight); status != 204 ||
			h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("got %d %v", status, h)
		}
	})
	bothTransports(t, server.Options{Tokens: tokens}, func(t *testing.T, url string) {
		if status, h := ask(t, url, "OPTIONS", "/v1/graph/follow",
			"Authorization: Bearer aaaaaaaaaaaaaaaaaaaa\r\nOrigin: https://any.example\r\n"+preflight); status != 405 ||
			h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("without origins: got %d %v, want 405", status, h)
		}
	})
}
