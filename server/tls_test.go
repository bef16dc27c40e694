// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server"
)

// testTLS returns certificates for 127.0.0.1, and a client that trusts them.
func testTLS(t *testing.T) (*tls.Config, *http.Client) {
	t.Helper()
	hs := httptest.NewTLSServer(nil) // which brings a certificate of its own
	t.Cleanup(hs.Close)
	roots := x509.NewCertPool()
	roots.AddCert(hs.Certificate())
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(transport.CloseIdleConnections)
	return &tls.Config{Certificates: hs.TLS.Certificates, MinVersion: tls.VersionTLS12},
		&http.Client{Transport: transport}
}

// TestTLS sends calls, long lists, writes and streams over TLS. A connection that is not TLS gets
// no answer, and does not hold up others.
func TestTLS(t *testing.T) {
	config, client := testTLS(t)
	s := newSite(t, &server.Options{TLS: config, Tokens: tokens(t), Logger: slog.New(slog.DiscardHandler)})
	s.follow(seed)
	silent, err := net.Dial("tcp", strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/v1/graph/follows?account=alice&target=bob", "", `{"follows":true}`},
		{"POST", "/v1/graph/follow", `{"account":"bob","target":"erin"}`, `{"sequence":`},
		{"GET", "/v1/backup", "", "uproar"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, s.url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+writes)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), c.want) {
			t.Errorf("%s %s: got %d %.100q, %v, want %s", c.method, c.path, resp.StatusCode, body, err, c.want)
		}
	}
	plain, err := net.Dial("tcp", strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	_ = plain.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(plain, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	if answer, _ := io.ReadAll(plain); strings.Contains(string(answer), "ok") {
		t.Errorf("without TLS: got the answer %q", answer)
	}
}
