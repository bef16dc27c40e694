// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server/call"
)

// TestAdmit sends many large bodies at a time: each is answered, and few are worked on together.
func TestAdmit(t *testing.T) {
	var working, most atomic.Int64
	slow := func(_ context.Context, c call.Request) (call.Reply, error) {
		now := working.Add(1)
		defer working.Add(-1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		return nil, c.BodyErr
	}
	const maxBody = 200 << 10
	_, url := newServer(t, &Options{MaxBody: maxBody, Timeout: time.Minute},
		call.Endpoint{Method: "POST", Path: "/slow", Name: "slow", Handle: func(ctx context.Context,
			c call.Request) (call.Reply, error) {
			if _, err := slow(ctx, c); err != nil {
				return nil, err
			}
			return nil, call.Invalid("done")
		}})
	var all sync.WaitGroup
	for range 24 {
		all.Go(func() {
			resp, err := http.Post(url+"/slow", "application/json", strings.NewReader(strings.Repeat("x", maxBody)))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if text, _ := io.ReadAll(resp.Body); !strings.Contains(string(text), "done") {
				t.Errorf("got %s", text)
			}
		})
	}
	all.Wait()
	if n := most.Load(); n > 2 {
		t.Errorf("got %d bodies worked on at a time, want at most 2", n)
	}
}

// TestAdmitTimeout keeps the room for bodies taken: a large body is told so in time, a small one is
// answered.
func TestAdmitTimeout(t *testing.T) {
	for size, want := range map[int]int{smallBody + 1: http.StatusServiceUnavailable, 100: http.StatusOK} {
		timeout := 50 * time.Millisecond
		if want == http.StatusOK {
			timeout = time.Minute
		}
		s, url := newServer(t, &Options{Timeout: timeout})
		if err := s.bodies.Acquire(t.Context(), s.opts.BodyBytes); err != nil {
			t.Fatal(err)
		}
		body := `{"index": "accounts", "q": "all"` + strings.Repeat(" ", size-33) + `}`
		resp, err := http.Post(url+"/v1/query", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("a body of %d bytes: got status %d, want %d", size, resp.StatusCode, want)
		}
	}
}

// TestSlowBody sends a body that never ends: it is given up after the timeout, and said to be late.
func TestSlowBody(t *testing.T) {
	_, url := newServer(t, &Options{Timeout: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn,
		"POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	if err := conn.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	if got := string(answer[:n]); err != nil || !strings.HasPrefix(got, "HTTP/1.1 503 ") {
		t.Errorf("got %q, %v, want status 503", got, err)
	}
}
