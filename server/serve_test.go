// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server"
)

// serve starts Serve on a listener of its own.
func serve(t *testing.T, s *site) (addr string, stop func(), done <-chan error) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	result := make(chan error, 1)
	go func() { result <- s.server.Serve(ctx, ln) }()
	return ln.Addr().String(), cancel, result
}

const slowBody = `{"account":"alice","target":"bob"}`

// beginFollow sends a follow without the last byte of its body. It returns once the server is
// reading it.
func beginFollow(t *testing.T, addr string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "POST /v1/graph/follow HTTP/1.1\r\nHost: x\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(slowBody))
	r := bufio.NewReader(conn)
	line, err := r.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v, want 100 Continue", line, err)
	}
	if line, err := r.ReadString('\n'); line != "\r\n" {
		t.Fatalf("got %q, %v, want an empty line", line, err)
	}
	io.WriteString(conn, slowBody[:len(slowBody)-1])
	return conn, r
}

// On shutdown a request that has begun is finished, and no connection is taken.
func TestGracefulShutdown(t *testing.T) {
	s := newSite(t, nil)
	addr, stop, done := serve(t, s)
	conn, r := beginFollow(t, addr)
	stop()
	refused := false
	for wait := time.Now().Add(time.Minute); !refused && time.Now().Before(wait); time.Sleep(time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if refused = err != nil; !refused {
			_ = c.Close()
		}
	}
	if !refused {
		t.Error("new connections are still taken after the shutdown began")
	}
	select {
	case err := <-done:
		t.Fatalf("Serve returned %v before the running request was done", err)
	case <-time.After(50 * time.Millisecond):
	}
	io.WriteString(conn, slowBody[len(slowBody)-1:])
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || !strings.Contains(string(body), "sequence") {
		t.Errorf("the running request got %d %s, want 200", resp.StatusCode, body)
	}
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Serve did not return")
	}
	if ok, err := s.graph.Follows(t.Context(), "alice", "bob"); !ok || err != nil {
		t.Errorf("the follow that was answered: got %t, %v", ok, err)
	}
}

// A request that does not end is cut off when the drain has taken long enough.
func TestShutdownIsBounded(t *testing.T) {
	s := newSite(t, &server.Options{DrainTimeout: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	addr, stop, done := serve(t, s)
	beginFollow(t, addr)
	stop()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("got error %v, want one about requests that were cut off", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Serve did not return")
	}
}

func TestServeReportsABrokenListener(t *testing.T) {
	s := newSite(t, nil)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = ln.Close()
	if err := s.server.Serve(t.Context(), ln); err == nil || !strings.Contains(err.Error(), "listening on") {
		t.Errorf("got error %v, want one about the listener", err)
	}
}

// Readers beside follows and unfollows see whole batches: the hub's followers and
// their number are those before a batch or after it.
func TestReadersBesideWriters(t *testing.T) {
	s := newSite(t, nil)
	const members = 50
	var follows []string
	for i := range members {
		follows = append(follows, fmt.Sprintf(`{"account":"m%d","target":"hub"}`, i))
	}
	batch := `{"follows":[` + strings.Join(follows, ",") + `]}`
	s.follow("first>hub")

	rounds := 30
	if testing.Short() {
		rounds = 10
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, body := s.do("GET", "/v1/graph/followers?account=hub&count=true",
					""); body != "{\"count\":1}\n" && body != "{\"count\":51}\n" {
					t.Errorf("got %s, want a count of 1 or 51", body)
				}
				if _, body := s.do("GET", "/v1/graph/followers?account=hub&limit=1000", ""); strings.Count(body,
					"\"m") != 0 && strings.Count(body, "\"m") != members {
					t.Errorf("got a part of a batch: %s", body)
				}
			}
		})
	}
	for range rounds {
		for _, path := range []string{"/v1/graph/follow", "/v1/graph/unfollow"} {
			if resp, body := s.do("POST", path, batch); resp.StatusCode != 200 {
				t.Errorf("%s: got %d %s", path, resp.StatusCode, body)
			}
		}
	}
	close(stop)
	readers.Wait()
	s.check("GET", "/v1/graph/followers?account=hub", "", 200, `{"accounts":["first"]}`)
}

func TestMetrics(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob carol>bob")
	if err := s.graph.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, question := range []string{"account=bob", "account=bob&count=true", "account=zoe"} {
		_, body := s.do("GET", "/v1/graph/followers?"+question, "")
		sent += len(body)
	}
	s.do("GET", "/nowhere", "")
	s.do("POST", "/v1/graph/follow", `{"account":"alice","target":"bob"}`)
	resp, body := s.do("GET", "/metrics", "")
	if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("got %d, content type %q", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	for _, want := range []string{
		`uproar_http_requests_total{endpoint="followers",status="200"} 2`,
		`uproar_http_requests_total{endpoint="followers",status="404"} 1`,
		`uproar_http_requests_total{endpoint="other",status="404"} 1`,
		`uproar_http_request_duration_seconds_count{endpoint="followers"} 3`,
		`uproar_http_requests_in_flight{endpoint="followers"} 0`,
		`uproar_http_errors_total{code="unknown_account",endpoint="followers"} 1`,
		fmt.Sprintf(`uproar_http_response_bytes_total{endpoint="followers"} %d`, sent),
		`uproar_http_request_bytes_total{endpoint="follow"} 34`, "uproar_http_requests_waiting 0",
		"uproar_http_connections ", "uproar_http_connections_refused_total 0",
		`uproar_index_records{index="accounts"} 3`,
		`uproar_index_sequence{index="accounts"} `, `uproar_index_commits_total{index="accounts"} 2`,
		`uproar_field_values{field="followers",index="accounts",type="inverse"}`,
		"uproar_cache_bytes ", "uproar_store_bytes ", "go_goroutines ", "process_start_time_seconds ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	guide, err := os.ReadFile("operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range regexp.MustCompile(`(?m)^# TYPE (uproar_\w+)`).FindAllStringSubmatch(body, -1) {
		if !bytes.Contains(guide, []byte("`"+kind[1])) {
			t.Errorf("operations.md lacks %s", kind[1])
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}
