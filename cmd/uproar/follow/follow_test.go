// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// network returns a network, and a server that has it all to tell.
func network(t *testing.T) (*livetest.Network, *livetest.Tap) {
	n := livetest.NewNetwork(1, 6)
	for range 300 {
		n.Step()
	}
	s := livetest.NewTap(n, 2)
	t.Cleanup(s.Close)
	return n, s
}

// run follows until done, and returns what the command printed.
func run(t *testing.T, c *Command, done func() bool) (out string, err error) {
	t.Helper()
	c.Window, c.Store = 2*time.Millisecond, database.Detect
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	go func() {
		for !done() && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	var b bytes.Buffer
	err = c.Run(ctx, &terminal.Console{Out: &b, Err: io.Discard})
	return b.String(), err
}

// want returns whom an account follows in the network after the event at a position.
func want(n *livetest.Network, account string, position int64) map[string]string {
	all := make(map[string]string)
	for k, v := range livetest.Edges(n.At(position)) {
		if strings.HasPrefix(k, "follows "+account+" ") {
			all[strings.TrimPrefix(k, "follows "+account+" ")] = v
		}
	}
	return all
}

// TestFolder: the command writes a graph in a folder, and says what it did.
func TestFolder(t *testing.T) {
	t.Parallel()
	n, s := network(t)
	dir := t.TempDir()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	metrics := ""
	out, err := run(t, &Command{Source: s.URL(), Dir: dir, Metrics: address, JSON: true}, func() bool {
		if !s.Idle() {
			return false
		}
		if answer, err := http.Get("http://" + address + "/metrics"); err == nil {
			defer answer.Body.Close()
			text, _ := io.ReadAll(answer.Body)
			metrics = string(text)
		}
		return true
	})
	if err != nil || !strings.HasPrefix(out, `{"events":`) {
		t.Fatalf("got %q, %v, want figures", out, err)
	}
	for _, line := range []string{"uproar_follow_events_total 3", "uproar_follow_connections_total 1\n",
		`uproar_follow_skipped_total{reason="bad-subject"} `, "uproar_follow_lag_seconds "} {
		if !strings.Contains(metrics, "\n"+line) {
			t.Errorf("metrics: want a line that begins with %q in\n%s", line, metrics)
		}
	}
	withGraph(t, dir, func(g *graph.Graph) {
		for _, account := range n.Accounts() {
			compare(t, live.Graph(g), n, account)
		}
	})
}

// compare compares whom an account follows with the network.
func compare(t *testing.T, sink live.Sink, n *livetest.Network, account string) {
	t.Helper()
	compareAt(t, sink, n, account, n.Last())
}

// compareAt compares with the network as it was after the event at a position.
func compareAt(t *testing.T, sink live.Sink, n *livetest.Network, account string, position int64) {
	t.Helper()
	got := make(map[string]string)
	targets, err := sink.Targets(t.Context(), graph.Follows, account, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		got[target] = "yes"
	}
	if difference := livetest.Difference(got, want(n, account, position)); difference != "" {
		t.Errorf("%s:\n%s", account, difference)
	}
}

// TestServer: the command writes the graph of a server that has none yet.
func TestServer(t *testing.T) {
	t.Parallel()
	n, s := network(t)
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	h, err := server.New(db, &server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(h)
	defer at.Close()
	c := &Command{Source: s.URL(), URL: at.URL}
	out, err := run(t, c, s.Idle)
	if err != nil || !strings.HasPrefix(out, "followed ") {
		t.Fatalf("got %q, %v", out, err)
	}
	sink, end, err := c.sink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	for _, account := range n.Accounts() {
		compare(t, sink, n, account)
	}
}

// TestAdvice: errors that end the command say what can be done.
func TestAdvice(t *testing.T) {
	t.Parallel()
	n := livetest.NewNetwork(1, 3)
	for range 60 {
		n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"})
	}
	s := livetest.NewJetstream(n, 1)
	defer s.Close()
	s.Floor = 40
	dir := t.TempDir()
	db, err := database.Open(t.Context(), dir, database.Detect, true, &uproar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		t.Fatal(err)
	}
	name := "jetstream2://" + strings.TrimPrefix(strings.TrimSuffix(s.URL(2), "?tls=no"), "jetstream2://")
	if _, err := g.Write(t.Context(), graph.Changes{Stream: name, Position: 7}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = run(t, &Command{Source: s.URL(2), Dir: dir}, func() bool { return false })
	if err == nil || !strings.Contains(err.Error(), "position 7") || !strings.Contains(err.Error(), "\nTry: ") {
		t.Errorf("got %v, want a gap, and advice", err)
	}
	if _, err := run(t, &Command{Source: s.URL(2), Dir: dir, FromNow: true}, func() bool {
		return len(s.Requests()) > 1
	}); err != nil {
		t.Errorf("with --from-now: got %v, want it followed", err)
	}

	plain := t.TempDir()
	if db, err = database.Open(t.Context(), plain, database.Detect, true, &uproar.Options{}); err != nil {
		t.Fatal(err)
	}
	if g, err = graph.Open(t.Context(), db); err == nil {
		_, err = g.Follow(t.Context(), graph.Follow{Account: "a", Target: "b"})
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = run(t, &Command{Source: s.URL(2), Dir: plain}, func() bool { return false })
	if !errors.As(err, new(*graph.UnkeyedError)) || !strings.Contains(err.Error(), "\nTry: ") {
		t.Errorf("got %v, want an error about keys, and advice", err)
	}
	for source, text := range map[string]string{"ftp://x": "scheme", "tap://": "no host", "tap://x?a=b": "parameter",
		"tap://:secret@x:%": "cannot be read"} {
		_, err := run(t, &Command{Source: source, Dir: plain}, func() bool { return false })
		if !errors.As(err, new(*terminal.UsageError)) || !strings.Contains(err.Error(), text) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want a usage error with %q", source, err, text)
		}
	}
}
