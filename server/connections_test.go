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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

// rawConn is a connection to a site. It shows answers as they come.
type rawConn struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

func dialRaw(t *testing.T, s *site) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	// against hanging: with the race detector long answers take half a minute on two idle
	// processors
	_ = conn.SetDeadline(time.Now().Add(5 * time.Minute))
	return &rawConn{t, conn, bufio.NewReader(conn)}
}

func (c *rawConn) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// answer returns the next answer, head and body.
func (c *rawConn) answer() (head, body string) {
	c.t.Helper()
	var seen bytes.Buffer
	r := bufio.NewReader(io.TeeReader(oneByte{c.r}, &seen))
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.TrimSuffix(seen.String(), string(text)), string(text)
}

// oneByte reads no more than is asked for byte by byte, so that the next answer is not touched.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(len(p), 1)]) }

func get(target string, headers ...string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
}

// TestPartsAndPipelines sends requests in parts, and several at once, of all kinds in turns: they
// are answered in their order.
func TestPartsAndPipelines(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob carol>alice")
	const ask, body = "/v1/graph/follows?account=alice&target=bob", `{"account":"carol","target":"bob"}`
	post := fmt.Sprintf(
		"POST /v1/graph/follow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(body), body)
	all := get(ask) + get("/v1/graph/followers?account=bob&count=true") + post +
		get("/v1/graph/followers?account=bob&count=true") + get("/healthz") + get(ask)
	for _, part := range []int{1, 7, len(get(ask)) - 1, len(get(ask)), len(get(ask)) + 1, 100, len(all)} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			if _, err := s.graph.Unfollow(t.Context(), graph.Follow{Account: "carol", Target: "bob"}); err != nil {
				t.Fatal(err)
			}
			c := dialRaw(t, s)
			for rest := all; rest != ""; {
				n := min(part, len(rest))
				c.send(rest[:n])
				rest = rest[n:]
				if part > 1 {
					time.Sleep(2 * time.Millisecond)
				}
			}
			for i, want := range []string{`"follows":true`, `"count":1`, `"sequence"`, `"count":2`, "ok",
				`"follows":true`} {
				if _, got := c.answer(); !strings.Contains(got, want) {
					t.Fatalf("answer %d is %s, want %s", i, got, want)
				}
			}
		})
	}
}

// TestLongAnswers asks for lists that no connection takes at once, beside short questions: all are
// whole.
func TestLongAnswers(t *testing.T) {
	// They take turns for the memory of large answers, which takes longer under the race detector.
	s := newSite(t, &server.Options{Paths: server.Paths{GraphD: true}, MaxWait: time.Minute, Timeout: time.Minute,
		Logger: slog.New(slog.DiscardHandler)})
	const followers = 60_000
	follows := make([]graph.Follow, followers)
	for i := range follows {
		follows[i] = graph.Follow{Account: fmt.Sprintf("did:plc:%024d", i), Target: "hub"}
	}
	if _, err := s.graph.Follow(t.Context(), follows...); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		c := dialRaw(t, s)
		wg.Go(func() {
			for range 3 {
				c.send(get("/followers?did=hub"))
				if _, body := c.answer(); strings.Count(body, "did:plc:") != followers {
					t.Errorf("got %d followers, want %d", strings.Count(body, "did:plc:"), followers)
				}
				c.send(get("/does_follow?actor_did=did:plc:000000000000000000000000&target_did=hub"))
				if _, body := c.answer(); body != "true\n" {
					t.Errorf("got %q, want true", body)
				}
			}
		})
	}
	wg.Wait()
}

// TestConnectionsComeBack: a connection leaves room for another, however it ended.
func TestConnectionsComeBack(t *testing.T) {
	s := newSite(t, &server.Options{MaxConnections: 4, Logger: slog.New(slog.DiscardHandler)})
	s.follow("alice>bob")
	for i := range 60 {
		header := []string{"Connection: close", "Accept: */*", "TE: trailers"}[i%3]
		for start := time.Now(); ; {
			c := dialRaw(t, s)
			_, _ = io.WriteString(c, get("/v1/graph/follows?account=alice&target=bob", header))
			line, _ := c.r.ReadString('\n')
			_ = c.Close()
			if strings.Contains(line, " 200 ") {
				break
			}
			if time.Since(start) > 10*time.Second {
				t.Fatalf("connection %d: got %q, want that there is room again", i, line)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// TestHalfHeads: as many connections as there may be are in the middle of a head.
func TestHalfHeads(t *testing.T) {
	const most = 10
	s := newSite(t, &server.Options{MaxConnections: most, Logger: slog.New(slog.DiscardHandler)})
	s.follow("alice>bob")
	ask := get("/v1/graph/follows?account=alice&target=bob")
	conns := make([]*rawConn, most)
	for i := range conns {
		conns[i] = dialRaw(t, s)
		conns[i].send(ask)
		conns[i].answer()
		conns[i].send(ask[:20])
	}
	time.Sleep(50 * time.Millisecond)
	for i, c := range conns {
		c.send(ask[20:])
		if head, _ := c.answer(); !strings.Contains(head, " 200 ") {
			t.Errorf("connection %d: got %q, want an answer", i, head)
		}
	}
}

// wrapping is a listener whose connections are not the system's own.
type wrapping struct {
	net.Listener
	reads atomic.Int64
}

type wrapped struct {
	*net.TCPConn
	of *wrapping
}

func (l *wrapping) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wrapped{conn.(*net.TCPConn), l}, nil
}

func (c *wrapped) Read(p []byte) (int, error) {
	c.of.reads.Add(1)
	return c.TCPConn.Read(p)
}

// TestWrapped checks that the server reads a wrapped connection through its own Read.
func TestWrapped(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	around := &wrapping{Listener: ln}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.server.Serve(ctx, around) }()
	c := dialRaw(t, &site{t: t, url: "http://" + ln.Addr().String()})
	c.send(get("/v1/graph/follows?account=alice&target=bob", "Connection: close"))
	if head, _ := c.answer(); !strings.Contains(head, " 200 ") {
		t.Errorf("got %q", head)
	}
	if around.reads.Load() == 0 {
		t.Error("the connection was read from without its Read")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestDrainOfIdle: connections that wait for their next request, or never sent one, do not hold up
// the end.
func TestDrainOfIdle(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	addr, stop, done := serve(t, s)
	other := &site{t: t, url: "http://" + addr}
	silent, asked := dialRaw(t, other), dialRaw(t, other)
	asked.send(get("/v1/graph/follows?account=alice&target=bob"))
	asked.answer()
	start := time.Now()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("the end took %v, want hardly any time", took)
	}
	for _, c := range []*rawConn{silent, asked} {
		if _, err := c.r.ReadByte(); err != io.EOF {
			t.Errorf("got %v, want the end of the connection", err)
		}
	}
}
