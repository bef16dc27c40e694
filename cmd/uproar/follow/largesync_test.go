// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/apps/graph/live/wire"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLargeSync: a #sync of an account whose records are more than a server takes in a request is
// followed, and so is what comes after it.
func TestLargeSync(t *testing.T) {
	t.Parallel()
	n := livetest.NewNetwork(1, 3)
	account := n.Accounts()[0]
	create := func(i int, rev string, again bool) {
		n.Add(livetest.Entry{Account: account, Kind: "commit", Action: "create", Rev: rev, Again: again,
			Record:  livetest.Record{Collection: livetest.Follow, Key: livetest.TID(int64(i))},
			Content: livetest.Content{Subject: fmt.Sprintf("did:plc:%024d", i)}})
	}
	for i := range 400 {
		create(i, "", false)
	}
	rev := livetest.TID(n.Last() + 1)
	n.Add(livetest.Entry{Account: account, Kind: "sync", Rev: rev})
	for i := 100; i < 500; i++ {
		create(i, rev, true)
	}
	create(1000, "", false) // a later revision: all have come
	s := livetest.NewJetstream(n, 2)
	defer s.Close()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		t.Fatal(err)
	}
	h, err := server.New(db, &server.Options{MaxBody: 16 << 10, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0") // as the program serves
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, ln) }()
	defer func() { stop(); <-served }()
	source, err := wire.Open(s.URL(2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Write(t.Context(), graph.Changes{Stream: source.Name(), Position: 1}); err != nil {
		t.Fatal(err)
	}
	done := func() bool {
		position, _, err := g.Position(source.Name())
		return err != nil || position == n.Last()
	}
	if _, err := run(t, &Command{Source: s.URL(2), URL: "http://" + ln.Addr().String()}, done); err != nil || !done() {
		t.Fatalf("got %v, done: %t, want all followed", err, done())
	}
	compare(t, live.Graph(g), n, account)
}
