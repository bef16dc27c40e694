// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server"
)

// TestSlow asks for the slow requests of a server to which every request is slow.
func TestSlow(t *testing.T) {
	s := newSite(t, &server.Options{Logger: slog.New(slog.DiscardHandler),
		Requests: server.RequestLog{Slow: time.Nanosecond}})
	newSite(t, nil).check("GET", "/v1/slow", "", 200, `{"leastMicros":100000,"requests":[]}`)
	s.follow("alice>bob")
	s.do("POST", "/v1/query", `{"index":"accounts","q":"all","answer":"count"}`)
	s.do("GET", "/v1/query?index=accounts&q=nothing&answer=count&secret=hush", "")
	s.do("GET", "/v1/changes?index=accounts&after=1&wait=1ms", "")
	s.do("GET", "/no/such/path", "")
	slow := func() (reply api.SlowReply) {
		t.Helper()
		_, text := s.do("GET", "/v1/slow", "")
		if err := json.Unmarshal([]byte(text), &reply); err != nil {
			t.Fatal(err)
		}
		return reply
	}
	got := slow()
	if n := len(got.Requests); n != 2 {
		t.Fatalf("got %d requests, %+v, want the query by POST and the one by GET", n, got)
	}
	one := got.Requests[0]
	if one.Status != 400 || !strings.Contains(one.Query, "q=nothing") || strings.Contains(one.Query, "hush") {
		t.Errorf("got %+v, want the question of the newest, without the value of an unknown parameter", one)
	}
	if one := got.Requests[1]; !strings.Contains(one.Body, `"q":"all"`) || one.TookMicros < 0 || one.Time.IsZero() {
		t.Errorf("got %+v, want the body of the one before", one)
	}
	const kept = 64
	for i := range 2 * kept {
		s.do("GET", fmt.Sprintf("/v1/query?index=accounts&q=all&answer=count&limit=%d", i), "")
	}
	if got := slow().Requests; len(got) != kept || !strings.HasSuffix(got[0].Query, fmt.Sprint("=", 2*kept-1)) {
		t.Errorf("got %d requests, the newest %+v, want the last %d", len(got), got[0], kept)
	}
}
