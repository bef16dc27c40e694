// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestOpenedAgain: a graph that has likes is opened again, with keys and without, and has those
// that it had.
func TestOpenedAgain(t *testing.T) {
	for name, opts := range map[string]graph.Options{"no keys": {}, "keys": graph.Records} {
		t.Run(name, func(t *testing.T) {
			keyed := len(opts.Keyed) > 0
			mem := memstore.New()
			for round := range 3 {
				db, err := uproar.Open(t.Context(), killable{mem, new(atomic.Bool)}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if round > 0 { // it is as it was made, whatever is asked for
					opts = graph.Options{}
				}
				g, err := graph.OpenWith(t.Context(), db, opts)
				if err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
				if g.Keyed(graph.Follows) != keyed || g.Keyed(likes.LikersField) {
					t.Errorf("round %d: keys of follows: %v, of likers: %v", round, g.Keyed(graph.Follows),
						g.Keyed(likes.LikersField))
				}
				l, err := likes.Open(t.Context(), db, g)
				if err != nil {
					t.Fatal(err)
				}
				write(t, l, likes.Change{Account: account(round), Key: "k", Subject: "feed"})
				follow := graph.Follow{Account: "viewer", Target: account(round)}
				if _, err := g.Follow(t.Context(), follow); err != nil {
					t.Fatal(err)
				}
				if n, err := g.Following("viewer").Count(t.Context()); n != uint64(round+1) || err != nil {
					t.Errorf("round %d: got %d followed, %v", round, n, err)
				}
				hide := graph.Changes{List: []graph.Change{{Op: graph.Hide, Account: account(9)}}}
				_, err = g.Write(t.Context(), hide)
				if keyed != (err == nil) || err != nil && !errors.Is(err, graph.ErrInvalidChange) {
					t.Errorf("round %d: hiding: got %v", round, err)
				}
				if got := all(t, l, "feed", likes.Page{Limit: 9}); len(got) != round+1 {
					t.Errorf("round %d: got %v", round, got)
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
