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
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// blocking is an endpoint that answers when it is told to.
func blocking() (e call.Endpoint, entered, leave chan struct{}) {
	entered, leave = make(chan struct{}), make(chan struct{})
	return call.Endpoint{Method: "GET", Path: "/v1/block", Name: "block", Handle: func(ctx context.Context,
		_ call.Request) (call.Reply, error) {
		entered <- struct{}{}
		<-leave
		return api.HealthReply{Status: "ok"}, nil
	}}, entered, leave
}

// TestLimiterTakesAsManyAsItMay: who has no turn waits, for so long, and if there is room; health
// and metrics are answered at once.
func TestLimiterTakesAsManyAsItMay(t *testing.T) {
	block, entered, leave := blocking()
	s, url := newServer(t, &Options{MaxConcurrent: 1, MaxWaiting: 2, MaxWait: time.Minute,
		Logger: slog.New(slog.DiscardHandler)}, block)
	var questions sync.WaitGroup
	ask := func() {
		questions.Go(func() {
			if status, body := get(t, url+"/v1/block"); status != 200 {
				t.Errorf("a request that waited: got %d %s", status, body)
			}
		})
	}
	ask()
	<-entered
	ask()
	ask()
	for s.limiter.waiting.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	resp, err := http.Get(url + "/v1/graph/followers?account=a")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != 503 || !strings.Contains(string(body), `"overloaded"`) ||
		resp.Header.Get("Retry-After") != "1" {
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
	questions.Wait()
	if len(s.limiter.working) != 0 || s.limiter.waiting.Load() != 0 {
		t.Errorf("afterwards %d are worked on and %d wait, want none", len(s.limiter.working), s.limiter.waiting.Load())
	}
}

// TestLimiterRefusesAfterItsWait: who waits too long is told so, and holds nobody up afterwards.
func TestLimiterRefusesAfterItsWait(t *testing.T) {
	limiter := newLimiter(1, 10, 10*time.Millisecond)
	if err := limiter.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := limiter.take(t.Context()); call.Failure(err).Code != api.CodeOverloaded {
		t.Errorf("no turn in time: got %v, want overloaded", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	limiter.wait = time.Minute
	if err := limiter.take(gone); err != context.Canceled {
		t.Errorf("a client that went away: got %v", err)
	}
	limiter.give()
	if err := limiter.take(t.Context()); err != nil || limiter.waiting.Load() != 0 {
		t.Errorf("afterwards: got %v, and %d wait", err, limiter.waiting.Load())
	}
}

// TestConnections: a connection beyond the limit has the place of one that waits for a request;
// while all of them are being answered it is told so.
func TestConnections(t *testing.T) {
	block, entered, leave := blocking()
	s, _ := newServer(t, &Options{MaxConnections: 2, Logger: slog.New(slog.DiscardHandler)}, block)
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
	dial := func(path string) net.Conn {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
		return conn
	}
	answer := func(conn net.Conn) (int, string) {
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
		return resp.StatusCode, string(body)
	}
	busy := []net.Conn{dial("/v1/block"), dial("/v1/block")}
	<-entered
	<-entered
	if status, body := answer(dial("/healthz")); status != 503 || !strings.Contains(body, `"overloaded"`) {
		t.Errorf("while two are answered: got %d %s, want 503", status, body)
	}
	leave <- struct{}{}
	leave <- struct{}{}
	for _, conn := range busy {
		if status, _ := answer(conn); status != 200 {
			t.Errorf("got %d, want 200", status)
		}
	}
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if status, _ := answer(dial("/healthz")); status == 200 {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("there is no room for another although none is being answered")
		}
	}
	ended := 0
	for _, conn := range busy {
		_ = conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := conn.Read(make([]byte, 1)); !upload.IsTimeout(err) {
			ended++
		}
	}
	if figures := metricsOf(t, s); ended != 1 || !strings.Contains(figures, "connections_gave_way_total 1\n") ||
		strings.Contains(figures, "connections_refused_total 0\n") {
		t.Errorf("%d of two that waited are closed, want one\n%s", ended, figures)
	}
}

// TestSilentConnections: connections that say nothing, half a head, or a head without its body do
// not shut out others.
func TestSilentConnections(t *testing.T) {
	for name, beginning := range map[string]string{
		"silent": "", "half a head": "GET /healthz HTTP/1.1\r\nHost: x\r\n",
		"no body": "POST /v1/graph/follow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			const most = 64
			s, _ := newServer(t, &Options{MaxConnections: most, Logger: slog.New(slog.DiscardHandler)})
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- s.Serve(ctx, ln) }()
			var silent []net.Conn
			for range most {
				conn, err := net.Dial("tcp", ln.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				silent = append(silent, conn)
				_, _ = io.WriteString(conn, beginning)
			}
			if name == "no body" { // whose head has come: for a second it may be a request that is complete
				time.Sleep(1100 * time.Millisecond)
			}
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
			for range 2 * most {
				resp, err := client.Get("http://" + ln.Addr().String() + "/healthz")
				if err != nil {
					t.Fatal(err)
				}
				_ = resp.Body.Close()
				if resp.StatusCode != 200 {
					t.Fatalf("got %s, want an answer", resp.Status)
				}
			}
			for _, conn := range silent {
				_ = conn.Close()
			}
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

// metricsOf returns what Prometheus would read.
func metricsOf(t *testing.T, s *Server) string {
	t.Helper()
	r, err := s.metricsText(t.Context(), call.NoParameters{})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.(call.Text).Body)
}

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
