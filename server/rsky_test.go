// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/compat/rsky"
	"github.com/uproar-db/uproar/store/memstore"
)

func newRsky(t *testing.T) *site {
	t.Helper()
	return newSite(t, rskyOptions())
}

func rskyOptions() *server.Options {
	return &server.Options{Paths: server.Paths{Rsky: true}, Logger: slog.New(slog.DiscardHandler)}
}

// rsky sends a request, and wants an answer of rsky-graph, byte by byte but for the end of line.
func (s *site) rsky(method, path string, status int, want string) {
	s.t.Helper()
	path, want = dids(path), dids(want)
	resp, got := s.do(method, path, "")
	if resp.StatusCode != status || strings.TrimSuffix(got, "\n") != want {
		s.t.Errorf("%s %s\ngot  %d %.500swant %d %.500s", method, path, resp.StatusCode, got, status, want)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json" {
		s.t.Errorf("%s %s: got content type %q", method, path, got)
	}
}

// answer returns the body of an answer about known followers: "@t=@a,@b" is a target and its list.
func answer(lists ...string) string {
	var b strings.Builder
	b.WriteString(`{"results":[`)
	for i, list := range lists {
		target, dids, _ := strings.Cut(list, "=")
		if i > 0 {
			b.WriteByte(',')
		}
		if dids != "" {
			dids = `"` + strings.ReplaceAll(dids, ",", `","`) + `"`
		}
		fmt.Fprintf(&b, `{"dids":[%s],"targetDid":%q}`, dids, target)
	}
	return b.String() + "]}"
}

const (
	needViewer = `{"error":"viewer and targets required"}`
	noViewer   = `{"error":"viewer not yet loaded"}`
	noActor    = `{"error":"actor not yet loaded"}`
	rskyPath   = "/v1/follows-following?viewer="
)

// TestRsky has every line of rsky-graph's contract.
func TestRsky(t *testing.T) {
	s := newRsky(t)
	// v follows c, a, b and itself, in this order. a, b, c and x follow t, v and b follow u.
	s.follow(dids("@v>@c @v>@a @v>@b @v>@v @a>@t @b>@t @c>@t @x>@t @v>@u @b>@u"))
	for _, c := range []struct {
		method, path string
		status       int
		want         string
	}{
		// All of it, in the order of first appearance.
		{"GET", rskyPath + "@v&targets=@t", 200, answer("@t=@c,@a,@b")},
		// A follow of oneself counts.
		{"GET", rskyPath + "@v&targets=@u", 200, answer("@u=@v,@b")},
		{"GET", rskyPath + "@v&targets=@v", 200, answer("@v=@v")},
		// One entry for each target, in their order. Repeats are repeated.
		{"GET", rskyPath + "@v&targets=@u,@t,@u", 200, answer("@u=@v,@b", "@t=@c,@a,@b", "@u=@v,@b")},
		// Parameters are decoded before they are split.
		{"GET", rskyPath + "did%3Aplc%3A" + strings.Repeat("v", 24) + "&targets=@t%2C@u", 200,
			answer("@t=@c,@a,@b", "@u=@v,@b")},
		// Only the first value of a parameter counts.
		{"GET", rskyPath + "@v&viewer=@x&targets=@u&targets=@t", 200, answer("@u=@v,@b")},
		// Empty pieces are targets too.
		{"GET", rskyPath + "@v&targets=", 200, answer("=")},
		{"GET", rskyPath + "@v&targets", 200, answer("=")},
		{"GET", rskyPath + "@v&targets=@u,,", 200, answer("@u=@v,@b", "=", "=")},
		// Who is not known, or cannot be, has no known followers.
		{"GET", rskyPath + "@y&targets=@t,@u", 200, answer("@t=", "@u=")},
		{"GET", rskyPath + "@v&targets=@y,@t", 200, answer("@y=", "@t=@c,@a,@b")},
		{"GET", rskyPath + "@v&targets=no+did,%zz,%00,%22", 200,
			`{"results":[{"dids":[],"targetDid":"no did"},{"dids":[],"targetDid":"%zz"},` +
				`{"dids":[],"targetDid":"\u0000"},{"dids":[],"targetDid":"\""}]}`},
		{"GET", rskyPath + "@v&targets=" + strings.Repeat("y", 600), 200, answer(strings.Repeat("y", 600) + "=")},
		// Other parameters are passed over.
		{"GET", rskyPath + "@v&targets=@u&cursor=7&x", 200, answer("@u=@v,@b")},
		{"GET", "/v1/follows-following", 400, needViewer},
		{"GET", "/v1/follows-following?targets=@t", 400, needViewer},
		{"GET", rskyPath + "@v", 400, needViewer},
		{"GET", rskyPath + "&targets=@t", 400, needViewer},
		// The method is not looked at.
		{"POST", rskyPath + "@v&targets=@u", 200, answer("@u=@v,@b")},
		{"POST", "/v1/is-following?actor=@v&target=@u", 200, `{"following":true}`},

		{"GET", "/v1/is-following?actor=@v&target=@a", 200, `{"following":true}`},
		{"GET", "/v1/is-following?actor=@a&target=@v", 200, `{"following":false}`},
		{"GET", "/v1/is-following?actor=@v&target=@v", 200, `{"following":true}`},
		{"GET", "/v1/is-following?actor=@v", 200, `{"following":false}`},
		{"GET", "/v1/is-following?target=@v", 200, `{"following":false}`},
		{"GET", "/v1/is-following", 200, `{"following":false}`},
		{"GET", "/v1/is-following?actor=@y&target=@v", 200, `{"following":false}`},
		{"GET", "/v1/is-following?actor=@v&target=@y", 200, `{"following":false}`},

		{"GET", "/_health", 200, `{"status":"ok"}`},
		{"GET", "/nothing", 404, `{"error":"not found"}`},
		{"GET", "/v1%2Ffollows-following", 400, needViewer},
		{"DELETE", "/v1/is-following", 405, `{"error":"this path has only the methods GET, HEAD, POST"}`},

		// What rsky-graph has not.
		{"GET", rskyPath + "@v&targets=@t,@u&limit=1", 200, answer("@t=@c", "@u=@v")},
		{"GET", rskyPath + "@v&targets=@t,@y&limit=2&count=true", 200,
			`{"results":[{"count":3,"dids":["@c","@a"],"targetDid":"@t"},{"count":0,"dids":[],"targetDid":"@y"}]}`},
		{"GET", rskyPath + "@v&targets=@t&limit=0&count=true", 200,
			`{"results":[{"count":3,"dids":[],"targetDid":"@t"}]}`},
		{"GET", rskyPath + "@v&targets=@t&limit=9&count=false", 200, answer("@t=@c,@a,@b")},
		{"GET", rskyPath + "@v&targets=@t&limit=-1", 400, `{"error":"limit is \"-1\", want a number from 0 on"}`},
		{"GET", rskyPath + "@v&targets=@t&count=yes", 400, `{"error":"count is \"yes\", want true or false"}`},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			at := *s
			at.t = t
			at.rsky(c.method, c.path, c.status, c.want)
		})
	}
	if resp, body := s.do("HEAD", dids(rskyPath+"@v&targets=@t"), ""); resp.StatusCode != 200 || body != "" ||
		resp.ContentLength != int64(len(dids(answer("@t=@c,@a,@b"))))+1 {
		t.Errorf("HEAD: got %d, length %d, %q", resp.StatusCode, resp.ContentLength, body)
	}
}

