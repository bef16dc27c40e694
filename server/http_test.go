// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/store/memstore"
)

// A lines is a log that tests can read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newServer returns a server of an empty graph, with endpoints of its own.
func newServer(t *testing.T, opts *Options, endpoints ...call.Endpoint) (*Server, string) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := graph.Open(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	s, err := New(db, named(opts))
	if err != nil {
		t.Fatal(err)
	}
	s.routes = s.newRoutes(append(s.endpoints(), endpoints...))
	hs := httptest.NewServer(s)
	t.Cleanup(hs.Close)
	return s, hs.URL
}

// named returns opts for a server that also answers to the host "x". Tests write that host into
// requests by hand.
func named(opts *Options) *Options {
	var o Options
	if opts != nil {
		o = *opts
	}
	o.Hosts = append([]string{"x"}, o.Hosts...)
	return &o
}

// get returns the status and the body of a request.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func failing(err error) call.Handler {
	return func(context.Context, call.Request) (call.Reply, error) { return nil, err }
}

// unencodable is a reply that panics half-way.
type unencodable struct{}

func (unencodable) AppendJSON(dst []byte) []byte {
	_ = append(dst, "half of a secret"...)
	panic("secret in a reply")
}

// Of an internal error the client hears an ID, under which the log has the rest.
func TestInternalErrors(t *testing.T) {
	for name, handle := range map[string]call.Handler{
		"error": failing(errors.New("secret in an error")),
		"panic": func(context.Context, call.Request) (call.Reply, error) { panic("secret in a panic") },
		"reply": func(context.Context, call.Request) (call.Reply, error) { return unencodable{}, nil },
		"nil":   func(context.Context, call.Request) (call.Reply, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			log := new(lines)
			_, url := newServer(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil))},
				call.Get("/fail", "fail", handle))
			status, body := get(t, url+"/fail")
			var r api.ErrorReply
			if err := json.Unmarshal([]byte(body), &r); err != nil || status != 500 ||
				r.Error.Code != api.CodeInternal || r.Error.RequestID == "" {
				t.Fatalf("got %d %s (%v), want 500 and JSON with a request ID", status, body, err)
			}
			if strings.Contains(body, "secret") {
				t.Errorf("the client was told too much: %s", body)
			}
			text := log.String()
			if !strings.Contains(text, r.Error.RequestID) || !strings.Contains(text, "endpoint=fail") ||
				name != "nil" && !strings.Contains(text, "secret in") {
				t.Errorf("got log %q, want the ID %s and the error", text, r.Error.RequestID)
			}
			if name != "error" && !strings.Contains(text, "stack=") {
				t.Errorf("got log %q, want a stack", text)
			}
			// The server goes on.
			if status, body := get(t, url+"/healthz"); status != 200 {
				t.Errorf("healthz afterwards: got %d %s", status, body)
			}
			if status, body := get(t, url+"/metrics"); status != 200 ||
				!strings.Contains(body, "uproar_http_requests_total{endpoint=\"fail\",status=\"500\"} 1") {
				t.Errorf("metrics afterwards: got %d %s", status, body)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		err  error
		code api.Code
	}{
		{context.DeadlineExceeded, api.CodeDeadlineExceeded},
		{context.Canceled, api.CodeCanceled},
		{uproar.ErrClosed, api.CodeUnavailable},
		{uproar.ErrLoading, api.CodeUnavailable},
		{uproar.ErrTooLarge, api.CodeBodyTooLarge},
		{uproar.ErrInvalid, api.CodeInvalidRequest},
		{uproar.ErrFailed, api.CodeUnavailable},
		{graph.ErrNoAccounts, api.CodeInvalidRequest},
		{io.ErrUnexpectedEOF, api.CodeInternal},
	} {
		if got := call.Failure(errors.Join(c.err)); got.Code != c.code || got.Message == "" {
			t.Errorf("%v: got %+v, want code %s", c.err, got, c.code)
		}
	}
}

