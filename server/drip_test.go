// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server"
)

// TestDrippedHead sends a request byte by byte, and never its last byte. Each byte comes soon, but
// the server ends the connection when the time for the whole request is over. It does so for the
// first request, for later ones, and in the middle of a TLS handshake.
func TestDrippedHead(t *testing.T) {
	config, _ := testTLS(t)
	const ask = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	drip := func(t *testing.T, conn net.Conn) {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = io.Copy(io.Discard, conn)
		}()
		for start := time.Now(); time.Since(start) < 20*time.Second; {
			if _, err := conn.Write([]byte{'G'}); err != nil {
				return
			}
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
		t.Error("got a connection that is open after 20 s, want it ended after 300 ms")
	}
	for name, c := range map[string]struct {
		config *tls.Config
		shakes bool // TLS is spoken
		before int  // requests that are answered first
	}{
		"first":          {nil, false, 0},
		"second":         {nil, false, 1},
		"third over TLS": {config, true, 2},
		"handshake":      {config, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, &server.Options{TLS: c.config, Timeout: 300 * time.Millisecond,
				Logger: slog.New(slog.DiscardHandler)})
			_, address, _ := strings.Cut(s.url, "://")
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if c.shakes {
				conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
			}
			for range c.before {
				if _, err := io.WriteString(conn, ask); err != nil {
					t.Fatal(err)
				}
				for answer := ""; !strings.HasSuffix(answer, "ok"); {
					b := make([]byte, 1)
					if _, err := conn.Read(b); err != nil {
						t.Fatalf("%v after %q", err, answer)
					}
					answer += string(b)
				}
			}
			if c.config != nil && !c.shakes {
				// The beginning of a record of 16 KB.
				if _, err := conn.Write([]byte{22, 3, 1, 0x40, 0}); err != nil {
					t.Fatal(err)
				}
			}
			drip(t, conn)
		})
	}
}
