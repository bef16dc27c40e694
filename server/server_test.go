// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// A site is a server of an empty graph in memory, reached over real HTTP.
type site struct {
	t      testing.TB
	url    string
	graph  *graph.Graph
	db     *uproar.DB
	server *server.Server

	contract *contract // if not nil: what every request and reply is checked against
}

func newSite(t testing.TB, opts *server.Options) *site {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, uproar.ErrClosed) {
			t.Error(err)
		}
	})
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return newSiteOf(t, opts, db, g)
}

// newSiteOf is newSite of a database that is there.
func newSiteOf(t testing.TB, opts *server.Options, db *uproar.DB, g *graph.Graph) *site {
	t.Helper()
	if opts == nil {
		opts = &server.Options{Logger: slog.New(slog.DiscardHandler)}
	}
	hosts := *opts
	hosts.Hosts = append([]string{"x"}, opts.Hosts...) // which tests write into requests by hand
	s, err := server.New(db, &hosts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	scheme := "http://"
	if opts.TLS != nil {
		scheme = "https://"
	}
	made := &site{t: t, url: scheme + ln.Addr().String(), graph: g, db: db, server: s}
	if t, ok := t.(*testing.T); ok {
		made.contract = newContract(t)
	}
	return made
}

// follow makes follows of "alice>bob bob>carol".
func (s *site) follow(text string) {
	s.t.Helper()
	var follows []graph.Follow
	for word := range strings.FieldsSeq(text) {
		account, target, _ := strings.Cut(word, ">")
		follows = append(follows, graph.Follow{Account: account, Target: target})
	}
	if _, err := s.graph.Follow(s.t.Context(), follows...); err != nil {
		s.t.Fatal(err)
	}
}

// do sends a request; a body is sent as JSON.
func (s *site) do(method, path, body string, header ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if method == "POST" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // a Client would follow redirects
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.contract != nil {
		s.contract.check(method, path, body, resp.StatusCode, resp.Header.Get("Content-Type"), string(text))
	}
	return resp, string(text)
}

// check sends a request and compares status and body, its end of line apart.
func (s *site) check(method, path, body string, status int, want string) {
	s.t.Helper()
	resp, got := s.do(method, path, body)
	if resp.StatusCode != status || got != want+"\n" {
		s.t.Errorf("%s %s %s\ngot  %d %swant %d %s", method, path, body, resp.StatusCode, got, status, want)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json" {
		s.t.Errorf("%s %s: got content type %q, want application/json", method, path, got)
	}
}

const seed = "alice>bob alice>carol alice>dan bob>alice carol>bob dan>bob dan>dan erin>alice erin>bob"

func TestAnswers(t *testing.T) {
	s := newSite(t, nil)
	s.follow(seed)
	s.follow("<é\"&>bob")
	for _, c := range []struct{ path, want string }{
		{"/v1/graph/followers?account=bob", `{"accounts":["alice","carol","dan","erin","<é\"&"]}`},
		{"/v1/graph/followers?account=erin", `{"accounts":[]}`},
		{"/v1/graph/followers?account=bob&count=true", `{"count":5}`},
		{"/v1/graph/followers?account=bob&count=false&limit=10000",
			`{"accounts":["alice","carol","dan","erin","<é\"&"]}`},
		{"/v1/graph/following?account=alice", `{"accounts":["bob","carol","dan"]}`},
		{"/v1/graph/following?account=%3C%C3%A9%22%26", `{"accounts":["bob"]}`},
		{"/v1/graph/following?account=alice&count=true", `{"count":3}`},
		{"/v1/graph/mutuals?account=alice", `{"accounts":["bob"]}`},
		{"/v1/graph/mutuals?account=dan", `{"accounts":["dan"]}`},
		{"/v1/graph/mutuals?account=dan&count=true", `{"count":1}`},
		{"/v1/graph/follows?account=alice&target=bob", `{"follows":true}`},
		{"/v1/graph/follows?account=bob&target=carol", `{"follows":false}`},
		{"/v1/graph/follows-following?account=alice&target=bob", `{"accounts":["carol","dan"]}`},
		{"/v1/graph/follows-following?account=alice&target=bob&count=true", `{"count":2}`},
		{"/v1/graph/intersect-followers?account=alice&account=bob", `{"accounts":["erin"]}`},
		{"/v1/graph/intersect-followers?account=alice&count=true", `{"count":2}`},
		{"/v1/graph/intersect-following?account=carol&account=dan&account=erin", `{"accounts":["bob"]}`},
		{"/v1/query?index=accounts&q=follows(alice)+and+not+follows(dan)", `{"keys":["carol"]}`},
		{"/v1/query?index=accounts&q=followers(bob)&answer=count", `{"count":5}`},
		{"/v1/query?index=accounts&q=follows(erin)&answer=keys&limit=5", `{"keys":["alice","bob"]}`},
		{"/v1/query?index=accounts&q=nothing&answer=ids", `{"ids":[]}`},
		{"/healthz", `{"status":"ok"}`},
	} {
		s.check("GET", c.path, "", 200, c.want)
	}
	s.check("POST", "/v1/query", `{"index":"accounts","q":"follows(alice) and follows(erin)"}`, 200, `{"keys":["bob"]}`)
	s.check("POST", "/v1/query", ` { "q" : "all", "index" : "accounts", "answer" : "count" } `, 200, `{"count":6}`)

	head, body := s.do("HEAD", "/v1/graph/followers?account=bob", "")
	if head.StatusCode != 200 || body != "" || head.ContentLength == 0 {
		t.Errorf("HEAD: got %d, body %q, length %d", head.StatusCode, body, head.ContentLength)
	}
}

func TestFollowAndUnfollow(t *testing.T) {
	s := newSite(t, nil)
	// An empty database is ready at once.
	s.check("GET", "/healthz", "", 200, `{"status":"ok"}`)
	s.check("GET", "/v1/query?index=accounts&q=all&answer=count", "", 200, `{"count":0}`)

	sequence := uint64(0)
	write := func(path, body string) {
		t.Helper()
		resp, got := s.do("POST", path, body, "Content-Type", "application/json; charset=UTF-8")
		var next uint64
		if n, err := sscan(got, &next); resp.StatusCode != 200 || n != 1 || err != nil || next < sequence {
			t.Errorf("POST %s %s: got %d %s, want 200 and a sequence number of at least %d", path, body,
				resp.StatusCode, got, sequence)
		}
		sequence = next
	}
	write("/v1/graph/follow", `{"account":"alice","target":"bob"}`)
	s.check("GET", "/v1/graph/follows?account=alice&target=bob", "", 200, `{"follows":true}`)
	write("/v1/graph/follow",
		`{"follows":[{"account":"alice","target":"bob"},{"account":"carol","target":"bob"},{"account":"carol","target":"bob"}]}`)
	// Repeated follows count once, before and after a flush.
	for range 2 {
		s.check("GET", "/v1/graph/followers?account=bob&count=true", "", 200, `{"count":2}`)
		s.check("GET", "/v1/graph/following?account=carol", "", 200, `{"accounts":["bob"]}`)
		if err := s.graph.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write("/v1/graph/unfollow", `{"account":"alice","target":"bob"}`)
	write("/v1/graph/unfollow", `{"account":"alice","target":"bob"}`)
	s.check("GET", "/v1/graph/followers?account=bob", "", 200, `{"accounts":["carol"]}`)
	write("/v1/graph/unfollow", `{"follows":[{"account":"carol","target":"bob"},{"account":"bob","target":"carol"}]}`)
	s.check("GET", "/v1/graph/followers?account=bob", "", 200, `{"accounts":[]}`)
	write("/v1/graph/follow", `{"follows":[]}`)

	// A batch is done whole or not at all, and creates nobody when it is refused.
	s.check("POST", "/v1/graph/follow", `{"follows":[{"account":"x","target":"y"},{"account":"x","target":""}]}`, 400,
		`{"error":{"code":"invalid_account","message":"account \"\" is empty (target of follow 1, counted from 0)"}}`)
	s.check("POST", "/v1/graph/unfollow", `{"account":"zoe","target":"bob"}`, 404,
		`{"error":{"code":"unknown_account","message":"unknown account \"zoe\" (account of follow 0, counted from 0)"}}`)
	s.check("GET", "/v1/query?index=accounts&q=all&answer=count", "", 200, `{"count":3}`)
}

func TestPaging(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a>x b>x c>x d>x e>x")
	for _, list := range []string{"/v1/graph/followers?account=x", "/v1/query?index=accounts&q=followers(x)"} {
		var pages []string
		for cursor := ""; ; {
			path := list + "&limit=2"
			if cursor != "" {
				path += "&cursor=" + cursor
			}
			_, body := s.do("GET", path, "")
			before, after, more := strings.Cut(body, `,"cursor":"`)
			pages = append(pages, before[strings.Index(before, "["):])
			if !more {
				break
			}
			cursor = strings.TrimSuffix(after, "\"}\n")
			s.follow("late>a") // pages are not moved by writes
		}
		if got, want := strings.Join(pages, " "), `["a","b"] ["c","d"] ["e"]}`; strings.TrimSpace(got) != want {
			t.Errorf("%s: got pages %s, want %s", list, got, want)
		}
	}
	// The default is 100 to a page.
	many := make([]string, 101)
	for i := range many {
		many[i] = strings.Repeat("m", i+1) + ">y"
	}
	s.follow(strings.Join(many, " "))
	if _, body := s.do("GET", "/v1/graph/followers?account=y", ""); strings.Count(body, "m\"") != 100 ||
		!strings.Contains(body, "cursor") {
		t.Errorf("got %d accounts in %s, want 100 and a cursor", strings.Count(body, "m\""), body)
	}
}

// A closed database is no reason to fall over, and health tells of it.
func TestClosedDatabase(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	s.check("POST", "/v1/graph/follow", `{"account":"alice","target":"bob"}`, 503,
		`{"error":{"code":"unavailable","message":"the database is closed","reason":"closed"}}`)
	resp, body := s.do("GET", "/metrics", "")
	if resp.StatusCode != 200 || !strings.Contains(body, "uproar_http_requests_total") {
		t.Errorf("metrics of a closed database: got %d %s", resp.StatusCode, body)
	}
}

func TestNew(t *testing.T) {
	s := newSite(t, nil)
	if _, err := server.New(nil, nil); err == nil {
		t.Error("no database: got no error")
	}
	// What is only read and has no graph is served without its calls.
	engine := kept{memstore.New()}
	empty, err := uproar.Open(t.Context(), engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := empty.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single}); err != nil {
		t.Fatal(err)
	}
	if err := empty.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := uproar.Open(t.Context(), engine, &uproar.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	without, err := server.New(read, nil)
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]int{"/v1/graph/followers?account=a": 404, "/healthz": 200,
		"/v1/query?index=people&q=all": 200} {
		w := httptest.NewRecorder()
		without.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+target, nil))
		if w.Code != want {
			t.Errorf("%s: got %d %s, want %d", target, w.Code, w.Body, want)
		}
	}
	// Two servers in one process do not share metrics.
	if _, err := server.New(s.db, nil); err != nil {
		t.Errorf("a second server: %v", err)
	}
}

// kept is a store that closing a database leaves open.
type kept struct{ store.Store }

func (kept) Close() error { return nil }
