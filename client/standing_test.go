// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// standings makes every call about standing queries.
func standings(t *testing.T, s *site) {
	t.Helper()
	ctx, of := t.Context(), s.Standing("accounts")
	check(t, "Standing.Set", 0, of.Set(ctx, "fans", "follows = star"), 0)
	list, err := of.List(ctx)
	check(t, "Standing.List", len(list) == 1 && list[0].Name == "fans" && list[0].Query == "follows = star", err, true)
	if _, err := s.graph.Follow(ctx, api.Follow{Account: "fan", Target: "star"}); err != nil {
		t.Fatal(err)
	}
	var position uint64
	for e, err := range of.Follow(ctx, "fans", 0) {
		check(t, "Standing.Follow", e.Entered, err, []string{"fan"})
		position = e.Position
		break
	}
	for e, err := range of.Events(ctx, "fans", position) {
		t.Errorf("Standing.Events behind the last: got %+v, %v", e, err)
	}
	check(t, "Standing.Drop", 0, of.Drop(ctx, "fans"), 0)
	err = of.Drop(ctx, "fans")
	if !errors.Is(err, &api.Error{Code: api.CodeUnknownSet}) {
		t.Errorf("Standing.Drop twice: got %v, want an unknown set", err)
	}
	if list, err := of.List(ctx); err != nil || slices.ContainsFunc(list, func(q api.StandingQuery) bool {
		return q.Name == "fans"
	}) {
		t.Errorf("Standing.List in the end: got %+v, %v", list, err)
	}
}

// TestEventsInParts: events go on behind a part that has none, because there was no time for all.
func TestEventsInParts(t *testing.T) {
	parts := map[string]string{"0": `{"events":[],"more":true,"last":5}`, "5": `{"events":[],"more":true,"last":8}`,
		"8": `{"events":[{"position":9,"as_of":4,"entered":["ann"],"left":[]}],"last":9}`, "9": `{"events":[],"last":9}`}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, parts[r.URL.Query().Get("after")])
	}))
	defer s.Close()
	c, err := client.New(s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var entered []string
	for e, err := range c.Standing("people").Events(t.Context(), "swiss", 0) {
		if err != nil {
			t.Fatal(err)
		}
		entered = append(entered, e.Entered...)
	}
	check(t, "Standing.Events in parts", entered, nil, []string{"ann"})
}

// restarted is a server that ends and begins again at the same address, over the same database.
type restarted struct {
	t       *testing.T
	db      *uproar.DB
	address string
	stop    func()
}

// start begins to serve.
func (r *restarted) start() {
	r.t.Helper()
	srv, err := server.New(r.db, &server.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		r.t.Fatal(err)
	}
	var ln net.Listener
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if ln, err = net.Listen("tcp", r.address); err == nil || time.Now().After(until) {
			break // the last connections held the address
		}
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.address = ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	r.stop = func() {
		stop()
		if err := <-served; err != nil {
			r.t.Error(err)
		}
	}
}

// TestFollowRestartedServer: who follows a standing query, or the changes of an index, goes on from
// where they were when the server is away and comes back. They miss nothing and get nothing twice.
func TestFollowRestartedServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "country", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	r := &restarted{t: t, db: db, address: "127.0.0.1:0"}
	r.start()
	defer func() { r.stop() }()
	c, err := client.New("http://"+r.address, &client.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	check(t, "Standing.Set", 0, c.Standing("people").Set(ctx, "swiss", "country = ch"), 0)
	entered, commits := make(chan string, 100), make(chan uint64, 100)
	following, stop := context.WithCancel(ctx)
	ended := make(chan error, 2)
	go func() {
		for e, err := range c.Standing("people").Follow(following, "swiss", 0) {
			if err != nil {
				ended <- err
				return
			}
			for _, key := range append(e.Entered, e.Left...) {
				entered <- key
			}
		}
	}()
	go func() {
		for commit, err := range c.Follow(following, "people", 0) {
			if err != nil {
				ended <- err
				return
			}
			commits <- commit.Sequence
		}
	}()
	for i := range 6 {
		if i > 0 {
			r.stop()
		}
		var b uproar.Batch
		b.Set("country", fmt.Sprint("p", i), "ch")
		sequence, err := ix.Write(ctx, &b)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			time.Sleep(time.Duration(i) * 30 * time.Millisecond) // away for some time
			r.start()
		}
		for range 2 {
			select {
			case key := <-entered:
				check(t, fmt.Sprintf("Standing.Follow after %d restarts", i), key, nil, fmt.Sprint("p", i))
			case commit := <-commits:
				check(t, fmt.Sprintf("Follow after %d restarts", i), commit, nil, sequence)
			case err := <-ended:
				t.Fatalf("after %d restarts: got %v, want that both go on", i, err)
			case <-ctx.Done():
				t.Fatalf("after %d restarts: %v", i, ctx.Err())
			}
		}
	}
	stop()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("in the end: got %v, want %v", err, context.Canceled)
		}
	}
	c, err = client.New("http://"+r.address, &client.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	r.stop()
	r.stop = func() {}
	for _, err := range c.Standing("people").Follow(ctx, "swiss", 0) {
		if _, ok := errors.AsType[net.Error](err); !ok || ctx.Err() != nil {
			t.Errorf("a server that was never there: got %v, want an error of the network at once", err)
		}
		break
	}
}
