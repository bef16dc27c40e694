// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

// events opens a stream of events. next returns the next event, each line of it, or what ended the
// stream.
func (s *site) events(url, last string) (resp *http.Response, next func() ([]string, error)) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), "GET", url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "gzip")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	if resp, err = http.DefaultTransport.RoundTrip(req); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewReader(resp.Body)
	return resp, func() (event []string, err error) {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return event, err
			}
			switch line = strings.TrimSuffix(line, "\n"); {
			case line == "" && len(event) > 0:
				return event, nil
			case line != "" && !strings.HasPrefix(line, ":") && !strings.HasPrefix(line, "retry:"):
				event = append(event, line)
			}
		}
	}
}

// TestEventsOfCommits: a stream has each commit once, those before it was opened and those after,
// and goes on behind the last one that a client has seen. It ends with the server.
func TestEventsOfCommits(t *testing.T) {
	s := newSite(t, &server.Options{Timeout: 2 * time.Second, DrainTimeout: time.Minute})
	addr, stop, done := serve(t, s)
	url := "http://" + addr + "/v1/changes?index=accounts&after=0"
	follow := func(n int) {
		t.Helper()
		target := fmt.Sprint("target ", n)
		if _, err := s.graph.Follow(t.Context(), graph.Follow{Account: "a", Target: target}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(next func() ([]string, error), n int) {
		t.Helper()
		event, err := next()
		if err != nil || len(event) != 3 || event[0] != fmt.Sprint("id: ", n) || event[1] != "event: commit" ||
			!strings.HasPrefix(event[2], fmt.Sprintf(`data: {"sequence":%d,"time":"`, n)) ||
			!strings.Contains(event[2], fmt.Sprintf(`"value":"target %d"`, n)) {
			t.Fatalf("got %q, %v, want commit %d", event, err, n)
		}
	}
	follow(1)
	follow(2)
	resp, next := s.events(url, "")
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("got Content-Type %q, Content-Encoding %q", got, resp.Header.Get("Content-Encoding"))
	}
	want(next, 1)
	want(next, 2)
	time.Sleep(2500 * time.Millisecond) // beyond the time of a request
	for n := 3; n < 20; n++ {
		follow(n)
		want(next, n)
	}
	_, again := s.events(url, "7")
	for n := 8; n < 20; n++ {
		want(again, n)
	}
	for last, status := range map[string]int{"x": 400, "-1": 400, "99": 400} {
		if resp, _ := s.events(url, last); resp.StatusCode != status {
			t.Errorf("Last-Event-ID %s: got %s, want %d", last, resp.Status, status)
		}
	}
	start := time.Now()
	stop()
	if err := <-done; err != nil || time.Since(start) > 20*time.Second {
		t.Errorf("stopped with %v after %v", err, time.Since(start))
	}
	for _, next := range []func() ([]string, error){next, again} {
		if event, err := next(); len(event) > 0 || err != io.EOF {
			t.Errorf("after the stop: got %q, %v, want the end of the stream", event, err)
		}
	}
}
