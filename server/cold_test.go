// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/internal/eventloop"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// slowStore takes longer for each page than a call of TestCold has, and outlives databases.
type slowStore struct {
	store.Store
	slow  atomic.Bool
	reads atomic.Int64
}

func (s *slowStore) Close() error { return nil }

func (s *slowStore) Get(key []byte, fn func([]byte) error) error {
	s.reads.Add(1)
	if s.slow.Load() {
		time.Sleep(60 * brief)
	}
	return s.Store.Get(key, fn)
}

// TestCold asks a server whose cache has nothing, of every kind of brief question what takes many pages: a loop reads one or two of them, and leaves the rest to a goroutine, which answers.
func TestCold(t *testing.T) {
	s := &slowStore{Store: memstore.New()}
	open := func() (*Server, *uproar.DB, *graph.Graph) {
		t.Helper()
		db, err := uproar.Open(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		server, err := New(g, db, &Options{GraphD: true, Hosts: []string{"x"}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return server, db, g
	}
	const accounts = 40000
	name := func(i int) string { return fmt.Sprintf("account%033d", i*7919%accounts) } // which do not come in the order of their names
	_, db, g := open()
	for i := 0; i < accounts; {
		var follows []graph.Follow
		for range accounts / 4 {
			follows = append(follows, graph.Follow{Account: name(i), Target: name((i + 1) % accounts)}, graph.Follow{Account: name(i), Target: name(0)}, graph.Follow{Account: name(1), Target: name(i)})
			i++
		}
		if _, err := g.Follow(t.Context(), follows...); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	get := func(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n" }
	post := func(target, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", target, len(body), body)
	}
	var names, ids, calls []string
	for i := range 30 {
		names, ids = append(names, fmt.Sprintf("%q", name(i*1301))), append(ids, fmt.Sprint(i*1301))
		if i < 12 {
			calls = append(calls, fmt.Sprintf("%q", "/v1/graph/follows?account="+name(i*1301)+"&target="+name(i*1301+1)))
		}
	}
	for what, said := range map[string]string{
		"followers":           get("/followers?did=" + name(0)),
		"a page of followers": get("/v1/graph/followers?limit=1000&account=" + name(0)),
		"both follow":         get("/follows_following?actor_did=" + name(1) + "&target_did=" + name(0)),
		"intersection":        get("/intersect_followers?did=" + name(0) + "&did=" + name(2)),
		"does follow":         get("/does_follow?actor_did=" + name(5) + "&target_did=" + name(6)),
		"suggestions":         get("/v1/graph/suggestions?account=" + name(5)),
		"accounts":            post("/v1/graph/lookup", `{"accounts":[`+strings.Join(names, ",")+`]}`),
		"IDs":                 post("/v1/graph/lookup", `{"ids":[`+strings.Join(ids, ",")+`]}`),
		"batch":               post("/v1/batch", `{"calls":[`+strings.Join(calls, ",")+`]}`),
		"query":               get("/v1/query?index=accounts&limit=1000&q=follows+%3D+" + name(0)),
		"words":               get("/v1/audience/words?index=accounts&q=all&field=follows"),
	} {
		s.slow.Store(false)
		server, db, _ := open()
		a := loopAnswers{s: server, base: context.Background(), tally: server.metrics.tally(0)}
		s.slow.Store(true)
		before := s.reads.Load()
		// Time enough to come to the first page on a busy machine, which takes longer than that.
		got := a.answer(nil, eventloop.Asked{Said: []byte(said), Remote: new(net.TCPAddr), At: time.Now().Add(30 * brief)})
		if read := s.reads.Load() - before; got.Later == nil || read < 1 || read > 2 {
			t.Errorf("%s: the loop has read %d pages, and leaves it to a goroutine: %t; want 1 or 2, and true", what, read, got.Later != nil)
		}
		if got.Later != nil {
			s.slow.Store(false)
			before = s.reads.Load()
			answer, done := got.Later()
			if read := s.reads.Load() - before; !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") || read < 2 {
				t.Errorf("%s: the goroutine has read %d more pages for %.60q, want 2 or more, and an answer", what, read, answer)
			}
			done()
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
