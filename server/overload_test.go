// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
)

// blocking is an endpoint that answers when it is told to.
func blocking() (e endpoint, entered, leave chan struct{}) {
	entered, leave = make(chan struct{}), make(chan struct{})
	return endpoint{"GET", "/v1/block", "block", func(ctx context.Context, _ call) (reply, error) {
		entered <- struct{}{}
		<-leave
		return api.HealthReply{Status: "ok"}, nil
	}}, entered, leave
}

// Who has no turn waits, for so long, and if there is room; health and metrics are answered at once.
func TestTurns(t *testing.T) {
	block, entered, leave := blocking()
	s, url := newServer(t, &Options{MaxConcurrent: 1, MaxWaiting: 2, MaxWait: time.Minute, Logger: slog.New(slog.DiscardHandler)}, block)
	var asking sync.WaitGroup
	ask := func() {
		asking.Go(func() {
			if status, body := get(t, url+"/v1/block"); status != 200 {
				t.Errorf("a request that waited: got %d %s", status, body)
			}
		})
	}
	ask()
	<-entered
	ask()
	ask()
	for s.turns.waiting.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	resp, err := http.Get(url + "/v1/graph/followers?account=a")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != 503 || !strings.Contains(string(body), `"overloaded"`) || resp.Header.Get("Retry-After") != "1" {
		t.Errorf("beyond the room: got %d %s, want 503 overloaded with Retry-After", resp.StatusCode, body)
	}
	for _, path := range []string{"/healthz", "/metrics", "/v1/changes?index=accounts&after=0"} {
		if status, body := get(t, url+path); status != 200 {
			t.Errorf("%s of a busy server: got %d %s", path, status, body)
		}
	}
	leave <- struct{}{}
	for range 2 {
		<-entered
		leave <- struct{}{}
	}
	asking.Wait()
	if len(s.turns.working) != 0 || s.turns.waiting.Load() != 0 {
		t.Errorf("afterwards %d are worked on and %d wait, want none", len(s.turns.working), s.turns.waiting.Load())
	}
}

// Who waits too long is told so, and holds nobody up afterwards.
func TestTurnsEnd(t *testing.T) {
	turns := newTurns(1, 10, 10*time.Millisecond)
	if err := turns.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := turns.take(t.Context()); failure(err).Code != api.CodeOverloaded {
		t.Errorf("no turn in time: got %v, want overloaded", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	turns.wait = time.Minute
	if err := turns.take(gone); err != context.Canceled {
		t.Errorf("a client that went away: got %v", err)
	}
	turns.give()
	if err := turns.take(t.Context()); err != nil || turns.waiting.Load() != 0 {
		t.Errorf("afterwards: got %v, and %d wait", err, turns.waiting.Load())
	}
}

// Connections beyond the limit are told so; when one is closed there is room for another.
func TestConnections(t *testing.T) {
	s, _ := newServer(t, &Options{MaxConnections: 2, Logger: slog.New(slog.DiscardHandler)})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	ask := func() (net.Conn, int, string) {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == 503 && resp.Header.Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
		return conn, resp.StatusCode, string(body)
	}
	first, status1, _ := ask()
	second, status2, _ := ask()
	third, status3, body := ask()
	defer second.Close()
	_ = third.Close()
	if status1 != 200 || status2 != 200 || status3 != 503 || !strings.Contains(body, `"overloaded"`) {
		t.Errorf("got %d, %d, %d %s, want two of 200 and 503", status1, status2, status3, body)
	}
	_ = first.Close()
	for {
		conn, status, _ := ask()
		_ = conn.Close()
		if status == 200 {
			break
		}
		time.Sleep(time.Millisecond)
	}
}