func TestDeadline(t *testing.T) {
	waits := call.Endpoint{Method: "GET", Path: "/wait", Name: "wait", Handle: func(ctx context.Context,
		_ call.Request) (call.Reply, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	_, url := newServer(t, &Options{Timeout: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}, waits)
	resp, err := http.Get(url + "/wait")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 503 || !strings.Contains(string(body), `"code":"deadline_exceeded"`) ||
		resp.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %s, Retry-After %q; want 503 deadline_exceeded", resp.StatusCode, body,
			resp.Header.Get("Retry-After"))
	}
	// Queries look at the deadline too.
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	s, _ := newServer(t, nil)
	g, err := graph.Open(t.Context(), s.db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Follow(t.Context(), graph.Follow{Account: "a", Target: "b"}); err != nil {
		t.Fatal(err)
	}
	endpoints := graphapi.New(s.db, nil).Endpoints()
	mutuals := endpoints[slices.IndexFunc(endpoints, func(e call.Endpoint) bool { return e.Name == "mutuals" })]
	r, err := mutuals.Handle(late, call.Request{Query: "account=a&limit=1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.(call.Source).Append(nil)
	if got := call.Failure(err); got.Code != api.CodeDeadlineExceeded {
		t.Errorf("a query after its deadline: got %v, want deadline_exceeded", err)
	}
}

func TestNoDeadline(t *testing.T) {
	tells := call.Endpoint{Method: "GET", Path: "/tell", Name: "tell", Handle: func(ctx context.Context,
		_ call.Request) (call.Reply, error) {
		_, ok := ctx.Deadline()
		return api.FollowsReply{Follows: ok}, nil
	}}
	for timeout, want := range map[time.Duration]string{-1: "{\"follows\":false}\n", 0: "{\"follows\":true}\n"} {
		_, url := newServer(t, &Options{Timeout: timeout}, tells)
		if _, body := get(t, url+"/tell"); body != want {
			t.Errorf("timeout %v: got %q, want %q", timeout, body, want)
		}
	}
}

func TestRequestLog(t *testing.T) {
	log := new(lines)
	_, url := newServer(t, &Options{Logger: slog.New(slog.NewTextHandler(log,
		&slog.HandlerOptions{Level: slog.LevelDebug}))})
	get(t, url+"/v1/graph/followers?account=zoe")
	// The line is written after the answer.
	for wait := time.Now().Add(time.Minute); !strings.Contains(log.String(), "\n") && time.Now().Before(wait); {
		time.Sleep(time.Millisecond)
	}
	for _, want := range []string{"level=DEBUG", "method=GET", "path=/v1/graph/followers", "endpoint=followers",
		"query=\"account=zoe\"", "status=404", "took="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("got log %q, want %s in it", log.String(), want)
		}
	}
}

// TestSlowRequestLog: of a request that takes long the log has the question.
func TestSlowRequestLog(t *testing.T) {
	for slow, want := range map[time.Duration]bool{time.Nanosecond: true, time.Hour: false, 0: false} {
		log := new(lines)
		opts := &Options{Requests: RequestLog{Slow: slow}, Logger: slog.New(slog.NewTextHandler(log, nil))}
		_, url := newServer(t, opts)
		resp, err := http.Post(url+"/v1/query", "application/json",
			strings.NewReader(`{"index":"accounts","q":"follows(zoe)","answer":"count"}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		for wait := time.Now().Add(time.Minute); want && !strings.Contains(log.String(), "\n") &&
			time.Now().Before(wait); {
			time.Sleep(time.Millisecond) // the line is written after the answer
		}
		got := log.String()
		if found := strings.Contains(got, `level=WARN msg="slow request"`) && strings.Contains(got, "took=") &&
			strings.Contains(got, `\"q\":\"follows(zoe)\"`); found != want {
			t.Errorf("slow from %v on: got the log %q, want the request: %v", slow, got, want)
		}
	}
}

func TestLargeRepliesAreNotKept(t *testing.T) {
	var b buffers
	for range 100 {
		buf := make([]byte, 0, maxKept+1)
		b.give(&buf)
		if kept := b.take(); cap(*kept) > maxKept {
			t.Fatalf("got a buffer of %d bytes back, want at most %d", cap(*kept), maxKept)
		}
	}
}

// Whatever a client sends, it is no internal error, and the answer is JSON.
func FuzzCalls(f *testing.F) {
	f.Add(uint8(0), "account=bob&limit=1", "")
	f.Add(uint8(3), "account=a%00&target=%zz&;", "")
	f.Add(uint8(7), "", `{"account":"alice","target":"bob"}`)
	f.Add(uint8(8), "", `{"follows":[{"account":"alice","target":"bob"},{"x":[{"y":null}]}]}`)
	f.Add(uint8(9), "index=accounts&q=follows(alice)&answer=ids&cursor=AQGmbA", "")
	f.Add(uint8(10), "", `{"index":"accounts","q":"not (all","limit":1e3}`)
	db, err := uproar.Open(f.Context(), memstore.New(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = db.Close() })
	g, err := graph.Open(f.Context(), db)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := g.Follow(f.Context(), graph.Follow{Account: "alice", Target: "bob"}); err != nil {
		f.Fatal(err)
	}
	log := new(lines)
	s, err := New(db, named(&Options{Logger: slog.New(slog.NewTextHandler(log, nil))}))
	if err != nil {
		f.Fatal(err)
	}
	endpoints := s.endpoints()
	f.Fuzz(func(t *testing.T, which uint8, query, body string) {
		e := endpoints[int(which)%len(endpoints)]
		r := s.run(t.Context(), &bound{Endpoint: e}, call.Request{Query: query, ContentType: "application/json",
			Body: []byte(body)}, nil)
		reply, status := r.body, r.status
		if status >= 500 {
			t.Errorf("%s %q %q: got %d %s%s", e.Name, query, body, status, reply, log)
		}
		if !json.Valid(reply) {
			t.Errorf("%s %q %q: got %q, want JSON", e.Name, query, body, reply)
		}
	})
}