// TestRskyKeepsHidden: blocks and mutes, of either side, neither shorten a list nor change its
// count. The caller leaves accounts out after it has counted.
func TestRskyKeepsHidden(t *testing.T) {
	s := newRsky(t)
	s.follow(dids("@v>@a @a>@t"))
	s.rsky("GET", rskyPath+"@v&targets=@t&count=true", 200, `{"results":[{"count":1,"dids":["@a"],"targetDid":"@t"}]}`)
	var changes graph.Changes
	for _, c := range []string{"blocks@v@a", "blocks@a@v", "blocks@t@a", "blocks@v@t", "mutes@v@a"} {
		relation, pair, _ := strings.Cut(c, "@")
		account, target, _ := strings.Cut(pair, "@")
		changes.List = append(changes.List, graph.Change{Op: graph.Set, Relation: graph.Relation(relation),
			Account: did(account), Target: did(target)})
	}
	if _, err := s.graph.Write(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	s.rsky("GET", rskyPath+"@v&targets=@t&count=true", 200, `{"results":[{"count":1,"dids":["@a"],"targetDid":"@t"}]}`)
}

// TestRskyEdges: a repeated follow is one entry, what is undone is seen at once, also after a
// restart, and so is the first follower of a newcomer. rsky-graph's own filters and counts fail at
// each of these.
func TestRskyEdges(t *testing.T) {
	s := newRsky(t)
	s.follow(dids("@v>@m @m>@t @m>@t @v>@m"))
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@m"))
	restarted := newSiteOf(t, rskyOptions(), s.db, s.graph)
	restarted.follow(dids("@z>@t @m>@n"))
	restarted.rsky("GET", rskyPath+"@v&targets=@t,@n", 200, answer("@t=@m", "@n=@m"))
	restarted.rsky("GET", rskyPath+"@z&targets=@t", 200, answer("@t="))
	if _, err := s.graph.Unfollow(t.Context(), graph.Follow{Account: did("m"), Target: did("t")}); err != nil {
		t.Fatal(err)
	}
	restarted.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t="))
}

// TestRskyWholeLists: a list is whole however long, as its length is taken for the count, and one
// that does not fit into memory is no answer at all.
func TestRskyWholeLists(t *testing.T) {
	const many = 5_000
	key := func(i int) string { return fmt.Sprintf("did:plc:%024d", i) }
	var follows []graph.Follow
	var want []string
	for i := range many {
		follows = append(follows, graph.Follow{Account: did("v"), Target: key(i)},
			graph.Follow{Account: key(i), Target: did("t")})
		want = append(want, key(i))
	}
	s := newRsky(t)
	if _, err := s.graph.Follow(t.Context(), follows...); err != nil {
		t.Fatal(err)
	}
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t="+strings.Join(want, ",")))
	s.rsky("GET", rskyPath+"@v&targets=@t&limit=5&count=true", 200, fmt.Sprintf(
		`{"results":[{"count":%d,"dids":["%s"],"targetDid":"@t"}]}`, many, strings.Join(want[:5], `","`)))
	resp, body := s.do("GET", dids(rskyPath+"@v&targets=@t"), "", "Accept-Encoding", "gzip, deflate, zstd")
	if coding := resp.Header.Get("Content-Encoding"); coding != "" || !strings.HasPrefix(body, `{"results"`) {
		t.Errorf("got coding %q, want none: the caller has 80 ms", coding)
	}
	if took := resp.Header.Get("X-Query-Time-Ms"); !regexp.MustCompile(`^\d+$`).MatchString(took) {
		t.Errorf("X-Query-Time-Ms: got %q, want whole milliseconds", took)
	}
	little := rskyOptions()
	little.AnswerBytes = 1
	tight := newSiteOf(t, little, s.db, s.graph)
	resp, body = tight.do("GET", dids(rskyPath+"@v&targets=@t"), "")
	if resp.StatusCode < 400 || !regexp.MustCompile(`^\{"error":"[^"]*"\}\n$`).MatchString(body) {
		t.Errorf("without memory: got %d %.200s, want an error", resp.StatusCode, body)
	}
	tight.rsky("GET", rskyPath+"@v&targets=@t&limit=0&count=true", 200, fmt.Sprintf(
		`{"results":[{"count":%d,"dids":[],"targetDid":"@t"}]}`, many))
}

// TestRskyLoading: what is not loaded yet is answered with 503, never with an empty list. Health
// and requests that are malformed do not depend on it.
func TestRskyLoading(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := newSiteOf(t, rskyOptions(), db, nil)
	loading := func() {
		t.Helper()
		s.rsky("GET", rskyPath+"@v&targets=@t", 503, noViewer)
		s.rsky("GET", "/v1/is-following?actor=@v&target=@t", 503, noActor)
		s.rsky("GET", "/v1/is-following?target=@t", 200, `{"following":false}`)
		s.rsky("GET", rskyPath+"@v", 400, needViewer)
		s.rsky("GET", "/_health", 200, `{"status":"ok"}`)
	}
	loading() // there is no graph
	part, end := s.beginImport(importPath)
	fmt.Fprint(part, dids("@v,@a\n@a,@t\n"))
	loading()
	end(false)
	loading() // an import that broke off has loaded nothing

	part, end = s.beginImport(importPath)
	fmt.Fprint(part, dids("@v,@a\n@a,@t\n"))
	loading()
	if status := end(true); status != 200 {
		t.Fatalf("import: got %d", status)
	}
	whole := func() {
		t.Helper()
		s.rsky("GET", rskyPath+"@v&targets=@t,@y", 200, answer("@t=@a", "@y="))
		s.rsky("GET", rskyPath+"@y&targets=@t", 200, answer("@t="))
		s.rsky("GET", "/v1/is-following?actor=@y&target=@t", 200, `{"following":false}`)
	}
	loaded := func() bool {
		resp, _ := s.do("GET", dids(rskyPath+"@v&targets=@t"), "")
		return resp.StatusCode == 200
	}
	waitFor(t, "the end of the import that broke off", loaded) // which the server sees a little later
	whole()

	part, end = s.beginImport(importPath) // beside it nobody knows who is complete
	fmt.Fprint(part, dids("@y,@a\n"))
	waitFor(t, "the import that is under way", func() bool { return !loaded() })
	loading()
	end(false)
	waitFor(t, "the end of that import", loaded)
	whole()

	// Whatever is undone, an empty list is then the truth.
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Unfollow(t.Context(), graph.Follow{Account: did("v"), Target: did("a")},
		graph.Follow{Account: did("a"), Target: did("t")}); err != nil {
		t.Fatal(err)
	}
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t="))
}

// TestRskyStream: with a stream, live events do not make a graph loaded, neither does a restart;
// its position does, which is written with the last of what is loaded.
func TestRskyStream(t *testing.T) {
	s := newSite(t, nil)
	start := func() *site {
		return newSiteOf(t, &server.Options{Paths: server.Paths{Rsky: true, RskyStream: "backfill"},
			Logger: slog.New(slog.DiscardHandler)}, s.db, s.graph)
	}
	before := start()
	s.follow(dids("@z>@t"))
	for _, one := range []*site{before, start()} {
		one.rsky("GET", rskyPath+"@v&targets=@t", 503, noViewer)
		one.rsky("GET", "/v1/is-following?actor=@z&target=@t", 503, noActor)
	}
	if _, err := s.graph.Write(t.Context(), graph.Changes{Stream: "live", Position: 7}); err != nil {
		t.Fatal(err)
	}
	before.rsky("GET", rskyPath+"@z&targets=@t", 503, noViewer)
	if _, err := s.graph.Write(t.Context(), graph.Changes{Stream: "backfill", List: []graph.Change{
		{Op: graph.Set, Relation: graph.Follows, Account: did("v"), Target: did("z")}}}); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*site{before, start()} {
		one.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@z"))
	}
}

// TestRskyBeside: rsky-graph's figures, GraphD's paths beside its own, and a folder whose accounts
// are no graph.
func TestRskyBeside(t *testing.T) {
	s := newSite(t, &server.Options{Paths: server.Paths{Rsky: true, GraphD: true},
		Logger: slog.New(slog.DiscardHandler)})
	s.follow(dids("@v>@a @a>@t"))
	for range 3 {
		s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@a"))
	}
	s.rsky("GET", rskyPath+"@v", 400, needViewer)
	s.graphd("GET", "/_health", "", 200, `{"status":"ok","version":"0.0.1"}`)
	s.graphd("GET", "/following?did=@v", "", 200, `["@a"]`)
	s.graphd("GET", "/nothing", "", 404, `{"message":"Not Found"}`)
	resp, text := s.do("GET", "/metrics", "")
	if media := resp.Header.Get("Content-Type"); !strings.HasPrefix(media, "text/plain; version=0.0.4") {
		t.Errorf("/metrics: got content type %q", media)
	}
	for _, want := range []string{"graph_queries_total 3\n", "graph_query_duration_seconds_count 3\n",
		"graph_query_duration_seconds_bucket{le=\"0.0001\"} ", "graph_query_duration_seconds_bucket{le=\"1\"} "} {
		if !strings.Contains(text, want) {
			t.Errorf("/metrics: want %q", want)
		}
	}
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.CreateIndex(t.Context(), graph.IndexName, uproar.Field{Name: "x", Type: uproar.Set}); err != nil {
		t.Fatal(err)
	}
	if _, err := server.New(db, &server.Options{Paths: server.Paths{Rsky: true}}); err == nil {
		t.Error("an index of the name that is no graph: got no error")
	}
}

// TestRskyFollowOrder: of follows with keys the list is in the order of the viewer's follows, also
// within limit, and of hidden accounts, too: the caller leaves them out after it has counted.
func TestRskyFollowOrder(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, rskyOptions(), db, g)
	s.changes("set follows @a 3m6i4wtqkuf2l @t; set follows @b 3m6i4wtqkuf2l @t; set follows @c 3m6i4wtqkuf2l @t; " +
		"set follows @v 3m6i4wtqkuf5l @a; set follows @v 3m6i4wtqkuf3l @b; set follows @v 3m6i4wtqkuf4l @c; hide @c")
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@b,@c,@a"))
	s.rsky("GET", rskyPath+"@v&targets=@t&limit=2&count=true", 200,
		`{"results":[{"count":3,"dids":["@b","@c"],"targetDid":"@t"}]}`)
	// A second record does not move a follow; when the first is deleted, it does.
	s.changes("set follows @v 3m6i4wtqkuf6l @b")
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@b,@c,@a"))
	s.changes("clear follows @v 3m6i4wtqkuf3l")
	s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@c,@a,@b"))
}

// TestRskyStreamOfTap: a stream that never has a position is refused.
func TestRskyStreamOfTap(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, paths := range []server.Paths{{Rsky: true, RskyStream: "tap://a:2480"},
		{Constellation: true, RskyStream: "tap://a:2480"}} {
		_, err = server.New(db, &server.Options{Paths: paths, Logger: slog.New(slog.DiscardHandler)})
		if refused, ok := errors.AsType[*rsky.StreamError](err); !ok || refused.Stream != "tap://a:2480" {
			t.Errorf("got %v, want the stream refused", err)
		}
	}
}
