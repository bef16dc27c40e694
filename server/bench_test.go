// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// A sink is a ResponseWriter that keeps nothing.
type sink struct {
	header http.Header
	status int
	bytes  int64
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { s.bytes += int64(len(p)); return len(p), nil }

// What a request costs between net/http and the database: routing, decoding, the
// answer, encoding, metrics.
func BenchmarkServer(b *testing.B) {
	s := newSite(b, nil)
	var follows []graph.Follow
	for i := range 200 {
		middle := fmt.Sprintf("did:plc:%024d", i)
		follows = append(follows, graph.Follow{Account: "alice", Target: middle})
		if i%2 == 0 {
			follows = append(follows, graph.Follow{Account: middle, Target: "bob"})
		}
	}
	if _, err := s.graph.Follow(b.Context(), follows...); err != nil {
		b.Fatal(err)
	}
	if err := s.graph.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, path string }{
		{"call=healthz", "/healthz"},
		{"call=follows", "/v1/graph/follows?account=alice&target=bob"},
		{"call=intersect/answer=count", "/v1/graph/follows-following?account=alice&target=bob&count=true"},
		{"call=intersect/answer=100", "/v1/graph/follows-following?account=alice&target=bob"},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), "GET", c.path, nil)
			r.Host = "localhost" // others need a token
			w := &sink{header: make(http.Header)}
			b.ReportAllocs()
			for b.Loop() {
				s.server.ServeHTTP(w, r)
			}
			if w.status != 200 {
				b.Fatalf("got status %d", w.status)
			}
		})
	}
}
