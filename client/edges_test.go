// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/client"
)

// TestEdges asks a graph with keys for lists by time, and for the keys of edges.
func TestEdges(t *testing.T) {
	const k1, k2, k3 = "3m6i4wtqkuf2l", "3m6i4wtqkuf3l", "3m6i4wtqkuf4l"
	s, ctx := newSiteOf(t, nil, graph.Options{Keyed: []graph.Relation{graph.Follows, graph.Blocks, graph.Members}}),
		t.Context()
	g := s.graph
	_, err := g.Write(ctx, api.WriteRequest{Changes: []api.ChangeRequest{
		{Op: "set", Relation: "follows", Account: "alice", Target: "bob", Key: k2},
		{Op: "set", Relation: "follows", Account: "alice", Target: "carol", Key: k1},
		{Op: "set", Relation: "members", Account: "friends", Target: "alice", Key: k3}}})
	check(t, "Write", 0, err, 0)
	check(t, "Newest", all(t, "Newest", g.Following("alice").Newest().All(ctx)), nil, []string{"bob", "carol"})
	check(t, "Oldest", all(t, "Oldest", g.Following("alice").Oldest().All(ctx)), nil, []string{"carol", "bob"})
	page, err := g.Following("alice").Oldest().Page(ctx, client.Page{Limit: 1})
	check(t, "the first page", page.Keys, err, []string{k1})
	page, err = g.Following("alice").Oldest().Page(ctx, client.Page{Limit: 1, Cursor: page.Cursor})
	check(t, "the second page", page, err, api.AccountsReply{Accounts: []string{"bob"}, Keys: []string{k2}})
	reply, err := g.Edges(ctx, api.EdgesRequest{Account: "alice", Targets: []string{"zoe", "bob"},
		Lists: []string{"friends", "none"}})
	check(t, "Edges", reply, err, api.EdgesReply{Edges: []api.EdgesOf{{}, {Following: k2}}, Lists: []string{k3, ""}})
}
