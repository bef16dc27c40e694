// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

// A query that needs more memory than is allowed is refused. How many lists it reads does not
// matter.
func TestQueryLimit(t *testing.T) {
	s := newSite(t, &server.Options{MaxQueryBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler)})
	var follows []graph.Follow
	var wide []string
	for i := range 200 {
		for j := range 20 {
			follows = append(follows, graph.Follow{Account: fmt.Sprint("a", j), Target: fmt.Sprint("t", i)})
		}
		wide = append(wide, fmt.Sprintf("followers(t%d)", i))
	}
	if _, err := s.graph.Follow(t.Context(), follows...); err != nil {
		t.Fatal(err)
	}
	s.check("POST", "/v1/query", `{"index":"accounts","q":"followers(t1) and followers(t2)","answer":"count"}`, 200,
		`{"count":20}`)
	s.check("POST", "/v1/query", `{"index":"accounts","q":"`+strings.Join(wide, " or ")+`","answer":"count"}`, 200,
		`{"count":20}`)
	s.check("POST", "/v1/query", `{"index":"accounts","q":"`+strings.Join(wide, " and ")+`","answer":"count"}`, 200,
		`{"count":20}`)
	// Up to 32 lists are walked beside one another, and so are those of each part.
	deep := make([]string, 4)
	for i := range deep {
		deep[i] = "(" + strings.Join(wide[i*32:][:32], " or ") + ")"
	}
	for _, path := range []string{"/v1/query", "/v1/save", "/v1/answers"} {
		body := `{"index":"accounts","q":"` + strings.Join(deep, " and ") + `"`
		switch path {
		case "/v1/save":
			body += `,"name":"wide"`
		case "/v1/answers":
			body += `,"answers":[{"name":"n","answer":"count"}]`
		}
		resp, text := s.do("POST", path, body+"}")
		if resp.StatusCode != 400 || !strings.Contains(text, `"invalid_query"`) ||
			!strings.Contains(text, "want at most 1048576") {
			t.Errorf("%s: got %d %s, want it refused", path, resp.StatusCode, text)
		}
	}
}
