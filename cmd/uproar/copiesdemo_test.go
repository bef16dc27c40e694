// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// links serves one bucket of S3 to several copies, each of which can be cut off from it.
type links struct {
	s3   shiptest.S3
	cut  []atomic.Bool
	urls []string // of the log, as each copy reaches it
}

// newLinks returns the links of n copies.
func newLinks(t *testing.T, n int) *links {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	l := &links{cut: make([]atomic.Bool, n)}
	l.s3.Bucket = "b"
	for i := range n {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if l.cut[i].Load() {
				panic(http.ErrAbortHandler)
			}
			l.s3.ServeHTTP(w, r)
			if l.cut[i].Load() {
				panic(http.ErrAbortHandler)
			}
		}))
		t.Cleanup(h.Close)
		l.urls = append(l.urls, logOnS3(h.URL))
	}
	return l
}

// logOnS3 returns the URL of a log on the server of S3 at an address.
func logOnS3(endpoint string) string {
	return "s3://b/log?region=us-east-1&use_path_style=true&endpoint=" + url.QueryEscape(endpoint)
}

// demoQuestions are those of the demo's three jobs, without what they write, and others about
// accounts drawn by a seed, and about those of the first edges of a list.
func demoQuestions(accounts int, edges [][]string) (list []request) {
	for _, of := range [][]sample{samples, peopleSamples, priceSamples()} {
		for _, s := range of {
			for _, r := range s.requests {
				write := strings.HasSuffix(r.path, "/save") || strings.HasSuffix(r.path, "/forget") ||
					strings.HasSuffix(r.path, "/follow") || strings.HasSuffix(r.path, "/unfollow")
				if !write && !strings.Contains(r.query(), newcomer) && !strings.Contains(r.query(), "saved") {
					list = append(list, r)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range accounts {
		edges = append(edges, []string{fmt.Sprint(rng.IntN(75_000)), fmt.Sprint(rng.IntN(75_000))})
	}
	for _, edge := range edges {
		a, b := edge[0], edge[1]
		list = append(list, get("/v1/graph/followers", "account", a), get("/v1/graph/following", "account", b),
			get("/v1/graph/suggestions", "account", a), get("/v1/graph/follows", "account", a, "target", b),
			get("/v1/query", "index", "accounts", "q", "follows(followers("+b+"))", "answer", "count"))
	}
	return list
}

// firstEdges returns the first edges of the list UPROAR_GRAPH, if it is given.
func firstEdges(t *testing.T, n int) (edges [][]string) {
	t.Helper()
	name := os.Getenv("UPROAR_GRAPH")
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); len(edges) < n && lines.Scan(); {
		edge := strings.FieldsFunc(lines.Text(), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
		if len(edge) != 2 {
			t.Fatalf("%s: got the line %q, want two accounts", name, lines.Text())
		}
		edges = append(edges, edge)
	}
	return edges
}

// demoAsker asks copies what a database of which there is one has answered.
type demoAsker struct {
	t         *testing.T
	asker     *http.Client
	questions []request
	wants     []string
	away      []atomic.Bool // a copy whose process is gone
	answers   []atomic.Int64
}

// newDemoAsker asks a server that has no copies.
func newDemoAsker(t *testing.T, copies int, alone string) *demoAsker {
	t.Helper()
	d := &demoAsker{t: t, asker: &http.Client{Timeout: 20 * time.Second},
		questions: demoQuestions(60, firstEdges(t, 60)),
		away:      make([]atomic.Bool, copies), answers: make([]atomic.Int64, copies)}
	t.Cleanup(d.asker.CloseIdleConnections)
	for _, q := range d.questions {
		want, _, err := q.do(t.Context(), d.asker, alone)
		if err != nil && !strings.Contains(err.Error(), "unknown account") {
			t.Fatal(err)
		}
		d.wants = append(d.wants, want)
	}
	return d
}

// ask asks one question, and fails the test if the answer is another one, or none although the copy
// has a process.
func (d *demoAsker) ask(i, question int, base string) {
	away := d.away[i].Load()
	got, _, err := d.questions[question].do(d.t.Context(), d.asker, base)
	switch away = away || d.away[i].Load(); {
	case got == d.wants[question]: // an error, too, has its text
		d.answers[i].Add(1)
	case err == nil || !away:
		d.t.Errorf("%s%s%s:\n got %.300s, %v\nwant %.300s", base, d.questions[question].path,
			d.questions[question].query(), got, err, d.wants[question])
	}
}

// TestCopiesDemo has the demo's three jobs on three copies. One is killed, and others are cut off
// from the log: every answer of each is that of a database of which there is one, always.
// UPROAR_GRAPH=FILE adds the graph of an edge list (bench graph --size S --csv-only FILE).
func TestCopiesDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("imports the demos")
	}
	dir := t.TempDir()
	links := newLinks(t, 3)
	var copies []*copyServer
	for i, name := range []string{"one", "two", "three"} {
		copies = append(copies, newCopyServer(t, dir, name, links.urls[i], freeAddress(t), "--heartbeat", "200ms",
			"--prices", demoPrices))
	}
	for _, of := range []string{"graph", "audience", "catalog"} {
		runProgram(t, "demo", of, "--once", "--dir", copies[0].dir, "--addr", "127.0.0.1:0")
	}
	if edges := os.Getenv("UPROAR_GRAPH"); edges != "" {
		runProgram(t, "import", "graph", "--dir", copies[0].dir, edges)
	}
	alone := filepath.Join(dir, "alone")
	if err := os.CopyFS(alone, os.DirFS(copies[0].dir)); err != nil {
		t.Fatal(err)
	}
	_, url := startServer(t, alone, "--prices", demoPrices)
	d := newDemoAsker(t, len(copies), url)
	checkStorage(t, links.urls[0])
	for _, s := range copies { // the first one's database becomes the log
		s.start()
		s.await(time.Minute)
	}

	l := newLedger(t, copies[0].url, copies[1].url, copies[2].url)
	l.watch(copies)
	l.begin(4, 2)
	ended := make(chan struct{})
	var asking sync.WaitGroup
	for i, s := range copies {
		asking.Go(func() {
			for rng := rand.New(rand.NewPCG(5, uint64(i))); ; {
				select {
				case <-ended:
					return
				default:
					d.ask(i, rng.IntN(len(d.questions)), s.url)
				}
			}
		})
	}
	index := func(s *copyServer) int { return slices.Index(copies, s) }
	again := func(what string, since time.Time) {
		took := l.awaitWrite(t, since)
		if t.Logf("%s: writes go on after %v", what, took.Round(time.Millisecond)); took > unplanned {
			t.Errorf("%s: writes went on after %v, want at most %v", what, took, unplanned)
		}
		l.awaitWrites(t, 20)
	}
	leader := leaderOf(t, copies)
	d.away[index(leader)].Store(true)
	leader.kill()
	again("the one that leads is killed", time.Now())
	leader.start()
	leader.await(time.Minute)
	d.away[index(leader)].Store(false)

	leader = leaderOf(t, copies)
	links.cut[index(leader)].Store(true)
	again("the one that leads is cut off", time.Now())
	before := d.answers[index(leader)].Load()
	time.Sleep(time.Second)
	if d.answers[index(leader)].Load() == before {
		t.Error("the copy that is cut off has answered nothing")
	}
	links.cut[index(leader)].Store(false)

	follower := copies[(index(leaderOf(t, copies))+1)%len(copies)]
	links.cut[index(follower)].Store(true)
	time.Sleep(time.Second)
	again("one that follows is cut off", time.Now())
	links.cut[index(follower)].Store(false)
	close(ended)
	asking.Wait()
	l.end()
	for i, s := range copies {
		for q := range d.questions {
			d.ask(i, q, s.url)
		}
		t.Logf("%s: %d answers of the demo", s.name, d.answers[i].Load())
	}
	judgeCopies(t, l, copies, links.urls[0])
	t.Log(l)
}
